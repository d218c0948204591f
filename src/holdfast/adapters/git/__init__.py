"""Reads git repositories and the files of working trees."""
