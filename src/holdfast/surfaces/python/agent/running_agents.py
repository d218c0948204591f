"""An open agent and its cycles: propose, record, remember, recall and resume."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.domain.agent_errors import AgentTakenOverError, CyclePassedError
from holdfast.domain.agents.agent import SHORT_TERM
from holdfast.domain.choices import Kind, choose
from holdfast.domain.errors import InvalidError, UnavailableError
from holdfast.domain.memory.lifetime import read_lifetime
from holdfast.domain.recall.question import DEFAULT_BUDGET, DEFAULT_LIMIT, Question
from holdfast.surfaces.python.advice import ClosedError, with_advice_as
from holdfast.surfaces.python.agent.agent_workspaces import AgentWorkspace
from holdfast.surfaces.python.answers import Answer
from holdfast.surfaces.python.expecting import (
    FACTS,
    LIFETIME,
    TEXT,
    TEXTS,
    TRUTH,
    WHOLE,
    expect,
    expect_given,
    expect_question,
    texts_of,
)
from holdfast.surfaces.python.memories import Memory
from holdfast.usecases.agents.cycling import FinishCycle, ProposeAction
from holdfast.usecases.agents.noting import AgentNote

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from holdfast.domain.agents.cycle import AgentCycle, Resumption
    from holdfast.surfaces.python.door import Door
    from holdfast.usecases.agents.opening import AgentOpening

_CANNOT_WRITE = (AgentTakenOverError, ClosedError, UnavailableError)


@with_advice_as("RunningCycle")
class RunningCycle:
    """One iteration of an agent: propose an action, do it, record its result.

    Every call is durable when it returns. A block that raises an ``Exception`` after a proposal
    records a failed result; a process that dies leaves the cycle interrupted.

    >>> with hf.agents.open("refactor-bot") as agent, agent.cycle() as cycle:
    ...     _ = cycle.propose(tool="edit", args={"path": "src/app.py"}, reasoning="unused import")
    ...     _ = cycle.result("removed it", output={"lines": 1}, artifacts=["report.md"])
    ...     _ = cycle.remember("The module is imported by tests only.")
    >>> cycle.index, cycle.is_complete
    (1, True)
    """

    def __init__(self, agent: RunningAgent, cycle: AgentCycle) -> None:
        self._agent = agent
        self.cycle = cycle
        """The cycle as it is stored: its index, its proposal and its result."""

    @property
    def index(self) -> int:
        """The number of the cycle; an agent's cycles count from 1 without gaps."""
        return self.cycle.index

    @property
    def is_complete(self) -> bool:
        """Whether the cycle has a result."""
        return self.cycle.is_complete

    @property
    def is_closed(self) -> bool:
        """Whether the memory was closed."""
        return self._agent.is_closed

    def propose(
        self,
        *,
        tool: str,
        args: Mapping[str, object] | None = None,
        reasoning: str = "",
        plan: Sequence[str] = (),
        cues: Sequence[str] = (),
    ) -> AgentCycle:
        """Record what the agent is about to do, before it does it; once for each cycle.

        ``cues`` names what it goes by in its workspace, such as the files that it looked at.

        >>> with hf.agents.open("refactor-bot") as agent, agent.cycle() as cycle:
        ...     cycle.propose(tool="edit", plan=["edit", "test"], cues=["app.py"]).proposal.plan
        ('edit', 'test')
        """
        expect("propose", TEXT, tool=tool, reasoning=reasoning)
        expect_given("propose", FACTS, args=args)
        expect("propose", TEXTS, plan=plan, cues=cues)
        steps = (plan,) if isinstance(plan, str) else tuple(plan)
        seen = (cues,) if isinstance(cues, str) else tuple(cues)
        wish = ProposeAction(tool=tool, args=args or {}, reasoning=reasoning, plan=steps, cues=seen)
        app, opening = self._agent.door.app, self._agent.opening
        self.cycle = app.agents.propose(opening, self.index, wish)
        return self.cycle

    def result(
        self,
        summary: str,
        *,
        output: object = None,
        error: object = None,
        artifacts: Sequence[str] = (),
    ) -> AgentCycle:
        """Record what came of the proposal; once for each cycle, and only after a proposal.

        >>> with hf.agents.open("refactor-bot") as agent, agent.cycle() as cycle:
        ...     _ = cycle.propose(tool="test")
        ...     cycle.result("one test fails", error={"exit": 1}).result.error
        {'exit': 1}
        """
        expect("result", TEXT, summary=summary)
        expect("result", TEXTS, artifacts=artifacts)
        names = (artifacts,) if isinstance(artifacts, str) else tuple(artifacts)
        wish = FinishCycle(summary=summary, output=output, error=error, artifacts=names)
        app, opening = self._agent.door.app, self._agent.opening
        self.cycle = app.agents.finish(opening, self.index, wish)
        return self.cycle

    def remember(  # noqa: PLR0913 - the options of the call
        self,
        claim: str,
        *,
        kind: str = Kind.OBSERVATION.value,
        namespace: str | Sequence[str] = SHORT_TERM,
        evidence: Sequence[str] = (),
        tags: Sequence[str] = (),
        ttl: str | timedelta | None = None,
        sensitive: bool = False,
    ) -> Memory:
        """Remember a claim of this cycle; see ``RunningAgent.remember``.

        A note with the text, kind and tags of an earlier one of this cycle is that note, so a
        cycle that is run again after a crash keeps it once.

        >>> with hf.agents.open("refactor-bot") as agent, agent.cycle() as cycle:
        ...     print(cycle.remember("The build needs network.", namespace="short-term").status)
        noted
        """
        options = {"evidence": evidence, "tags": tags, "ttl": ttl, "sensitive": sensitive}
        return self._agent.noted(
            claim, kind=kind, namespace=namespace, cycle=self.index, options=options
        )

    def __enter__(self) -> Self:
        """Return the cycle; a block that fails after a proposal records a failed result."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Record a failure of the block, unless nothing can be written for the agent any more."""
        if not isinstance(error, Exception) or isinstance(error, _CANNOT_WRITE):
            return
        if self.is_complete or self.cycle.proposal is None or self.is_closed:
            return
        name, words = type(error).__name__, str(error)
        # A cycle that another one followed takes no result; the caller sees the block's own error.
        with suppress(CyclePassedError):
            try:
                self.result(f"failed: {name}", error={"type": name, "message": words})
            except InvalidError:
                # The words cannot be stored: a tool printed them, or they quote what was refused.
                self.result(f"failed: {name}", error={"type": name})

    def __repr__(self) -> str:
        """Return the agent, the index, and whether it is complete."""
        state = "complete" if self.is_complete else "open"
        return f"<holdfast.RunningCycle {self.index} of {self._agent.name!r}, {state}>"


