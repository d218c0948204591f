"""Units of work: locking, commit, rollback and retry."""
