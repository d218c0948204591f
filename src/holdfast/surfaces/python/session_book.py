"""What sessions keep for the next one, as Python programs use it: ``hf.session_book``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Self

from holdfast.domain.gates.hidden import hidden_in
from holdfast.domain.sessions.cache import USUAL_TOKENS
from holdfast.surfaces.python.advice import with_advice_as
from holdfast.surfaces.python.expecting import TEXT, TRUTH, WHOLE, expect, texts_of

if TYPE_CHECKING:
    from holdfast.app import Holdfast
    from holdfast.surfaces.python.door import Door

    Kept = Mapping[str, object]


class KeptNumber(int):
    """The number of a turn that was kept; ``removed`` names the hidden characters it lost."""

    removed: tuple[str, ...]

    def __new__(cls, number: int, *texts: str) -> Self:
        """Make the number of a turn with these texts."""
        made = super().__new__(cls, number)
        made.removed = _hidden(*texts)
        return made


class KeptId(str):
    """The id of a note that was kept; ``removed`` names the hidden characters it lost."""

    __slots__ = ("removed",)
    removed: tuple[str, ...]

    def __new__(cls, name: str, *texts: str) -> Self:
        """Make the id of a note with these texts."""
        made = super().__new__(cls, name)
        made.removed = _hidden(*texts)
        return made


def _hidden(*texts: str) -> tuple[str, ...]:
    return tuple(one.name for one in hidden_in(*texts))


@with_advice_as("SessionBook")
class SessionBook:
    """What sessions keep: turns in short form, notes, rewinds and forks.

    Methods that change a session return it as ``holdfast session show --json`` does.

    >>> session = hf.session(tool="my-agent")
    >>> hf.session_book.did(session.id, "added a cache", commands=["make test"])
    1
    >>> hf.session_book.did(session.id, "and removed it")
    2
    >>> len(hf.session_book.rewind(session.id, to=1)["turns"])
    1
    """

    def __init__(self, door: Door) -> None:
        self._door = door

    @property
    def app(self) -> Holdfast:
        """The engine's own object; its methods may change between versions."""
        return self._door.app

    @property
    def is_closed(self) -> bool:
        """Whether the memory was closed."""
        return self._door.is_closed

    def hydrate(self, *, tokens: int = USUAL_TOKENS, branch: str = "") -> str:
        """Return what a new session in this checkout is told; empty if there is nothing to tell.

        >>> hf.session_book.hydrate(tokens=400)
        ''
        """
        from holdfast.usecases.sessions.hydrating import Hydrate

        expect("hydrate", WHOLE, tokens=tokens)
        expect("hydrate", TEXT, branch=branch)
        wish = Hydrate(tokens=tokens, branch=branch or None)
        return self.app.session_cache.hydrate(wish).text

    def did(
        self,
        session_id: str,
        summary: str,
        /,
        *,
        asked: str = "",
        commands: Iterable[str] = (),
        paths: Iterable[str] = (),
        key: str = "",
    ) -> KeptNumber:
        """Keep a turn, and return its number; one with a known key is kept once.

        The ``removed`` of the number names hidden characters that were not kept.

        >>> session = hf.session(tool="my-agent")
        >>> hf.session_book.did(session.id, "wrote the docs", key="turn 7")
        1
        >>> hf.session_book.did(session.id, "wrote the docs", key="turn 7")
        1
        """
        from holdfast.surfaces.wire.session_cache import told_turn
        from holdfast.usecases.sessions.caching import KeepTurn

        expect("did", TEXT, session_id=session_id, summary=summary, asked=asked, key=key)
        wish = KeepTurn(
            asked=asked,
            summary=summary,
            commands=texts_of("did", commands=commands),
            paths=texts_of("did", paths=paths),
            key=key,
        )
        number = self.app.session_cache.keep_turn(session_id, told_turn(wish)).number
        return KeptNumber(number, asked, summary, *wish.commands)

    def note(
        self,
        text: str = "",
        /,
        *,
        kind: str = "note",
        session: str = "",
        id: str = "",  # noqa: A002 - the word that people know
        done: bool = False,
    ) -> KeptId:
        """Keep a note, and return its id; ``id`` and ``done`` change or close a known one.

        The ``removed`` of the id names hidden characters that were not kept.

        >>> session = hf.session(tool="my-agent")
        >>> name = hf.session_book.note("rename it", kind="subtask", session=session.id)
        >>> hf.session_book.note(id=name, session=session.id, done=True) == name
        True
        """
        from holdfast.surfaces.wire.session_cache import read_keep_note

        expect("note", TEXT, text=text, kind=kind, session=session, id=id)
        expect("note", TRUTH, done=done)
        shape = {"text": text, "kind": kind, "session": session, "id": id, "done": done}
        return KeptId(self.app.session_cache.note(read_keep_note(shape, noun="note")).id, text)

    def say(
        self, session_id: str, text: str, /, *, by: str = "", name: str = "", key: str = ""
    ) -> KeptNumber:
        r"""Keep what a person or an agent said (who calls this, by default); return its number.

        It is no memory: only a question with ``include=("sessions",)`` quotes it. Text that is
        kept already is not kept again, and the number is 0. The ``removed`` of the number names
        hidden characters that were not kept.

        >>> session = hf.session(tool="my-agent")
        >>> hf.session_book.say(session.id, "The feed restarts at noon.")
        1
        >>> hf.session_book.say(session.id, "No\u200bted.", by="agent").removed
        ('ZERO WIDTH SPACE',)
        """
        from holdfast.domain.choices import choose
        from holdfast.domain.sessions.said import SaidBy
        from holdfast.usecases.sessions.saying import SayTurn

        expect("say", TEXT, session_id=session_id, text=text, by=by, name=name, key=key)
        speaker = choose(SaidBy, by, what="speaker") if by else None
        turn = SayTurn(by=speaker, text=text, name=name, key=key)
        kept = self.app.session_cache.say(session_id, [turn])
        return KeptNumber(kept[0].number if kept else 0, text, name)

    def said(self, session_id: str, /) -> Kept:
        """Return what was said in a session, as ``holdfast session said --json`` does.

        >>> session = hf.session(tool="my-agent")
        >>> _ = hf.session_book.say(session.id, "The feed restarts at noon.")
        >>> [turn["text"] for turn in hf.session_book.said(session.id)["turns"]]
        ['The feed restarts at noon.']
        """
        from holdfast.surfaces.wire.session_cache import said_turns_json

        expect("said", TEXT, session_id=session_id)
        return said_turns_json(self.app.session_cache.said(session_id))

    def unsay(self, session_id: str, /, *, turn: int = 0) -> int:
        """Remove what was said in a session, or one turn of it; return how many turns went.

        >>> session = hf.session(tool="my-agent")
        >>> _ = hf.session_book.say(session.id, "My bank is at the corner.")
        >>> hf.session_book.unsay(session.id, turn=1)
        1
        """
        expect("unsay", TEXT, session_id=session_id)
        expect("unsay", WHOLE, turn=turn)
        return len(self.app.session_cache.unsay(session_id, number=turn or None).turns)

    def show(self, session_id: str, /) -> Kept:
        """Return a session with what it keeps.

        >>> hf.session_book.show(hf.session(tool="my-agent").id)["hidden"]
        0
        """
        from holdfast.surfaces.wire.session_cache import kept_session_json

        expect("show", TEXT, session_id=session_id)
        return kept_session_json(self.app.session_cache.show(session_id))

    def resume(self, session_id: str, /) -> Kept:
        """Open an ended session again.

        >>> session = hf.session(tool="my-agent")
        >>> session.end()
        >>> hf.session_book.resume(session.id)["session"]["finished_at"] is None
        True
        """
        from holdfast.surfaces.wire.session_cache import kept_session_json

        expect("resume", TEXT, session_id=session_id)
        return kept_session_json(self.app.session_cache.resume(session_id))

    def rewind(self, session_id: str, /, *, to: int | None = None) -> Kept:
        """Hide the turns after one; without ``to``, show again what the last rewind hid.

        >>> session = hf.session(tool="my-agent")
        >>> _ = hf.session_book.did(session.id, "one")
        >>> hf.session_book.rewind(session.id, to=0)["hidden"]
        1
        >>> hf.session_book.rewind(session.id)["hidden"]
        0
        """
        from holdfast.surfaces.wire.session_cache import kept_session_json

        expect("rewind", TEXT, session_id=session_id)
        expect("rewind", WHOLE, to=0 if to is None else to)
        return kept_session_json(self.app.session_cache.rewind(session_id, to=to))

    def fork(self, session_id: str, /, *, to: int | None = None) -> Kept:
        """Start a session here with copies of another one's turns.

        >>> session = hf.session(tool="my-agent")
        >>> _ = hf.session_book.did(session.id, "one")
        >>> len(hf.session_book.fork(session.id)["turns"])
        1
        """
        from holdfast.surfaces.wire.session_cache import kept_session_json

        expect("fork", TEXT, session_id=session_id)
        expect("fork", WHOLE, to=0 if to is None else to)
        return kept_session_json(self.app.session_cache.fork(session_id, to=to))

    def reconcile(self, session_id: str = "", /, *, choice: str = "") -> Kept:
        """Say what git did to the branch since a session's last turn, and do what was chosen.

        >>> hf.session_book.reconcile()["happened"]
        'no-history'
        """
        from holdfast.surfaces.wire.session_cache import read_choice, reconciled_json

        expect("reconcile", TEXT, session_id=session_id, choice=choice)
        wanted = read_choice(choice or None)
        return reconciled_json(self.app.session_cache.reconcile(session_id or None, wanted=wanted))
