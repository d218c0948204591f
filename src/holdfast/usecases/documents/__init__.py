"""Keep, find and search the records of frameworks."""
