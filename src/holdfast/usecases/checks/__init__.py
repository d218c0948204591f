"""Checks of rules: run them, report them, and accept their commands."""
