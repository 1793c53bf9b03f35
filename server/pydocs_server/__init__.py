"""The server of pydocs: mounts bundles, answers from them on the command line and over MCP."""
