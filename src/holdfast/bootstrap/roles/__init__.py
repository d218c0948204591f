"""The adapters of supervised runs: specialists in processes, commands, transcripts and git."""
