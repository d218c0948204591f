"""Verbs about memories and the links between them."""
