"""`search_codebase`: what fits a query best, over everything mounted."""
