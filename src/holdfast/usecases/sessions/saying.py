"""Keep what was said in a session, to be quoted later, and show it.

Every text is screened: injected text, secrets and hidden characters are removed,
and long texts are cut. Texts that are kept for longer than the policy allows are removed.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.errors import BadFieldError
from holdfast.domain.ids import SessionId, sortable
from holdfast.domain.review_errors import SaidIsOffError
from holdfast.domain.sessions.said import (
    LONGEST_SAID,
    LONGEST_SPEAKER,
    SaidBy,
    SaidTurn,
)
from holdfast.domain.sessions.session import Session
from holdfast.domain.sessions.transcript import Speaker
from holdfast.domain.text.fencing import without_injected
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.forgotten_texts import GONE
from holdfast.usecases.naming import session_id
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import SecretPolicy, screened
from holdfast.usecases.sessions.unsaying import remove_old_said, said_before

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.sessions.transcript import Transcript, Turn
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.sessions.session_ports import SessionPorts

_READ_AT_MOST = 256 * 1024
_LONGEST_NAME = 200
_TELLING = 40
"""From this length on, the same words of the same speaker are the same turn."""
_CHANCES = 1 << 80
_RANDOM_LETTERS = 16
_PAGE = 200
_KEY_LETTERS = 6
_NOT_A_PERSON = (
    "cannot be person: an agent keeps only what agents said. The hooks of the coding tool keep what"
    " the person said."
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SPEAKERS = {Speaker.USER: SaidBy.PERSON, Speaker.ASSISTANT: SaidBy.AGENT}


@dataclass(frozen=True, slots=True, kw_only=True)
class SayTurn:
    """What was said: by whom, when, and in which words. A turn with a known key is kept once.

    ``by`` is who said it; None means who keeps it. ``name`` is the speaker's name, if there are
    several people. ``is_explicit`` means that somebody asks for it, and no hook or import does.
    """

    text: str
    by: SaidBy | None = None
    name: str = ""
    at: datetime | None = None
    key: str = ""
    is_explicit: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidTalk:
    """What was kept of a conversation: its session, the new turns, and how many were known."""

    session: SessionId
    kept: tuple[SaidTurn, ...]
    known: int = 0
    changed: int = 0
    """How many known turns got the text that the conversation has now."""


def clean_words(text: str) -> str:
    """Return what was said as it may be stored; its lines stay as they are."""
    whole = text[:_READ_AT_MOST].replace("\0", "").encode("utf-8", "replace").decode()
    plain = screened(
        without_injected(whole), what="turn", secrets=SecretPolicy.REDACT, cap=8 * _READ_AT_MOST
    ).strip()
    return plain if len(plain) <= LONGEST_SAID else f"{plain[: LONGEST_SAID - 1].rstrip()}…"


def say_in(
    session: Session,
    turns: Iterable[SayTurn],
    *,
    tx: Transaction,
    ports: SessionPorts,
    at: datetime,
    where: tuple[str | None, BranchPoint | None] | None = None,
) -> tuple[SaidTurn, ...]:
    """Keep what was said, in a unit of work that has begun; return what is new.

    Words that a person removed stay away, unless somebody says them again.
    """
    earlier = said_before(session.id, tx=tx)
    keys, number = earlier.keys, earlier.last
    words = {(turn.by, turn.text) for turn in earlier.turns if len(turn.text) >= _TELLING}
    place = ports.surroundings.place()
    branch, point = where or (place.branch, ports.surroundings.branch_point())
    kept: list[SaidTurn] = []
    for turn in turns:
        text, key = clean_words(turn.text), _name(turn.key, _LONGEST_NAME)
        by = turn.by or SaidBy.PERSON
        if not text or key in keys or (by, text) in words:
            continue
        made = SaidTurn(
            session_id=session.id,
            number=number + 1,
            at=turn.at or at,
            by=by,
            text=text,
            name=_name(turn.name, LONGEST_SPEAKER),
            repo=session.repo,
            branch=branch,
            head=None if point is None else point.head,
            key=key,
            kept_at=at,
        )
        if not turn.is_explicit and earlier.was_removed(made):
            continue
        number += 1
        kept.append(tx.sessions.caches.said.put(made))
        keys |= {key} if key else set()
    remove_old_said(ports.said_for, at=at, tx=tx)
    return tuple(kept)


def _name(text: str, most: int) -> str:
    flat = " ".join(text.encode("utf-8", "replace").decode().replace("\0", "").split())
    return screened(flat[: 4 * most], what="name", secrets=SecretPolicy.REDACT)[:most]


@repeatable
def say(reference: str, turns: Sequence[SayTurn], *, ports: SessionPorts) -> tuple[SaidTurn, ...]:
    """Keep what was said in a session; an ended session takes it too, for it was said before."""
    now = ports.clock.now()
    _refuse_if_off(ports)
    with ports.store.writing(now) as tx:
        session = tx.sessions.get(session_id(tx, reference))
        own = [_own(turn, ports) for turn in turns]
        return say_in(session, own, tx=tx, ports=ports, at=now)


def _refuse_if_off(ports: SessionPorts) -> None:
    """Return if what was said may be kept: a person's own request always may.

    Raises:
        SaidIsOffError: An agent wants to keep it, and a person did not switch it on.
    """
    if ports.origin is not Origin.HUMAN and not ports.keeps_said:
        raise SaidIsOffError


def _own(turn: SayTurn, ports: SessionPorts) -> SayTurn:
    """Return a turn with its speaker: an agent keeps only what agents said.

    Raises:
        BadFieldError: An agent reports words as a person's.
    """
    keeper = SaidBy.AGENT if ports.origin is Origin.AGENT else SaidBy.PERSON
    if keeper is SaidBy.AGENT and turn.by is SaidBy.PERSON:
        raise BadFieldError(field="by", problem=_NOT_A_PERSON)
    return replace(turn, by=turn.by or keeper, is_explicit=True)


def said_in(reference: str, *, ports: SessionPorts) -> tuple[SaidTurn, ...]:
    """Return what was said in a session, as far as it is kept."""
    with ports.store.reading() as tx:
        return tuple(tx.sessions.caches.said.of(session_id(tx, reference)))


@repeatable
def say_talk(talk: Transcript, *, replaces: bool = False, ports: SessionPorts) -> SaidTalk:
    """Keep what people and agents said in a conversation; what tools put out is not kept.

    The same conversation is the same session, also if the hooks of its tool kept it. With
    ``replaces``, a known turn whose text is another one in the conversation gets that text.

    Raises:
        SaidIsOffError: An agent wants to keep it, and a person did not switch it on.
    """
    _refuse_if_off(ports)
    now, place = ports.clock.now(), ports.surroundings.place()
    turns = [turn for turn in talk.turns if turn.speaker in _SPEAKERS]
    began = min((turn.at for turn in turns if turn.at is not None), default=now)
    with ports.store.writing(now) as tx:
        name = _known_session(talk, place.repo, tx=tx)
        if name is None:
            entropy = session_entropy(talk.tool, _name_here(talk, place.repo))
            name = SessionId(sortable("i", at=began, entropy=entropy))
            session = Session(
                id=name,
                tool=_name(talk.tool, LONGEST_SPEAKER),
                user=_name(ports.by, LONGEST_SPEAKER),
                repo=place.repo,
                branch=_name(talk.branch, _LONGEST_NAME) or place.branch,
                started_at=began,
                finished_at=max((turn.at for turn in turns if turn.at is not None), default=now),
            )
            tx.sessions.put(session)
        session = tx.sessions.get(name)
        wishes = [_wish(turn, talk) for turn in turns]
        where = (session.branch, None)
        changed = _replaced(session.id, wishes, tx=tx) if replaces else 0
        kept = say_in(session, wishes, tx=tx, ports=ports, at=now, where=where)
    return SaidTalk(session=name, kept=kept, known=len(turns) - len(kept), changed=changed)


def _replaced(name: SessionId, wishes: Iterable[SayTurn], *, tx: Transaction) -> int:
    """Give known turns the text that their conversation has now; return how many changed.

    A text that was forgotten stays forgotten.
    """
    known = {turn.key: turn for turn in tx.sessions.caches.said.of(name) if turn.key}
    count = 0
    for wish in wishes:
        text, turn = clean_words(wish.text), known.get(_name(wish.key, _LONGEST_NAME))
        if turn is None or not text or turn.text in (text, GONE):
            continue
        tx.sessions.caches.said.put(replace(turn, text=text))
        count += 1
    return count


def session_entropy(tool: str, session: str) -> int:
    """Return the random part of the id of a tool's session: the same one for the same name."""
    named = hashlib.sha256(f"{tool} {session}".encode("utf-8", "surrogatepass"))
    return int(named.hexdigest(), 16) % _CHANCES


