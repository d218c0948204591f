"""The reference store: plain dicts, simple enough to trust; every other store agrees with it."""
