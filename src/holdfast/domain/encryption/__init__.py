"""What is encrypted at rest, and the keys of it."""
