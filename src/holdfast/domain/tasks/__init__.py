"""Tasks: what is to be done, in which order, and who is doing it."""
