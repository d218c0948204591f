"""Tasks on a terminal."""
