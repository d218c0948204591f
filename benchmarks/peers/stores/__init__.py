"""One module for each store; each runs in its own process and environment."""
