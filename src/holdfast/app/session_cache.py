"""What sessions keep for the next one: turns in short form, notes, rewinds, forks."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.app.part_ports import refuse_others
from holdfast.app.performing import Part, performs, when
from holdfast.domain.errors import UnavailableError
from holdfast.domain.memory.callers import Operation
from holdfast.domain.refusals import PageUnwritableError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.app import Holdfast
    from holdfast.domain.ids import SessionId
    from holdfast.domain.sessions.cache import CachedTurn, CacheNote
    from holdfast.domain.sessions.reconciling import ReconcileChoice
    from holdfast.domain.sessions.said import SaidTurn
    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.usecases.pages.session_texts import FilePorts
    from holdfast.usecases.sessions.caching import KeepNote, KeepTurn
    from holdfast.usecases.sessions.hydrating import Hydrate, Hydrated
    from holdfast.usecases.sessions.rewinding import KeptSession, Reconciled
    from holdfast.usecases.sessions.saying import SaidTalk, SayTurn
    from holdfast.usecases.sessions.session_ports import SessionPorts
    from holdfast.usecases.sessions.unsaying import UnsaidTurns


def _only_asks(
    _reference: str | None = None, *, wanted: ReconcileChoice | None = None, dry_run: bool = False
) -> bool:
    return dry_run or wanted == "ask"


class CachePart(Part):
    """What the sessions of a space keep; a change is stored first, and then written to its file."""

    @performs(Operation.READ)
    def hydrate(self, wish: Hydrate) -> Hydrated:
        """Tell where the work in this checkout stands."""
        from holdfast.usecases.sessions.hydrating import hydrate

        return hydrate(wish, ports=session_ports_of(self._holdfast))

    @performs(Operation.READ)
    def show(self, reference: str) -> KeptSession:
        """Show a session with what it keeps."""
        from holdfast.usecases.sessions.rewinding import show_session

        return show_session(reference, ports=session_ports_of(self._holdfast))

    @performs(Operation.RECORD)
    def keep_turn(self, reference: str, wish: KeepTurn) -> CachedTurn:
        """Keep a turn of a session in short form."""
        from holdfast.usecases.sessions.caching import keep_turn

        turn = keep_turn(reference, wish, ports=session_ports_of(self._holdfast))
        write_kept(self._holdfast, turn.session_id)
        return turn

    @performs(Operation.RECORD)
    def keep_turn_of(self, name: SessionId, wish: KeepTurn, *, tool: str) -> CachedTurn:
        """Keep a turn that the hooks of a tool saw; its session may be new."""
        from holdfast.domain.choices import Origin
        from holdfast.domain.values import replace
        from holdfast.usecases.sessions.caching import keep_turn_of

        ports = replace(_saying_ports(self._holdfast), origin=Origin.TOOL, by=tool)
        turn = keep_turn_of(name, wish, tool=tool, ports=ports)
        write_kept(self._holdfast, turn.session_id)
        return turn

    @performs(Operation.RECORD)
    def say(self, reference: str, turns: Sequence[SayTurn]) -> tuple[SaidTurn, ...]:
        """Keep what was said in a session."""
        from holdfast.usecases.sessions.saying import say

        return say(reference, turns, ports=_saying_ports(self._holdfast))

    @performs(Operation.RECORD)
    def say_talk(self, talk: Transcript, *, replaces: bool = False) -> SaidTalk:
        """Keep what was said in a conversation; its session may be new."""
        from holdfast.usecases.sessions.saying import say_talk

        return say_talk(talk, replaces=replaces, ports=_saying_ports(self._holdfast))

    @performs(Operation.READ)
    def said(self, reference: str) -> tuple[SaidTurn, ...]:
        """Return what was said in a session, as far as it is kept."""
        from holdfast.usecases.sessions.saying import said_in

        return said_in(reference, ports=session_ports_of(self._holdfast))

    @performs(Operation.FORGET)
    def unsay(self, reference: str, *, number: int | None = None) -> UnsaidTurns:
        """Remove what was said in a session, or one turn of it."""
        from holdfast.usecases.sessions.unsaying import unsay

        return unsay(reference, number=number, ports=session_ports_of(self._holdfast))

    @performs(Operation.RECORD)
    def note(self, wish: KeepNote) -> CacheNote:
        """Keep a note of the repository or of a session; no name means the current session."""
        from holdfast.usecases.sessions.caching import keep_note, meant_session

        ports = session_ports_of(self._holdfast)
        meant = meant_session(wish, ports=ports)
        note = keep_note(meant, ports=ports)
        write_kept(self._holdfast, meant.session or None)
        return note

    @performs(Operation.RECORD)
    def rewind(self, reference: str, *, to: int | None = None) -> KeptSession:
        """Hide the turns after one, or undo the last rewind; a program does so in its own only.

        Raises:
            MayNotError: Somebody else started the session.
        """
        from holdfast.usecases.sessions.rewinding import rewind_session

        refuse_others(self._holdfast, reference)
        return self._written(
            rewind_session(reference, to=to, ports=session_ports_of(self._holdfast))
        )

    @performs(Operation.RECORD)
    def fork(self, reference: str, *, to: int | None = None) -> KeptSession:
        """Start a session here with copies of another one's turns."""
        from holdfast.usecases.sessions.rewinding import fork_session

        return self._written(fork_session(reference, to=to, ports=session_ports_of(self._holdfast)))

    @performs(Operation.RECORD)
    def resume(self, reference: str) -> KeptSession:
        """Open a session again."""
        from holdfast.usecases.sessions.rewinding import resume_session

        return self._written(resume_session(reference, ports=session_ports_of(self._holdfast)))

    @performs(Operation.RECORD, when(_only_asks, Operation.READ, "only asks"))
    def reconcile(
        self,
        reference: str | None = None,
        *,
        wanted: ReconcileChoice | None = None,
        dry_run: bool = False,
    ) -> Reconciled:
        """Compare a session with the checkout, and do what was chosen about it.

        What needs no decision is done for every caller; a program chooses only for its own.

        Raises:
            MayNotError: A program chose for a session that somebody else started.
        """
        from holdfast.domain.sessions.reconciling import ReconcileChoice
        from holdfast.usecases.sessions.rewinding import reconcile_session

        choice, ports = ReconcileChoice.ASK if dry_run else wanted, session_ports_of(self._holdfast)
        if choice not in {None, ReconcileChoice.ASK}:
            meant = reconcile_session(reference, wanted=ReconcileChoice.ASK, ports=ports).session
            if meant is not None:
                refuse_others(self._holdfast, meant, act="decides about it")
        done = reconcile_session(reference, wanted=choice, ports=ports)
        if done.session is not None and choice is not ReconcileChoice.ASK:
            write_kept(self._holdfast, done.session)
        return done

    def _written(self, kept: KeptSession) -> KeptSession:
        write_kept(self._holdfast, kept.session.id)
        return kept


