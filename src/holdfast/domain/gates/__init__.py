"""What text must pass before the first byte of it is written."""
