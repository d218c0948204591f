"""Pruning is killed, for seconds."""

from __future__ import annotations

from tests.requirements import requirement
from tests.torture.test_short import check


@requirement("prune.killed-run-goes-on")
@requirement("prune.nothing-stays")
@requirement("prune.protected-never-goes")
def test_a_killed_pruning_removes_no_protected_memory_and_leaves_no_text() -> None:
    check("prune")
