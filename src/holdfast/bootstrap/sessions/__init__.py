"""Sessions of tools: transcripts and proposers."""
