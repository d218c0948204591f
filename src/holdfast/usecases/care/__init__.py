"""The care of a store: bulk work as jobs, whose parts many workers share."""
