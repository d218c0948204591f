"""Verbs about exports and imports."""
