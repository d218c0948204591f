"""Reads and restores folders, and stores their content by hash."""
