"""What clients are told before any call: tools, resources and prompts, as static data."""
