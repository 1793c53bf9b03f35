"""`python -m pydocs_builder` is the command `pydocs-build`."""

from __future__ import annotations

from pydocs_builder.cli import main_entry

if __name__ == "__main__":
    main_entry()
