"""The index of a checkout's code."""
