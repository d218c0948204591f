"""The command with which git hooks, the merge driver and coding tools start Holdfast."""

from __future__ import annotations

import sys

OWN_PROGRAM = (sys.executable, "-P", "-m", "holdfast")
"""``-P`` keeps the current folder off the path: code in a repository must never run."""
