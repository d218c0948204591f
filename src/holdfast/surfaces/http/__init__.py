"""The HTTP server: routes, tokens, limits, and the OpenAPI document."""
