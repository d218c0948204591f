"""Connections, transactions, and the translation of errors."""
