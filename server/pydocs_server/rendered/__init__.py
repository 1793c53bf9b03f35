"""Answers within a budget, safe to show."""
