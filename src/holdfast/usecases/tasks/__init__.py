"""The verbs about tasks, one subject per module."""
