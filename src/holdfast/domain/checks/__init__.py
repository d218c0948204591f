"""Checks of rules: what a check says, which files it reads, and what came out."""
