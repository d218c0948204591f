"""A fast scan over vectors: files beside the store, made from it and never needed by it."""
