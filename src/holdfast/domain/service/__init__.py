"""The service: access tokens, and the answers that are stored for repeated requests."""
