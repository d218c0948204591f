"""The database file: connections, rows, and who writes when."""
