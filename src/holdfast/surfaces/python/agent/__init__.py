"""Agents in Python: open one, run its cycles, keep its folder."""
