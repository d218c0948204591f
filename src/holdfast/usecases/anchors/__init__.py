"""Places in files that evidence names, and how they are found again."""
