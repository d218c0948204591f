"""The Markdown pages of a repository."""
