"""The service: opens the stores of many spaces for callers of a server and of MemoryService."""
