"""Asking a server on the network."""
