"""The schema of the database, its check, and the upkeep of a store."""
