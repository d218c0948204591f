"""Verbs about workspaces and their snapshots."""
