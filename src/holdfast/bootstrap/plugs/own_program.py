"""How other programs start ours: git's hooks, its merge driver, and coding tools."""

from __future__ import annotations

import sys

OWN_PROGRAM = (sys.executable, "-P", "-m", "holdfast")
"""Never from the folder it is started in: whatever lies in a repository must not be run by this."""
