"""Where the truth is kept: the store, its transactions and its upkeep."""
