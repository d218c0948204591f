"""Writes small files atomically, and locks files between processes."""
