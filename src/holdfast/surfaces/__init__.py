"""How people and agents reach us."""
