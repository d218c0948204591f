"""Answers to the hooks of git and of coding tools."""
