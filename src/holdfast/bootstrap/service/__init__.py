"""The service: the memories of many spaces, opened for the callers of a server."""
