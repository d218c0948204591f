"""Opening the store, and units of work on it."""
