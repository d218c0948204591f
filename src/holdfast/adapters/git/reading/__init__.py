"""Asking git, and reading what it keeps."""
