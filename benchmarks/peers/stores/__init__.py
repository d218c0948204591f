"""One module for each store; each runs in a process and an environment of its own."""
