"""The service: access tokens, stored answers, and the ids and memories of MemoryService."""
