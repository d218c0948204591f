"""Starts other programs; no other module of Holdfast does."""
