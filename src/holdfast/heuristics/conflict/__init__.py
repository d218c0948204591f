"""The rules that suspect a contradiction between two claims."""
