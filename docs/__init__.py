"""The documents, and the programs that write and check them."""
