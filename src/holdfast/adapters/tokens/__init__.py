"""Counts the tokens of a text."""
