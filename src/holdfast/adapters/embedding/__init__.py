"""Embedding models: fetched once, built into small graphs, and run on this machine's CPU."""
