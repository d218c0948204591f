"""One module per verb, or per small family of verbs; only the chosen one is loaded."""
