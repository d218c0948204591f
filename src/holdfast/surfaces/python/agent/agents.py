"""Agents whose life outlives their process: open one, look at them, delete one."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.bootstrap.plugs.workers import MachineWorkers
from holdfast.domain.agents.agent import DEFAULT_LEASE
from holdfast.domain.errors import BadFieldError
from holdfast.surfaces.python.advice import with_advice_as
from holdfast.surfaces.python.agent.running_agents import RunningAgent, lifetime_of
from holdfast.surfaces.python.expecting import (
    FACTS,
    LEASE,
    TEXT,
    TRUTH,
    WHOLE,
    expect,
    expect_given,
    place_of,
)
from holdfast.usecases.agents.deleting import DeleteAgent
from holdfast.usecases.agents.opening import OpenAgent

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from holdfast.domain.agents.cycle import AgentCycle, AgentState, Resumption
    from holdfast.surfaces.python.door import Door
    from holdfast.usecases.agents.deleting import DeletedAgent


@with_advice_as("AgentCollection")
class AgentCollection:
    """The agents of a space, as ``hf.agents``.

    >>> with hf.agents.open("refactor-bot", config={"depth": 2}) as agent:
    ...     print(agent.name, agent.config)
    refactor-bot {'depth': 2}
    >>> [state.agent.name for state in hf.agents.list()]
    ['refactor-bot']
    """

    def __init__(self, door: Door) -> None:
        self._door = door

    @property
    def is_closed(self) -> bool:
        """Whether the memory was closed."""
        return self._door.is_closed

    def open(  # noqa: PLR0913 - the options of the call
        self,
        name: str,
        *,
        directives: str | None = None,
        config: Mapping[str, object] | None = None,
        lease: str | timedelta = DEFAULT_LEASE,
        take_over: bool = False,
        workspace: Path | str | None = None,
        sensitive: bool = False,
    ) -> RunningAgent:
        """Open an agent for writing, and create it if there is none of that name.

        ``directives`` and ``config`` replace what is stored if they are given. ``take_over`` opens
        an agent that another process holds; that process can no longer write for it. ``workspace``
        is the folder that the agent works in; see ``AgentWorkspace``. ``lease`` is a text such as
        ``"30m"`` or a timedelta: for so long a process that does not write holds the agent. With
        ``sensitive``, a new agent's directives, proposals and results are encrypted; it stays so.

        >>> with hf.agents.open("refactor-bot", directives="Keep the tests green.") as agent:
        ...     agent.directives
        'Keep the tests green.'
        """
        expect("open", TEXT, name=name)
        expect_given("open", TEXT, directives=directives)
        expect_given("open", FACTS, config=config)
        expect("open", LEASE, lease=lease)
        expect("open", TRUTH, take_over=take_over, sensitive=sensitive)
        place = place_of("open", workspace=workspace)
        held = lifetime_of(lease)
        if held is None:
            raise BadFieldError(field="lease", problem="must end; 'never' is for memories.")
        wish = OpenAgent(
            name=name,
            directives=directives,
            config=config,
            holder=MachineWorkers().own_name(),
            lease=held,
            take_over=take_over,
            sensitive=sensitive,
        )
        opening = self._door.app.agents.open(wish)
        return RunningAgent(self._door, opening, workspace=place)

    def list(self, *, limit: int = 20) -> tuple[AgentState, ...]:
        """Return the agents, newest first, each with its lease, cycles and namespaces.

        >>> hf.agents.open("refactor-bot").close()
        >>> [(state.agent.name, state.cycles) for state in hf.agents.list()]
        [('refactor-bot', 0)]
        """
        expect("list", WHOLE, limit=limit)
        return tuple(self._door.app.agents.list(limit=limit))

    def get(self, name: str, /) -> AgentState:
        """Return one agent by its name or id.

        >>> hf.agents.open("refactor-bot", directives="Tidy.").close()
        >>> hf.agents.get("refactor-bot").agent.directives
        'Tidy.'
        """
        expect("get", TEXT, name=name)
        return self._door.app.agents.show(name)

    def cycles(self, name: str, /, *, limit: int = 20) -> tuple[AgentCycle, ...]:
        """Return the cycles of an agent, newest first.

        >>> with hf.agents.open("refactor-bot") as agent, agent.cycle() as cycle:
        ...     _ = cycle.propose(tool="edit")
        >>> [cycle.proposal and cycle.proposal.tool for cycle in hf.agents.cycles("refactor-bot")]
        ['edit']
        """
        expect("cycles", TEXT, name=name)
        expect("cycles", WHOLE, limit=limit)
        return tuple(seen.cycle for seen in self._door.app.agents.cycles(name, limit=limit))

    def resume(self, name: str, /) -> Resumption:
        """Return where an agent stands, without opening it.

        The ``proposal`` of an unfinished cycle may be None.

        >>> hf.agents.open("refactor-bot").close()
        >>> hf.agents.resume("refactor-bot").last is None
        True
        """
        expect("resume", TEXT, name=name)
        return self._door.app.agents.resume(name)

    def export(self, name: str, /) -> Iterator[str]:
        """Return an agent with its memories and cycles as lines that ``import_`` reads.

        >>> hf.agents.open("refactor-bot").close()
        >>> len(list(hf.agents.export("refactor-bot")))
        2
        """
        expect("export", TEXT, name=name)
        return self._door.app.agents.export(name)

    def delete(self, name: str, /, *, reason: str = "", dry_run: bool = False) -> DeletedAgent:
        """Delete an agent with its cycles, notes and candidates; only a person may.

        Memories that a person accepted or rejected stay.

        >>> hf.agents.open("refactor-bot").close()
        >>> hf.agents.delete("refactor-bot").agent.name
        'refactor-bot'
        """
        expect("delete", TEXT, name=name, reason=reason)
        expect("delete", TRUTH, dry_run=dry_run)
        by = self._door.app.principal.name or "python"
        holder = MachineWorkers().own_name()
        wish = DeleteAgent(reference=name, by=by, holder=holder, reason=reason, dry_run=dry_run)
        return self._door.app.agents.delete(wish)
