"""The targets of a build, and the fate of each requirement."""
