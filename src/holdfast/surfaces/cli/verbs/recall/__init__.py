"""Verbs about questions and answers."""
