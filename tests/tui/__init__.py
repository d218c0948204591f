"""The terminal UI on a real store and a real repository, without a terminal."""
