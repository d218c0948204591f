"""The MCP tools: each parses its arguments, calls the application, and formats the answer."""
