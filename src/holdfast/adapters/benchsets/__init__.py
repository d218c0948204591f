"""Sets to measure recall with, as files, and vectors kept from one run to the next."""
