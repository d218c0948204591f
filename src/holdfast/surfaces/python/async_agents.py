"""Agents for programs that use asyncio: the same calls, to be awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from holdfast.domain.agents.agent import DEFAULT_LEASE, SHORT_TERM
from holdfast.domain.choices import Kind
from holdfast.domain.recall.question import DEFAULT_BUDGET, DEFAULT_LIMIT
from holdfast.surfaces.python.advice import ClosedError
from holdfast.surfaces.python.api import open_memory

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence
    from contextlib import AbstractAsyncContextManager
    from datetime import timedelta
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from holdfast.domain.agents.cycle import AgentCycle, Resumption
    from holdfast.surfaces.python.agent.agent_workspaces import AgentWorkspace
    from holdfast.surfaces.python.agent.running_agents import RunningAgent, RunningCycle
    from holdfast.surfaces.python.answers import Answer
    from holdfast.surfaces.python.api import MemoryStore
    from holdfast.surfaces.python.memories import Memory
    from holdfast.surfaces.python.snapshots import RestoredWorkspace, WorkspaceSnapshot
    from holdfast.surfaces.python.workspaces import TrackedWorkspace

Returned = TypeVar("Returned")
_THREADS = 8


class AsyncAgents:
    """The agents of a space as coroutines; each call runs in a thread of its own pool.

    The arguments are those of ``holdfast.open``. A call that is cancelled before it began does
    nothing. One that runs already is completed as a whole, or not at all.

    >>> async def work() -> str:
    ...     async with holdfast.AsyncAgents() as agents:
    ...         agent = await agents.open("refactor-bot")
    ...         async with agent.cycle() as cycle:
    ...             await cycle.propose(tool="edit")
    ...             await cycle.result("edited")
    ...         found = await agent.resume()
    ...         await agent.close()
    ...         return found.last.result.summary
    >>> import asyncio
    >>> asyncio.run(work())
    'edited'
    """

    def __init__(
        self,
        folder: Path | str | None = None,
        *,
        home: Path | str | None = None,
        space: str | None = None,
        as_: str | None = None,
        name: str = "",
        store: str | None = None,
    ) -> None:
        self._open = partial(
            open_memory, home=home, folder=folder, space=space, as_=as_, name=name, store=store
        )
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="holdfast")
        self._memory: MemoryStore | None = None
        self._is_closed = False

    async def open(  # noqa: PLR0913 - the options of the call
        self,
        name: str,
        *,
        directives: str | None = None,
        config: Mapping[str, object] | None = None,
        lease: str | timedelta = DEFAULT_LEASE,
        take_over: bool = False,
        workspace: Path | str | None = None,
        sensitive: bool = False,
    ) -> AsyncAgent:
        """Open an agent, as ``AgentCollection.open`` does."""
        memory = await self._opened()
        agent = await self.run(
            lambda: memory.agents.open(
                name,
                directives=directives,
                config=config,
                lease=lease,
                take_over=take_over,
                workspace=workspace,
                sensitive=sensitive,
            )
        )
        return AsyncAgent(self, agent)

    async def resume(self, name: str) -> Resumption:
        """Return where an agent stands, without opening it."""
        memory = await self._opened()
        return await self.run(lambda: memory.agents.resume(name))

    async def run(self, call: Callable[[], Returned]) -> Returned:
        """Run a call in the pool; the methods here use it.

        Raises:
            ClosedError: It was closed.
        """
        if self._is_closed:
            raise ClosedError
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    async def close(self) -> None:
        """Wait for the calls that run, then close the store; twice changes nothing."""
        self._is_closed = True
        await asyncio.to_thread(self._close)

    async def __aenter__(self) -> Self:
        """Open the store; leaving the block closes it."""
        await self._opened()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the store."""
        await self.close()

    async def _opened(self) -> MemoryStore:
        if self._memory is None:
            self._memory = await self.run(self._open)
        return self._memory

    def _close(self) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)
        if self._memory is not None:
            self._memory.close()


