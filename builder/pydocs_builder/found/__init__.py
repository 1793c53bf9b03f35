"""Where the sources are: what is installed, and what pip can download."""
