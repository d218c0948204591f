"""Searches the code of the checkout and its commits; the results are not kept as memories."""
