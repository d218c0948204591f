"""Verbs about the store, settings, models and measurements."""
