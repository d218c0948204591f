"""The default store: one SQLite file, safe for many processes at once."""
