"""Holdfast on Postgres beside other designs on the same server."""
