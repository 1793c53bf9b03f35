"""From files to symbols, the names they go by, and the chunks that are searched."""
