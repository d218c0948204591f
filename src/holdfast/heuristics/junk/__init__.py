"""The rules that find claims which are not worth keeping."""
