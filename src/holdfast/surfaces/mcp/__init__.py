"""The Model Context Protocol, over standard input and output."""
