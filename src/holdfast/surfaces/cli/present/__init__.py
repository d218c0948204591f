"""How things look on a terminal and in a pipe, one module per noun."""
