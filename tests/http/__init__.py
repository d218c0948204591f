"""The HTTP door: a real server on a real socket, and a real client."""
