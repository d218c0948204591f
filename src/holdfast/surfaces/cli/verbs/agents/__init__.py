"""The verbs about agents."""
