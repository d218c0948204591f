"""Terminal output about review, conflicts, curation and decisions."""
