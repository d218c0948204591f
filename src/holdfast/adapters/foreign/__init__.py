"""What other memories and notes hold, read for an import."""
