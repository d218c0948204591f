"""Records of frameworks in the SQLite store."""
