"""Asks language models to propose memories."""
