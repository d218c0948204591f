"""Verbs about the Markdown pages of a repository."""
