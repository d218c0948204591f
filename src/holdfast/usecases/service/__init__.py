"""The service: tokens, requests that are carried out once, and the calls of MemoryService."""
