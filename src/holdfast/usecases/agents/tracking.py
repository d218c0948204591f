"""Keep the workspace of an agent before and after a tool runs, and find what to restore."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.agent_errors import CycleFinishedError, CyclePassedError
from holdfast.domain.workspace_errors import NothingKeptError
from holdfast.domain.workspaces.snapshot import CycleMoment, SnapshotCycle
from holdfast.usecases.agents.opening import agent_of, hold
from holdfast.usecases.workspaces.ports import every_snapshot
from holdfast.usecases.workspaces.snapshot import TakeSnapshot, take_snapshot

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.ids import AgentId
    from holdfast.domain.workspaces.snapshot import FolderSnapshot
    from holdfast.ports.store.store import Transaction
    from holdfast.ports.workspaces.folders import WorkspaceFolder
    from holdfast.usecases.agents.opening import AgentOpening
    from holdfast.usecases.workspaces.ports import WorkspacePorts
    from holdfast.usecases.workspaces.snapshot import TakenSnapshot


def track_cycle(
    opening: AgentOpening, index: int, moment: CycleMoment, *, ports: WorkspacePorts
) -> TakenSnapshot:
    """Keep the folder for a cycle of the agent that has no result yet.

    Raises:
        AgentTakenOverError: Another process has opened the agent since.
        CycleFinishedError: The cycle has a result.
        CyclePassedError: A later cycle has begun.
    """

    def allow(tx: Transaction, now: datetime) -> None:
        hold(opening, now, tx=tx)
        cycles = tx.diary.agents.cycles
        if cycles.get(opening.agent.id, index).is_complete:
            raise CycleFinishedError(index)
        if (last := cycles.last_index(opening.agent.id)) > index:
            raise CyclePassedError(index, last=last)

    of = SnapshotCycle(opening.agent.id, index, moment)
    wish = TakeSnapshot(agent=opening.agent.name, cycle=of)
    return take_snapshot(wish, ports=ports, allow=allow)


def last_kept(reference: str, *, ports: WorkspacePorts) -> FolderSnapshot:
    """Return the last snapshot of the last complete cycle that kept the folder.

    Raises:
        NoSuchError: There is no such agent.
        NothingKeptError: None of its complete cycles kept the folder.
    """
    with ports.store.reading() as tx:
        agent = agent_of(reference, tx=tx)
        kept = _last_of_cycles(agent.id, ports.folder, tx=tx)
        for index in sorted(kept, reverse=True):
            if tx.diary.agents.cycles.get(agent.id, index).is_complete:
                return kept[index]
    raise NothingKeptError(agent.name)


def _last_of_cycles(
    agent_id: AgentId, folder: WorkspaceFolder, *, tx: Transaction
) -> dict[int, FolderSnapshot]:
    """Return the last snapshot of each cycle; the index decides, because clocks are set back."""
    found: dict[int, FolderSnapshot] = {}
    here = tx.diary.workspaces.at(folder.host, folder.root)
    for one in () if here is None else every_snapshot(tx, workspace=here.id):
        if one.cycle is None or one.cycle.agent != agent_id:
            continue
        known = found.setdefault(one.cycle.index, one)
        if _order(one) > _order(known):
            found[one.cycle.index] = one
    return found


def _order(snapshot: FolderSnapshot) -> tuple[bool, datetime]:
    """Return the order inside a cycle: what a tool left is last, whatever the clock says."""
    is_after = snapshot.cycle is not None and snapshot.cycle.moment is CycleMoment.AFTER
    return is_after, snapshot.taken_at
