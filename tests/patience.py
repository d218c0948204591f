"""How a test waits for a process: long enough for any machine, and without keeping it busy."""

from __future__ import annotations

PATIENCE = 600.0
PAUSE = 0.01
