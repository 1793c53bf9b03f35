"""The server of pydocs: mounts bundles and answers from them, on the command line and through MCP."""
