"""Verbs about the server and its tokens."""
