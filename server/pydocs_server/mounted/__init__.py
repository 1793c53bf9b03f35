"""The union of the bundles: mounted, and asked for names, files and edges."""
