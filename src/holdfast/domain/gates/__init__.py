"""Checks that a text must pass before any byte of it is written."""
