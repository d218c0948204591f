"""Verbs about sensitive memories and their keys."""
