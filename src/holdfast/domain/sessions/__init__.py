"""Sessions of tools: hooks, runs, transcripts, proposals."""
