"""Other tools' transcripts, read as data."""
