"""The service: tokens, stored answers, and the memories of MemoryService."""
