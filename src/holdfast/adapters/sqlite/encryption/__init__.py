"""The encrypted contents of sensitive records."""
