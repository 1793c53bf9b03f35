"""Live projects: their bundles are built here, kept in the user's cache, and follow their files."""
