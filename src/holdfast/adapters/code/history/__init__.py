"""The commits of a repository, found by what they say and touch."""
