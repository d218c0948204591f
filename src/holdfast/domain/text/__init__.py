"""Fences, marks, differences: how texts are wrapped and compared."""
