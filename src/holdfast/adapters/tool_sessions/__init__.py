"""Stores what a tool was given in a session, between two calls of its hooks."""
