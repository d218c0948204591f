"""Records that frameworks keep in a store."""
