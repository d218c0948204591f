"""The ports that supervised runs share, and who asked for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.roles.checkout import BranchChoice
from holdfast.domain.roles.precedence import PRECEDENCE
from holdfast.domain.values import dataclass, field
from holdfast.usecases.pages.runs import RunPorts
from holdfast.usecases.tasks.ports import TaskActor, TaskPorts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from holdfast.domain.roles.precedence import Topic
    from holdfast.domain.roles.step import RunStep
    from holdfast.ports.anchors.surroundings import CommitReader, Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.pages.files import Documents
    from holdfast.ports.roles.specialists import (
        BranchWatch,
        CommitMessages,
        NamedCommands,
        Specialists,
        TranscriptShelf,
        Workers,
    )
    from holdfast.ports.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleCaller:
    """Who supervises: their name, and what they may let the specialists do.

    ``decides`` allows fixes of findings and of tasks, which can be undone; ``runs`` allows named
    commands. Only a person may have either. ``origin`` is the origin of everything that is
    proposed, and ``most_waiting`` the limit of waiting candidates.
    """

    name: str
    decides: bool = False
    runs: bool = False
    origin: Origin = Origin.TOOL
    most_waiting: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleSources:
    """What the specialists are given to read, and the commands that may run.

    ``index`` reads new commits into the index that recall searches, within some seconds, and
    returns a note.
    """

    commits: CommitMessages
    shelf: TranscriptShelf
    commands: NamedCommands
    documents: Documents | None = None
    index: Callable[[float], str] = lambda _: ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleSettings:
    """What a person set for all runs: seconds, a changed checkout, and who decides."""

    seconds: float = 60.0
    branch: BranchChoice = BranchChoice.STOP
    precedence: Mapping[Topic, tuple[str, ...]] = field(default_factory=lambda: PRECEDENCE)


@dataclass(frozen=True, slots=True, kw_only=True)
class RolePorts:
    """The ports of supervised runs."""

    store: Store
    clock: Clock
    surroundings: Surroundings
    verifier: Verifier | None
    heuristics: Heuristics
    commit_reader: CommitReader
    specialists: Specialists
    watch: BranchWatch
    workers: Workers
    sources: RoleSources
    caller: RoleCaller
    settings: RoleSettings
    tell: Callable[[RunStep], None] = lambda _: None

    @property
    def runs(self) -> RunPorts:
        """The ports of runs."""
        return RunPorts(
            store=self.store,
            clock=self.clock,
            surroundings=self.surroundings,
            commit_reader=self.commit_reader,
        )

    def tasks(self, name: str, *, decides: bool = False) -> TaskPorts:
        """Return the ports of tasks for a role; it decides only in place of a person."""
        return TaskPorts(
            store=self.store,
            clock=self.clock,
            surroundings=self.surroundings,
            verifier=self.verifier,
            actor=TaskActor(name=name, decides=decides),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperviseOptions:
    """How a run is supervised: its seconds, the commands to run, and what may be applied.

    ``may_run`` is set if the person who started the run confirmed its commands.

    ``ask`` is asked what to do about a stale or changed checkout. What is None follows the
    settings.
    """

    seconds: float | None = None
    run: tuple[str, ...] = ()
    may_run: bool = False
    applies: bool = False
    dry_run: bool = False
    ask: Callable[[str], BranchChoice] | None = None
