"""Tasks in the SQLite store."""
