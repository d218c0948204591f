"""What requests and answers look like: one description, from which JSON Schemas are made."""
