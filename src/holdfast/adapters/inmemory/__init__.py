"""The reference store: plain dicts, simple enough to trust; other stores must agree with it."""
