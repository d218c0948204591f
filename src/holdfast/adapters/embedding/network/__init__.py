"""Embedding models behind a network: services that get the texts and return vectors."""
