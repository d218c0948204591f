"""Ports of workspaces: the folder itself, and the content that snapshots keep."""