class AsyncAgent:
    """An open agent whose calls are awaited; ``AsyncAgents.open`` returns it.

    >>> async def work() -> str:
    ...     async with holdfast.AsyncAgents() as agents:
    ...         agent = await agents.open("refactor-bot")
    ...         await agent.remember("The build needs network.")
    ...         answer = await agent.recall("what does the build need")
    ...         return answer[0].text
    >>> import asyncio
    >>> asyncio.run(work())
    'The build needs network.'
    """

    def __init__(self, agents: AsyncAgents, agent: RunningAgent) -> None:
        self._agents = agents
        self.agent = agent
        """The same agent, for calls that may block."""

    @property
    def workspace(self) -> AsyncWorkspace:
        """The folder that the agent works in."""
        return AsyncWorkspace(self._agents, self.agent.workspace)

    def cycle(self, *, unfinished: bool = False) -> AsyncCycle:
        """Return the next cycle, which ``async with`` begins; see ``RunningAgent.cycle``."""
        return AsyncCycle(self._agents, lambda: self.agent.cycle(unfinished=unfinished))

    async def recall(
        self,
        question: str,
        *,
        budget: int = DEFAULT_BUDGET,
        namespace: str | Sequence[str] = (),
        limit: int = DEFAULT_LIMIT,
    ) -> Answer:
        """Return the agent's notes, accepted knowledge and recent results as one answer."""
        return await self._agents.run(
            lambda: self.agent.recall(question, budget=budget, namespace=namespace, limit=limit)
        )

    async def remember(  # noqa: PLR0913 - the options of the call
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
        """Remember a claim in a namespace of the agent, or in several."""
        options = {"evidence": evidence, "tags": tags, "ttl": ttl, "sensitive": sensitive}
        return await self._agents.run(
            lambda: self.agent.noted(
                claim, kind=kind, namespace=namespace, cycle=None, options=options
            )
        )

    async def resume(self) -> Resumption:
        """Return the last complete cycle, and what was begun and never finished."""
        return await self._agents.run(self.agent.resume)

    async def renew(self) -> None:
        """Hold the agent for another lease."""
        await self._agents.run(self.agent.renew)

    async def close(self) -> None:
        """Let other processes open the agent."""
        await self._agents.run(self.agent.close)


class AsyncWorkspace:
    """The folder of an agent whose calls are awaited, as ``agent.workspace``.

    >>> async def work() -> dict[str, str]:
    ...     async with holdfast.AsyncAgents() as agents:
    ...         agent = await agents.open("refactor-bot")
    ...         async with agent.cycle() as cycle:
    ...             await cycle.propose(tool="edit")
    ...             async with agent.workspace.track():
    ...                 (agent.workspace.workspace.folder / "a.txt").write_text("one")
    ...             await cycle.result("edited")
    ...         (agent.workspace.workspace.folder / "a.txt").unlink()
    ...         return (await agent.workspace.restore()).steps
    >>> import asyncio
    >>> asyncio.run(work())
    {'a.txt': 'create'}
    """

    def __init__(self, agents: AsyncAgents, workspace: AgentWorkspace) -> None:
        self._agents = agents
        self.workspace = workspace
        """The same workspace, for calls that may block."""

    def track(self) -> AbstractAsyncContextManager[TrackedWorkspace]:
        """Keep the folder before and after the block; see ``AgentWorkspace.track``."""
        return self._track()

    @asynccontextmanager
    async def _track(self) -> AsyncGenerator[TrackedWorkspace, None]:
        tracked = self.workspace.track()
        await self._agents.run(tracked.__enter__)
        try:
            yield tracked
        finally:
            await self._agents.run(lambda: tracked.__exit__(None, None, None))

    async def restore(
        self, snapshot: WorkspaceSnapshot | str | None = None, *, dry_run: bool = False
    ) -> RestoredWorkspace:
        """Make the folder what it was; see ``AgentWorkspace.restore``."""
        return await self._agents.run(lambda: self.workspace.restore(snapshot, dry_run=dry_run))


class AsyncCycle:
    """A cycle whose calls are awaited."""

    def __init__(self, agents: AsyncAgents, begin: Callable[[], RunningCycle]) -> None:
        self._agents = agents
        self._begin = begin
        self._cycle: RunningCycle | None = None

    @property
    def cycle(self) -> RunningCycle:
        """The same cycle, for calls that may block.

        Raises:
            ClosedError: ``async with`` has not begun it.
        """
        if self._cycle is None:
            raise ClosedError
        return self._cycle

    @property
    def index(self) -> int:
        """The number of the cycle."""
        return self.cycle.index

    async def __aenter__(self) -> Self:
        """Begin the cycle; a block that fails after a proposal records a failed result."""
        self._cycle = await self._agents.run(self._begin)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Record a failure of the block."""
        if error is not None:
            await self._agents.run(lambda: self.cycle.__exit__(kind, error, trace))

    async def propose(
        self,
        *,
        tool: str,
        args: Mapping[str, object] | None = None,
        reasoning: str = "",
        plan: Sequence[str] = (),
        cues: Sequence[str] = (),
    ) -> AgentCycle:
        """Record what the agent is about to do."""
        return await self._agents.run(
            lambda: self.cycle.propose(
                tool=tool, args=args, reasoning=reasoning, plan=plan, cues=cues
            )
        )

    async def result(
        self,
        summary: str,
        *,
        output: object = None,
        error: object = None,
        artifacts: Sequence[str] = (),
    ) -> AgentCycle:
        """Record what came of it."""
        return await self._agents.run(
            lambda: self.cycle.result(summary, output=output, error=error, artifacts=artifacts)
        )

    async def remember(  # noqa: PLR0913 - the options of the call
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
        """Remember a claim of this cycle."""
        return await self._agents.run(
            lambda: self.cycle.remember(
                claim,
                kind=kind,
                namespace=namespace,
                evidence=evidence,
                tags=tags,
                ttl=ttl,
                sensitive=sensitive,
            )
        )
