"""Builds `.pdx` bundles of a project and of what it depends on, without importing any of it."""

from __future__ import annotations

from pydocs_builder.targets import Target

__all__ = ["Target"]