@with_advice_as("RunningAgent")
class RunningAgent:
    """An agent that this process has open; leaving the ``with`` block lets others open it.

    Only one process at a time may write for an agent. One that was killed holds the agent until
    its lease ends, five minutes unless given; ``take_over=True`` opens it at once.

    >>> with hf.agents.open("refactor-bot", directives="Keep the tests green.") as agent:
    ...     with agent.cycle() as cycle:
    ...         _ = cycle.propose(tool="edit")
    ...         _ = cycle.result("edited")
    >>> hf.agents.resume("refactor-bot").last.result.summary
    'edited'
    """

    def __init__(self, door: Door, opening: AgentOpening, *, workspace: Path | None = None) -> None:
        self.door = door
        """The open memory that the agent uses."""
        self.opening = opening
        """The engine's own value: the agent, and the right to write for it."""
        self.running: RunningCycle | None = None
        """The cycle that this process began last."""
        self._workspace = AgentWorkspace(self, workspace)

    @property
    def id(self) -> str:
        """The id (``a_…``)."""
        return self.opening.agent.id

    @property
    def name(self) -> str:
        """The name."""
        return self.opening.agent.name

    @property
    def directives(self) -> str:
        """What the agent is for."""
        return self.opening.agent.directives

    @property
    def config(self) -> Mapping[str, object]:
        """Its configuration overrides."""
        return self.opening.agent.config

    @property
    def is_closed(self) -> bool:
        """Whether the memory was closed."""
        return self.door.is_closed

    @property
    def workspace(self) -> AgentWorkspace:
        """The folder that the agent works in, kept before and after its tools run."""
        return self._workspace

    def cycle(self, *, unfinished: bool = False) -> RunningCycle:
        """Begin the next cycle; ``unfinished=True`` goes on with a last one that has no result.

        Such a cycle may have no proposal either; propose before you record its result.

        >>> with hf.agents.open("refactor-bot") as agent:
        ...     _ = agent.cycle().propose(tool="edit")
        ...     agent.cycle(unfinished=True).cycle.proposal.tool
        'edit'
        """
        expect("cycle", TRUTH, unfinished=unfinished)
        begun = self.door.app.agents.begin_cycle(self.opening, unfinished=unfinished)
        self.running = RunningCycle(self, begun)
        return self.running

    def resume(self) -> Resumption:
        """Return the last complete cycle, and what was begun and never finished.

        The ``proposal`` of a cycle is None if the process died before it proposed anything.

        >>> with hf.agents.open("refactor-bot") as agent:
        ...     _ = agent.cycle().propose(tool="edit")
        ...     _ = agent.cycle()
        ...     for cycle in agent.resume().unfinished:
        ...         print(cycle.index, cycle.proposal.tool if cycle.proposal else "nothing")
        1 edit
        2 nothing
        """
        return self.door.app.agents.resume_open(self.opening)

    def recall(
        self,
        question: str,
        *,
        budget: int = DEFAULT_BUDGET,
        namespace: str | Sequence[str] = (),
        limit: int = DEFAULT_LIMIT,
    ) -> Answer:
        """Return one answer of the agent's own notes, accepted knowledge and its last results.

        A note is marked as the agent's own; nobody has accepted it. ``namespace`` restricts the
        notes.

        >>> with hf.agents.open("refactor-bot") as agent:
        ...     _ = agent.remember("The build needs network.")
        ...     answer = agent.recall("what does the build need", budget=500)
        >>> print(answer[0].text, answer[0].memory.status)
        The build needs network. noted
        """
        expect_question(question)
        expect("recall", WHOLE, budget=budget, limit=limit)
        expect("recall", TEXTS, namespace=namespace)
        wanted = (namespace,) if isinstance(namespace, str) else tuple(namespace)
        asked = Question(text=question, budget=budget, limit=limit, namespaces=wanted)
        return Answer(self.door.app.agents.recall(self.id, asked))

    def remember(  # noqa: PLR0913 - the options of the call
        self,
        claim: str,
        *,
        kind: str = Kind.OBSERVATION.value,
        namespace: str | Sequence[str] = SHORT_TERM,
        evidence: Sequence[str] = (),
        tags: Sequence[str] = (),
        ttl: str | timedelta | None = None,
        sensitive: bool = False,
    ) -> Memory:
        """Remember a claim in a namespace of the agent, or in several, outside its cycles.

        What is in ``long-term`` is proposed to people and waits as a candidate. Everything else is
        the agent's own note: only its own ``recall`` gives it. A note that is only short-term is
        valid for 30 days unless ``ttl`` says otherwise.

        >>> with hf.agents.open("refactor-bot") as agent:
        ...     print(agent.remember("Tabs break the parser.", namespace="long-term").status)
        candidate
        """
        options = {"evidence": evidence, "tags": tags, "ttl": ttl, "sensitive": sensitive}
        return self.noted(claim, kind=kind, namespace=namespace, cycle=None, options=options)

    def noted(
        self,
        claim: str,
        *,
        kind: str,
        namespace: str | Sequence[str],
        cycle: int | None,
        options: Mapping[str, object],
    ) -> Memory:
        """Remember a claim; ``remember`` of the agent and of its cycles call this.

        >>> with hf.agents.open("refactor-bot") as agent:
        ...     note = agent.noted("x is 1.", kind="fact", namespace="a", cycle=None, options={})
        >>> note.text
        'x is 1.'
        """
        expect("remember", TEXT, claim=claim, kind=kind)
        evidence = texts_of("remember", evidence=options.get("evidence", ()))
        tags = texts_of("remember", tags=options.get("tags", ()))
        sensitive = options.get("sensitive", False)
        expect("remember", TRUTH, sensitive=sensitive)
        first, *others = texts_of("remember", namespace=namespace) or ("",)
        wish = AgentNote(
            claim=claim,
            kind=choose(Kind, kind, what="kind"),
            namespace=first,
            also=tuple(others),
            cycle=cycle,
            keep_for=lifetime_of(options.get("ttl")),
            places=evidence,
            tags=tags,
            sensitive=sensitive is True,
        )
        return Memory(self.door.app.agents.remember(self.opening, wish))

    def renew(self) -> None:
        """Hold the agent for another lease; every write does this by itself.

        >>> with hf.agents.open("refactor-bot") as agent:
        ...     agent.renew()
        """
        self.door.app.agents.renew(self.opening)

    def close(self) -> None:
        """Let other processes open the agent; a second call changes nothing.

        >>> agent = hf.agents.open("refactor-bot")
        >>> agent.close()
        """
        self.door.app.agents.close(self.opening)

    def __enter__(self) -> Self:
        """Return the agent; leaving the block closes it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the agent; a memory that was closed before leaves it to its lease."""
        if not self.is_closed:
            self.close()

    def __repr__(self) -> str:
        """Return the id, the name and the number of the opening."""
        return f"<holdfast.RunningAgent {self.id} {self.name!r}, opening {self.opening.epoch}>"


def lifetime_of(ttl: object) -> timedelta | None:
    """Return a lifetime that was given as text or as a duration; None if it was not given."""
    if ttl is None or isinstance(ttl, timedelta):
        return ttl
    expect("remember", LIFETIME, ttl=ttl)
    return read_lifetime(str(ttl))
