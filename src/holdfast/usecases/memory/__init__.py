"""Memories, their evidence, where they hold, and the links between them."""
