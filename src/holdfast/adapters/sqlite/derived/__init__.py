"""What is made from the memories: the schema, indexes and vectors, made anew where needed."""
