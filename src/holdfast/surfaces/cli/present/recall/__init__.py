"""Terminal output about questions and answers."""
