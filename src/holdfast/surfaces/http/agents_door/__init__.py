"""MCP over streamable HTTP: the tools of ``surfaces/mcp``, through the official SDK."""
