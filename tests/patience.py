"""How long a test waits for a process: long enough for any machine, however busy."""

PATIENCE = 600.0
