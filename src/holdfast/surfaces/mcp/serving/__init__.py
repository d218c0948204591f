"""The answers about resources, prompts and completions, which need the memory."""
