"""Search by words and by meaning in the server."""
