"""Verbs about tasks."""
