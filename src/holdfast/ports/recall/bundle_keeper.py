"""The port for keeping the bundles of a process that answers many questions at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.memory.anchor import Rewrite
from holdfast.domain.recall.bundle import Bundle


class BundleKeeper(Protocol):
    """Takes the bundles of answers, and stores them before the answers are given."""

    def keep(self, bundle: Bundle, rewrites: Sequence[Rewrite] = ()) -> None:
        """Take a bundle, with the rewrites that were detected for it."""
        ...
