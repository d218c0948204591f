"""The service: tokens, tenants, stored answers, and the memories of MemoryService."""
