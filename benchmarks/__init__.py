"""Measurements: CPU time and ratios, printed with the command that reproduces them."""
