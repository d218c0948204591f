"""Questions and their answers: search, ranking, packing into a budget."""
