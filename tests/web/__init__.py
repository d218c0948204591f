"""The web page: its routes over a real store, and in a real browser."""
