"""Reading one file of code."""
