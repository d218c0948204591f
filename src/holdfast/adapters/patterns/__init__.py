"""Regular expressions that take linear time."""
