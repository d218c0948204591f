"""How long a test waits for a process: long enough for any machine, however busy."""

from __future__ import annotations

PATIENCE = 600.0
