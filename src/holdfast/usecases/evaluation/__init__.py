"""Sets of questions, measures, and the comparison of two runs."""
