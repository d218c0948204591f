"""The main job for a newcomer, run for real in a minute."""
