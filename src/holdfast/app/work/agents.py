"""Agents: open one, record its cycles, recall for it, and look at what it did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.part_ports import means_of, oversees
from holdfast.app.performing import REHEARSAL, Part, performs
from holdfast.domain.memory.callers import Operation
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from holdfast.domain.agents.cycle import AgentCycle, AgentState, Resumption
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.question import Question
    from holdfast.domain.recall.rendering import Recalled
    from holdfast.domain.workspaces.snapshot import CycleMoment, FolderSnapshot
    from holdfast.ports.encryption.ciphering import Cipher
    from holdfast.usecases.agents.cycling import FinishCycle, ProposeAction
    from holdfast.usecases.agents.deleting import DeleteAgent, DeletedAgent
    from holdfast.usecases.agents.looking import SeenCycle
    from holdfast.usecases.agents.noting import AgentNote
    from holdfast.usecases.agents.opening import AgentOpening, OpenAgent
    from holdfast.usecases.encryption.reading import OpenCipher
    from holdfast.usecases.workspaces.snapshot import TakenSnapshot


class AgentsPart(Part):
    """The agents of a space."""

    @performs(Operation.RECORD)
    def open(self, wish: OpenAgent) -> AgentOpening:
        """Open an agent for writing; create it if there is none of that name."""
        from holdfast.usecases.agents.opening import open_agent

        holdfast = self._holdfast
        return open_agent(
            wish,
            store=holdfast.store,
            clock=holdfast.clock,
            keys=holdfast.keys,
            lives=self._lives,
        )

    @performs(Operation.RECORD)
    def renew(self, opening: AgentOpening) -> None:
        """Hold an open agent for another length of its lease."""
        from holdfast.usecases.agents.opening import renew_agent

        renew_agent(opening, store=self._holdfast.store, clock=self._holdfast.clock)

    @performs(Operation.RECORD)
    def close(self, opening: AgentOpening) -> None:
        """Let others open the agent at once."""
        from holdfast.usecases.agents.opening import close_agent

        close_agent(opening, store=self._holdfast.store, clock=self._holdfast.clock)

    @performs(Operation.RECORD)
    def begin_cycle(self, opening: AgentOpening, *, unfinished: bool = False) -> AgentCycle:
        """Begin the next cycle, or go on with the last one that has no result."""
        from holdfast.usecases.agents.cycling import begin_cycle

        holdfast = self._holdfast
        return begin_cycle(
            opening,
            store=holdfast.store,
            clock=holdfast.clock,
            unfinished=unfinished,
            keys=holdfast.keys,
        )

    @performs(Operation.RECORD)
    def propose(self, opening: AgentOpening, index: int, wish: ProposeAction) -> AgentCycle:
        """Record what the agent is about to do."""
        from holdfast.usecases.agents.cycling import propose_action

        holdfast = self._holdfast
        return propose_action(
            opening, index, wish, store=holdfast.store, clock=holdfast.clock, keys=holdfast.keys
        )

    @performs(Operation.RECORD)
    def finish(self, opening: AgentOpening, index: int, wish: FinishCycle) -> AgentCycle:
        """Record the result of a cycle."""
        from holdfast.usecases.agents.cycling import finish_cycle

        holdfast = self._holdfast
        return finish_cycle(
            opening, index, wish, store=holdfast.store, clock=holdfast.clock, keys=holdfast.keys
        )

    @performs(Operation.RECORD)
    def track(
        self,
        opening: AgentOpening,
        index: int,
        moment: CycleMoment,
        *,
        folder: Path | None = None,
    ) -> TakenSnapshot:
        """Keep the workspace of the agent before or after the tool of a cycle runs."""
        from holdfast.app.work.workspaces import workspace_ports
        from holdfast.usecases.agents.tracking import track_cycle

        ports = workspace_ports(self._holdfast, folder)
        return track_cycle(opening, index, moment, ports=ports)

    @performs(Operation.READ)
    def last_kept(self, reference: str, *, folder: Path | None = None) -> FolderSnapshot:
        """Return the last snapshot of the last complete cycle that kept the folder."""
        from holdfast.app.work.workspaces import workspace_ports
        from holdfast.usecases.agents.tracking import last_kept

        return last_kept(reference, ports=workspace_ports(self._holdfast, folder))

    @performs(Operation.PROPOSE)
    def remember(self, opening: AgentOpening, wish: AgentNote) -> MemoryRecord:
        """Remember a claim of the agent: a note of its own, or a candidate for people."""
        from holdfast.usecases.agents.noting import NotePorts, note

        holdfast = self._holdfast
        ports = NotePorts(
            store=holdfast.store,
            clock=holdfast.clock,
            surroundings=holdfast.surroundings,
            heuristics=holdfast.heuristics,
            verifier=holdfast.verifier,
            embedder=holdfast.embedder,
            keys=holdfast.keys,
        )
        return note(opening, wish, origin=self.principal.origin, ports=ports)

    @performs(Operation.READ)
    def recall(self, reference: str, question: Question) -> Recalled:
        """Answer a question of an agent: its notes, accepted knowledge and recent results."""
        from holdfast.usecases.agents.looking import one_agent
        from holdfast.usecases.recall.recall import recall

        agent = one_agent(reference, store=self._holdfast.store).agent
        return recall(replace(question, agent=agent.id), ports=means_of(self._holdfast))

    @performs(Operation.READ)
    def list(self, *, limit: int = 20, everywhere: bool = True) -> Sequence[AgentState]:
        """List the agents, newest first; without the right to oversee, names and counts only.

        Without ``everywhere``, agents that remember things in other repositories only are left out.
        """
        from holdfast.usecases.agents.looking import agents

        holdfast = self._holdfast
        repo = None if everywhere else holdfast.surroundings.place().repo
        found = agents(limit=limit, store=holdfast.store, repo=repo)
        if oversees(holdfast):
            return found
        from holdfast.usecases.agents.privacy import public_state

        return tuple(map(public_state, found))

    @performs(Operation.OVERSEE)
    def show(self, reference: str) -> AgentState:
        """Show an agent, by its name or id."""
        from holdfast.usecases.agents.looking import one_agent

        return one_agent(reference, store=self._holdfast.store, cipher=self._reader())

    @performs(Operation.OVERSEE)
    def cycles(
        self, reference: str, *, limit: int = 20, before: int | None = None
    ) -> Sequence[SeenCycle]:
        """List the cycles of an agent, newest first."""
        from holdfast.usecases.agents.looking import cycles_of

        holdfast = self._holdfast
        return cycles_of(
            reference,
            limit=limit,
            before=before,
            store=holdfast.store,
            clock=holdfast.clock,
            cipher=self._reader(),
        )

    @performs(Operation.OVERSEE)
    def resume(self, reference: str) -> Resumption:
        """Return the last complete cycle of an agent, and what it never finished."""
        from holdfast.usecases.agents.looking import resume

        return resume(reference, store=self._holdfast.store, cipher=self._reader())

    @performs(Operation.READ)
    def resume_open(self, opening: AgentOpening) -> Resumption:
        """Return the same to the process that opened the agent."""
        from holdfast.usecases.agents.looking import resume_open

        return resume_open(opening, store=self._holdfast.store, cipher=self._cipher)

    def _reader(self) -> OpenCipher | None:
        """Return the cipher for those who may read what is sensitive; others see placeholders."""
        return self._cipher if Operation.REVEAL in self.principal.may else None

    def _cipher(self) -> Cipher:
        from holdfast.usecases.encryption.keys import required

        return required(self._holdfast.keys).cipher()

    @performs(Operation.EXPORT)
    def export(self, reference: str) -> Generator[str, None, None]:
        """Return an agent with its memories and cycles as lines that can be imported."""
        from holdfast.usecases.agents.looking import export_agent

        return export_agent(reference, store=self._holdfast.store)

    @performs(Operation.FORGET, REHEARSAL)
    def delete(self, wish: DeleteAgent) -> DeletedAgent:
        """Delete an agent with everything that only it had."""
        from holdfast.usecases.agents.deleting import delete_agent

        holdfast = self._holdfast
        return delete_agent(
            wish,
            store=holdfast.store,
            clock=holdfast.clock,
            traces_of=holdfast.traces_of,
            lives=self._lives,
        )

    def _lives(self, holder: str) -> bool:
        """Tell whether the process that holds an agent may still run."""
        attachments = self._holdfast.attachments
        return attachments is None or attachments.workers().lives(holder)
