"""What people decide about memories: review, conflicts, curation, undo."""
