"""The terminal UI: one application with a tab per subject. Only ``holdfast ui`` loads it."""
