"""Parts that all doors share: requests and answers as JSON, and how errors look."""
