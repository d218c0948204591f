"""Methods that record sessions, propose from conversations, export and import."""

from __future__ import annotations

from typing import TYPE_CHECKING
from warnings import warn

from holdfast.surfaces.python.advice import with_advice
from holdfast.surfaces.python.asking import AnswerMethods
from holdfast.surfaces.python.expecting import (
    TEXT,
    TRUTH,
    WHOLE,
    bundle_of,
    expect,
    expect_given,
    expect_lines,
    expect_question,
    expect_turns,
)
from holdfast.surfaces.python.memories import ListPart, Memory

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType
    from typing import Self, Unpack

    from holdfast.domain.sessions.session import Interaction, Session
    from holdfast.surfaces.python.agent.agents import AgentCollection
    from holdfast.surfaces.python.answers import Answer
    from holdfast.surfaces.python.asking import RecallOptions
    from holdfast.surfaces.python.session_book import SessionBook
    from holdfast.surfaces.python.tasks import TaskBoard
    from holdfast.usecases.exchange.exchange import Brought


class OpenSession:
    """A session that is being recorded; leaving the ``with`` block ends it.

    >>> _ = hf.remember("Tokens rotate hourly.", because="We decided it.")
    >>> with hf.session(tool="my-agent") as session:
    ...     answer = session.recall("how often do tokens rotate")
    ...     _ = session.turn("and keys?", notes="nothing was known")
    >>> session.is_ended
    True
    """

    def __init__(self, store: SessionMethods, session: Session) -> None:
        self._store = store
        self.session = session
        """The session as it is stored: its tool, user, repository and times."""

    @property
    def id(self) -> str:
        """The id (``i_…``)."""
        return self.session.id

    @property
    def is_ended(self) -> bool:
        """Whether the session has ended."""
        return self.session.finished_at is not None

    def turn(
        self,
        question: str,
        /,
        *,
        answer: str | Answer | None = None,
        satisfied: bool | None = None,
        notes: str = "",
    ) -> Interaction:
        """Record a turn: what was asked, which answer was given, and whether it helped.

        >>> with hf.session(tool="my-agent") as session:
        ...     session.turn("who owns billing", notes="asked the team").notes
        'asked the team'
        """
        return self._store.record_turn(
            self.id, question, answer=answer, satisfied=satisfied, notes=notes
        )

    def recall(self, question: str, **options: Unpack[RecallOptions]) -> Answer:
        """Recall, and record the question and the answer as a turn.

        >>> with hf.session(tool="my-agent") as session:
        ...     answer = session.recall("who owns billing")
        >>> len(answer)
        0
        """
        answer = self._store.recall(question, **options)
        self.turn(question, answer=answer if answer.is_kept else None)
        return answer

    def end(self) -> None:
        """End the session; ending it twice changes nothing.

        >>> session = hf.session(tool="my-agent")
        >>> session.end()
        >>> session.is_ended
        True
        """
        self.session = self._store.end_session(self.id)

    def __enter__(self) -> Self:
        """Return the session; leaving the block ends it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the session; a memory that was closed before leaves it open."""
        if not self._store.is_closed:
            self.end()

    def __repr__(self) -> str:
        """Return the id, the tool, and whether it has ended."""
        state = "ended" if self.is_ended else "open"
        return f"<holdfast.OpenSession {self.id} of {self.session.tool!r}, {state}>"


