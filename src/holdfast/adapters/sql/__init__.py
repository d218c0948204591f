"""What every database adapter shares: SQL kept in files and asked for by name."""
