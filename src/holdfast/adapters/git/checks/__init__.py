"""The files that checks read, from disk or from the index of git."""
