"""What became of commits and branches."""
