"""The Python door: holdfast.open()."""
