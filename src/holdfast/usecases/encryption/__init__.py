"""Encrypt and decrypt what is sensitive, and look after the keys."""
