"""The calls of the memory service."""
