"""The interfaces that people, agents and programs use: command line, MCP, Python, hooks."""
