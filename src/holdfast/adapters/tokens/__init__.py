"""How long a text is for a model."""