@with_advice
class SessionMethods(AnswerMethods):
    """The methods about sessions, conversations and exports."""

    @property
    def agents(self) -> AgentCollection:
        """The agents of the space: open one, record its cycles, resume it.

        >>> with hf.agents.open("refactor-bot") as agent, agent.cycle() as cycle:
        ...     cycle.index
        1
        """
        from holdfast.surfaces.python.agent.agents import AgentCollection

        return AgentCollection(self)

    def session(self, *, tool: str = "", user: str = "") -> OpenSession:
        """Start a session of a tool; use it as a context manager, which ends it.

        >>> with hf.session(tool="my-agent", user="ada") as session:
        ...     _ = session.turn("how do tokens rotate", satisfied=True)
        >>> [(one.tool, one.user) for one in hf.sessions()]
        [('my-agent', 'ada')]
        """
        expect("session", TEXT, tool=tool, user=user)
        named = tool or self.app.principal.source(None, door="python")
        begun = self.app.sessions.start(tool=named, user=user or self._person())
        return OpenSession(self, _with_plain_tool(begun))

    def sessions(self, *, limit: int = 20, cursor: str | None = None) -> ListPart[Session]:
        """Return the latest sessions, newest first.

        If there are more than ``limit``, which is at most 1,000, ``next`` of the returned value is
        the ``cursor`` with which the same call goes on.

        >>> hf.session(tool="my-agent").end()
        >>> [session.tool for session in hf.sessions(limit=5)]
        ['my-agent']
        """
        expect("sessions", WHOLE, limit=limit)
        expect_given("sessions", TEXT, cursor=cursor)
        found = self.app.sessions.latest(limit=limit, beyond=cursor)
        return ListPart(map(_with_plain_tool, found), following=found.beyond)

    def record_turn(
        self,
        session_id: str,
        question: str,
        /,
        *,
        answer: str | Answer | None = None,
        satisfied: bool | None = None,
        notes: str = "",
    ) -> Interaction:
        """Record a turn of a session by its id; ``OpenSession.turn`` calls this.

        >>> session = hf.session(tool="my-agent")
        >>> hf.record_turn(session.id, "who owns billing").query
        'who owns billing'
        """
        from holdfast.domain.ids import BundleId, SessionId
        from holdfast.domain.sessions.session import Interaction

        expect("turn", TEXT, session_id=session_id, notes=notes)
        expect_question(question, verb="turn")
        expect("turn", TRUTH, satisfied=bool(satisfied) if satisfied is None else satisfied)
        named = None if answer is None else BundleId(bundle_of("turn", answer))
        turn = Interaction(
            id=0,
            session_id=SessionId(session_id),
            at=self.app.now(),
            query=question,
            bundle_id=named,
            satisfied=satisfied,
            notes=notes,
        )
        return self.app.sessions.add_turn(session_id, turn)

    def end_session(self, session_id: str, /) -> Session:
        """End a session by its id; ``OpenSession.end`` calls this.

        >>> hf.end_session(hf.session(tool="my-agent").id).finished_at is not None
        True
        """
        expect("end_session", TEXT, session_id=session_id)
        return self.app.sessions.end(session_id)

    @property
    def session_book(self) -> SessionBook:
        """What sessions keep for the next one: turns in short form, notes, rewinds and forks.

        >>> hf.session_book.hydrate()
        ''
        """
        from holdfast.surfaces.python.session_book import SessionBook

        return SessionBook(self)

    @property
    def tasks(self) -> TaskBoard:
        """The tasks of the folder's repository: add, claim, finish and draw them.

        >>> hf.tasks.add("Rotate the keys").title
        'Rotate the keys'
        """
        from holdfast.surfaces.python.tasks import TaskBoard

        return TaskBoard(self)

    def propose(
        self,
        turns: Iterable[tuple[str, str]],
        /,
        *,
        session: str = "",
        limit: int = 5,
    ) -> Sequence[Memory]:
        """Find what a conversation decided, and keep it as candidates that wait for a person.

        A turn is a pair: who spoke (``user``, ``assistant`` or ``tool``), and what they said.
        If the proposer that is set fails, the rules propose instead, and a ``RuntimeWarning`` says
        why.

        >>> talk = [
        ...     ("user", "We decided to use PostgreSQL instead of MySQL for billing."),
        ...     ("assistant", "Understood."),
        ... ]
        >>> for memory in hf.propose(talk, session="chat-7"):
        ...     print(memory.kind, memory.status)
        decision candidate
        """
        from holdfast.domain.sessions.transcript import Transcript
        from holdfast.usecases.sessions.propose import Propose

        expect("propose", TEXT, session=session)
        expect("propose", WHOLE, limit=limit)
        source = self.app.principal.source(None, door="python")
        talk = Transcript(tool=source, session=session or "python", turns=expect_turns(turns))
        found = self.app.intake.propose(Propose(transcript=talk, limit=limit))
        for note in found.notes:
            warn(note, RuntimeWarning, stacklevel=2)
        records = [one.record for one in (*found.added, *found.strengthened)]
        return tuple(Memory(record) for record in records if record is not None)

    def export(self, *, here_only: bool = False) -> Iterator[str]:
        """Return everything as lines of JSON, or only what reaches this checkout.

        >>> _ = hf.remember("Tokens rotate.", because="We decided it.")
        >>> lines = list(hf.export())
        >>> lines[0]
        '{"type": "holdfast", "data": {"format": 2}}'
        """
        expect("export", TRUTH, here_only=here_only)
        return self.app.exchange.export(here_only=here_only)

    def import_(self, lines: Iterable[str], /) -> Brought:
        """Import the lines of an export, for example an open file; only a person may.

        A memory that is here already stays as it is, so an import can be repeated.

        >>> _ = hf.remember("Tokens rotate.", because="We decided it.")
        >>> hf.import_(hf.export()).added
        0
        """
        return self.app.exchange.bring_in(expect_lines(lines))


def _with_plain_tool(session: Session) -> Session:
    """Return a session with the name of its tool as the caller gave it."""
    from holdfast.domain.memory.callers import plain_tool
    from holdfast.domain.values import replace

    return replace(session, tool=plain_tool(session.tool))
