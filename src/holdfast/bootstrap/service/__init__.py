"""The memory service: opens the store of each call."""
