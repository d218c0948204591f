"""The clock, the settings and Holdfast's small files on this machine."""
