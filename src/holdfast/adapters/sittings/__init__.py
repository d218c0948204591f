"""What a tool was told in a session, kept between two calls of its hooks."""
