"""Terminal output about memories, evidence, spans and sessions."""
