"""Encryption at rest: the cipher, and the places that keys come from."""
