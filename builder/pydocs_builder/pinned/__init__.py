"""At which versions: lock files and pinned requirements."""
