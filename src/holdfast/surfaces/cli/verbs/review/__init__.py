"""Verbs about review, conflicts, curation and undo."""
