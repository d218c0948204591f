"""Agents that outlive their processes."""
