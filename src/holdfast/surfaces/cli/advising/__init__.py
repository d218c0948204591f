"""The command line's advice about errors and notes."""
