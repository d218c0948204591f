"""Pages written from the code, one module per noun."""