def _name_here(talk: Transcript, repo: str | None) -> str:
    """Return the name of a conversation of a repository: others may use the same name."""
    return f"{repo or ''} {talk.session}"


def _known_session(talk: Transcript, repo: str | None, *, tx: Transaction) -> SessionId | None:
    """Return the session that hooks or an earlier import made for a conversation here."""
    endings = tuple(
        sortable("i", at=_EPOCH, entropy=session_entropy(talk.tool, name))[-_RANDOM_LETTERS:]
        for name in (talk.session, _name_here(talk, repo))
    )
    beyond: str | None = None
    while page := tx.sessions.page(beyond=beyond, limit=_PAGE):
        for session in page:
            if session.repo == repo and session.id.endswith(endings):
                return session.id
        beyond = page[-1].id
    return None


def _wish(turn: Turn, talk: Transcript) -> SayTurn:
    return SayTurn(
        by=_SPEAKERS[turn.speaker],
        text=turn.text,
        name=turn.who,
        at=turn.at,
        key=f"{talk.tool} {turn.name or _place_and_text(turn)}",
    )


def _place_and_text(turn: Turn) -> str:
    """Return a key for a turn without a name: another file may have another turn at its place."""
    text = hashlib.sha256(turn.text.encode("utf-8", "surrogatepass"))
    return f"{turn.number} {text.hexdigest()[:_KEY_LETTERS]}"
