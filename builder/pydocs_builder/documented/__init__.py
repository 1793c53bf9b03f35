"""Documents, notebooks and documentation collections as sections."""
