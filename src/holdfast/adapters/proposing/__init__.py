"""Models that propose memories."""
