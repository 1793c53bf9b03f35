"""Unpacking."""
