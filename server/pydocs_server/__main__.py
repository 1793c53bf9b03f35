"""`python -m pydocs_server` is `pydocs-mcp`."""

from pydocs_server.cli import main_entry

main_entry()
