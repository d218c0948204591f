"""Verbs about evidence, places in files, and git."""
