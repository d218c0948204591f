"""Snapshots and restores are killed, for seconds."""

from __future__ import annotations

from tests.requirements import requirement
from tests.torture.test_short import check


@requirement("workspace.survives-kills")
@requirement("workspace.restore-is-exact")
def test_killed_snapshots_and_restores_leave_everything_whole() -> None:
    check("workspaces")
