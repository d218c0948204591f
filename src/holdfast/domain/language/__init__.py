"""Rules about words: conflicts, proposals, and claims that nobody wants back."""
