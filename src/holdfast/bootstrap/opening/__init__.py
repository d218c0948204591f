"""Opening a memory: the store and everything attached to it."""
