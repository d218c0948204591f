"""Ports for encryption at rest."""
