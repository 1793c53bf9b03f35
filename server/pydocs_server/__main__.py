"""`python -m pydocs_server` is `pydocs-mcp`."""

import sys

from pydocs_server.cli import main

sys.exit(main())
