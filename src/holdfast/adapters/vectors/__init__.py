"""A fast scan over vectors in files beside the store; the files can be rebuilt from the store."""
