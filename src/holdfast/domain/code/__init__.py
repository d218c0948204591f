"""The code and the commits of a repository."""
