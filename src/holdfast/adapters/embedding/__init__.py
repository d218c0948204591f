"""Embedding models: downloaded once, converted to small graphs, and run on this machine's CPU."""
