"""Workspaces: folders whose content is kept in snapshots."""
