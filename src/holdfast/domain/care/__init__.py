"""Values about the care of a store: the size of a database, its tenants, and bulk work."""
