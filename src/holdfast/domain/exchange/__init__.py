"""What goes out and comes in: exports, imports, notes of other tools."""
