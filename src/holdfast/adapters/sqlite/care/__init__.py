"""The health of the store."""
