"""Verbs about sessions, runs, hooks and coding tools."""
