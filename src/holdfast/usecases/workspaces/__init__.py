"""Snapshots of folders: take, list, compare, restore and remove them."""
