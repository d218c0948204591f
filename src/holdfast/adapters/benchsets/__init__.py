"""Reads evaluation sets for recall from files, and caches vectors between runs."""
