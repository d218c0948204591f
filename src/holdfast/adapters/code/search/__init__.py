"""Answering questions from the index."""
