"""Code as it stands in the checkout, and the commits behind it: found, never remembered."""
