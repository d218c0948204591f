"""The world, made to fit our ports."""