def write_kept(holdfast: Holdfast, session: str | None) -> None:
    """Write the file of a session, or of the repository; the store already has everything.

    A file that cannot be written now is written by the next sync.
    """
    from holdfast.domain.ids import SessionId
    from holdfast.usecases.pages.session_files import write_project_file, write_session_file

    ports = file_ports_of(holdfast)
    if ports is not None:
        with suppress(PageUnwritableError, UnavailableError):
            if session is None:
                write_project_file(ports=ports)
            else:
                write_session_file(SessionId(session), ports=ports)


def file_ports_of(holdfast: Holdfast) -> FilePorts | None:
    """Return the ports of the files; None if the repository has no pages."""
    from holdfast.usecases.pages.session_texts import FilePorts

    attachments = holdfast.attachments
    if attachments is None or not attachments.keeps_pages():
        return None
    pages = holdfast.pages
    if pages.session_files is None or not pages.has_pages():
        return None
    return FilePorts(
        store=holdfast.store,
        clock=holdfast.clock,
        surroundings=holdfast.surroundings,
        files=pages.session_files,
        clone=pages.session_clone,
    )


def session_ports_of(holdfast: Holdfast) -> SessionPorts:
    """Return the ports of the verbs about sessions."""
    from holdfast.usecases.sessions.session_ports import SessionPorts

    principal = holdfast.principal
    return SessionPorts(
        store=holdfast.store,
        clock=holdfast.clock,
        surroundings=holdfast.surroundings,
        verifier=holdfast.verifier,
        counter=holdfast.counter,
        by=principal.name,
        origin=principal.origin,
        started_with=principal.session_tool,
    )


def _saying_ports(holdfast: Holdfast) -> SessionPorts:
    """Return the ports of the verbs that keep what was said, with the time that it is kept for."""
    from holdfast.domain.values import replace

    policy = holdfast.prune_policy()
    ports = session_ports_of(holdfast)
    return replace(ports, said_for=policy.said_for, keeps_said=policy.keeps_said)
