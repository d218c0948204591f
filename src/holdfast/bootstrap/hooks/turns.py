"""Keeps the turns of coding tools, and tells a new session of them; parts are opened on demand."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.adapters.tool_sessions.pending import PendingTurnFiles
from holdfast.bootstrap.hooks.turn_wishes import session_id_of, session_named, wish_of
from holdfast.bootstrap.plugs.addresses import state_folder_name
from holdfast.usecases.sessions.hook_ports import TurnPorts

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from holdfast.app import Holdfast
    from holdfast.bootstrap.hooks.opened import OpenedParts
    from holdfast.domain.sessions.hook_calls import ToolSession
    from holdfast.domain.sessions.pending import PendingTurn
    from holdfast.ports.store.store import Store
    from holdfast.usecases.sessions.session_ports import SessionPorts

_LARGEST_TRANSCRIPT = 8 << 20
_MOST_LEFT = 4
_ASK, _ON = "ask", "on"


def turn_ports(opened: OpenedParts, home: str) -> TurnPorts:
    """Return the ports that keep turns for the tool of a hook call."""
    pending = PendingTurnFiles(state_folder_name(home))
    return TurnPorts(
        pending=pending,
        where=lambda: _where(opened.folder),
        settle=lambda: _settle(opened, pending, home),
        hydrate=lambda tokens, characters: _hydrate(opened, tokens, characters),
    )


def _where(folder: str) -> tuple[str, str]:
    from holdfast.adapters.git.reading.light import find_checkout, head_of

    found = find_checkout(folder)
    return ("", "") if found is None else (found[1], head_of(*found))


def _hydrate(opened: OpenedParts, tokens: int, characters: int) -> str:
    from holdfast.usecases.sessions.hydrating import Hydrate, hydrate

    ports = _ports(opened, opened.recall_ports().store)
    return hydrate(Hydrate(tokens=tokens, characters=characters), ports=ports).text


def _ports(opened: OpenedParts, store: Store) -> SessionPorts:
    from holdfast.usecases.sessions.session_ports import SessionPorts

    means = opened.recall_ports()
    return SessionPorts(
        store=store,
        clock=means.clock,
        surroundings=means.surroundings,
        verifier=means.verifier,
        counter=means.counter,
    )


def _settle(opened: OpenedParts, pending: PendingTurnFiles, home: str) -> None:
    """Store what sessions left in this folder; if the store is busy, it waits for the next call.

    A turn that cannot be stored is left out by itself, with a line in the log.
    """
    from holdfast.adapters.tool_sessions.notes import root_of
    from holdfast.domain.errors import HoldfastError
    from holdfast.usecases.sessions.caching import keep_turn_of

    left = pending.left_in(root_of(opened.folder), limit=_MOST_LEFT)
    keeps_words = opened.setting("session.said") == _ON
    wanted = opened.setting("session.reconcile")
    if not left and wanted == _ASK:
        return
    ports = _ports(opened, opened.keeper())
    here = ports.surroundings.branch_point()
    last = {turn.session: turn for turn in reversed(left)}
    try:
        for turn in reversed(left):
            with _logged(turn, home):
                reply = _last_words(turn) if turn is last[turn.session] else ""
                wish = wish_of(turn, here, reply, is_settled=True, keeps_words=keeps_words)
                keep_turn_of(session_named(turn), wish, tool=turn.tool, ports=ports)
        if wanted != _ASK:
            _reconcile(wanted, ports)
    except HoldfastError:
        return  # the session is told what is known


def _reconcile(wanted: str, ports: SessionPorts) -> None:
    """Do what a person set about work that is not part of the checkout: nobody can be asked now."""
    from holdfast.domain.sessions.reconciling import ReconcileChoice
    from holdfast.usecases.sessions.rewinding import reconcile_session

    asked = reconcile_session(None, wanted=ReconcileChoice.ASK, ports=ports)
    choice = ReconcileChoice(wanted)
    if asked.found.is_stale and choice in asked.found.choices:
        reconcile_session(None, wanted=choice, ports=ports)


def keep_pending(session: str, *, memory: Holdfast, home: Path | None) -> int:
    """Store the turns of a tool's session, and remove them here; return how many were stored.

    If a person set it, what was said is stored in whole too. If a turn cannot be stored, the others
    are, and all of them stay here until they are too old.

    Raises:
        HoldfastError: They cannot be stored now; they stay here.
    """
    from holdfast.bootstrap.opening.own_settings import settings

    pending = PendingTurnFiles(state_folder_name("" if home is None else str(home)))
    turns = pending.of(session)
    here = memory.surroundings.branch_point()
    keeps_words = settings(home).value("session.said")[0] == _ON
    stored: list[PendingTurn] = []
    for turn in turns:
        is_settled = turn is not turns[-1]
        with _logged(turn, "" if home is None else str(home)):
            reply = "" if is_settled else _last_words(turn)
            if reply and not _is_newest(turn, pending):
                reply = ""  # a turn that began meanwhile may have said it
            wish = wish_of(turn, here, reply, is_settled=is_settled, keeps_words=keeps_words)
            memory.session_cache.keep_turn_of(session_named(turn), wish, tool=turn.tool)
            stored.append(turn)
    pending.clear(session, stored=stored)
    return len(stored)


def _is_newest(turn: PendingTurn, pending: PendingTurnFiles) -> bool:
    return all(one.key == turn.key for one in pending.of(turn.session)[-1:])


def end_kept(session: str, last_prompt: int, *, memory: Holdfast, home: Path | None) -> None:
    """Mark a tool's session as ended, if turns of it were kept; another turn continues it.

    This runs some time after the tool ended it, so the tool may have gone on with it meanwhile.
    """
    from contextlib import suppress

    from holdfast.adapters.tool_sessions.notes import ToolSessionFiles
    from holdfast.domain.errors import NotFoundError
    from holdfast.usecases.sessions.sessions import end_session

    files = ToolSessionFiles(state_folder_name("" if home is None else str(home)))

    def known() -> ToolSession:
        return files.change(session, lambda note: note)

    def is_over() -> bool:
        return known().prompts <= last_prompt

    note = known()
    name = session_id_of(note.tool, session, note.began)
    with suppress(NotFoundError):
        end_session(name, store=memory.store, clock=memory.clock, is_over=is_over)


@contextmanager
def _logged(turn: PendingTurn, home: str) -> Generator[None, None, None]:
    """Store one turn; if it can never be stored, write a line to the log and go on.

    Raises:
        UnavailableError: The store cannot be used now, so no other turn can be stored either.
    """
    from holdfast.adapters.tool_sessions.trouble_log import note_trouble
    from holdfast.domain.errors import HoldfastError, UnavailableError

    try:
        yield
    except UnavailableError:
        raise
    except (HoldfastError, ValueError, OverflowError) as error:
        # The message of another error may quote a prompt.
        why = str(error) if isinstance(error, HoldfastError) else type(error).__name__
        what = f"a turn could not be stored: {why}"
        note_trouble(state_folder_name(home), who=f"{turn.tool} {turn.session}", what=what)


def _last_words(turn: PendingTurn) -> str:
    """Return the last words of the assistant; empty if the transcript cannot tell them."""
    from pathlib import Path

    from holdfast.bootstrap.sessions.transcripts import read_transcript
    from holdfast.domain.errors import HoldfastError
    from holdfast.domain.sessions.transcript import Speaker, own_words

    try:
        file = Path(turn.transcript)
        if not turn.transcript or file.stat().st_size > _LARGEST_TRANSCRIPT:
            return ""
        turns = own_words(read_transcript(turn.tool, file)).turns
    except (OSError, ValueError, HoldfastError):
        return ""
    said = [one.text for one in turns if one.speaker is Speaker.ASSISTANT and one.text.strip()]
    return said[-1] if said else ""
