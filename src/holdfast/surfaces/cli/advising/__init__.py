"""What to do about errors and notes, in commands."""
