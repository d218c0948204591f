"""Code that every database adapter shares: named queries from .sql files."""
