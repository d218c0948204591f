"""The pages of a working tree as git has them."""
