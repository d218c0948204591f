"""Heuristics about English: each stands behind a port and is joined in bootstrap."""
