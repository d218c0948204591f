"""Verbs about supervised runs."""
