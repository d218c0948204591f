"""Steps of supervised runs in the SQLite store."""
