"""Terminal output about the health of the store."""
