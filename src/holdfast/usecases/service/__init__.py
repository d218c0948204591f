"""The service: tokens of callers, and requests that are carried out once."""
