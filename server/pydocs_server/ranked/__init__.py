"""From a question to candidates in order."""
