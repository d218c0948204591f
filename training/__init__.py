"""The recipe of the embedding model kelp: its data, its training, and the check of overlap."""

from __future__ import annotations
