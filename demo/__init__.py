"""The main use of Holdfast for a newcomer, run for real in a minute."""
