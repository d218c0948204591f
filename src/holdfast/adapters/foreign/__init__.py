"""Reads the memories and notes of other tools for an import."""
