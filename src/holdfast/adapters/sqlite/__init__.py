"""The default store: one SQLite file that many processes can use concurrently."""
