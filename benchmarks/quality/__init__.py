"""What other stores find on the benchmark sets, with the same embedder and the same questions."""
