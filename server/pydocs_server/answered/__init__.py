"""The tools, one module each: from the catalog and parameters to an answer."""
