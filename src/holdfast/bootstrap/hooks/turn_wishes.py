"""The requests that store the turns of a tool's session."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.domain.ids import SessionId
    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.sessions.pending import PendingTurn
    from holdfast.usecases.sessions.caching import KeepTurn
    from holdfast.usecases.sessions.saying import SayTurn


_LONGEST_SUMMARY = 600


def wish_of(
    turn: PendingTurn, here: BranchPoint | None, reply: str, *, is_settled: bool, keeps_words: bool
) -> KeepTurn:
    """Return the request that stores a turn; a settled one belongs to where its prompt was sent.

    ``reply`` are the last words of the transcript, empty if they belong to a later turn.
    """
    from holdfast.domain.sessions.cache import short
    from holdfast.usecases.sessions.approvals import Approvals
    from holdfast.usecases.sessions.caching import KeepTurn

    return KeepTurn(
        asked=turn.asked,
        summary=short(turn.reply or reply, _LONGEST_SUMMARY),
        commands=turn.commands,
        paths=turn.paths,
        before=turn.head or None,
        key=turn.key,
        where=_then(turn, here) if is_settled else None,
        said=_said(turn, "" if is_settled else reply) if keeps_words else (),
        approvals=Approvals(asks=turn.asks, answered=turn.answered),
    )


def _said(turn: PendingTurn, reply: str) -> tuple[SayTurn, ...]:
    """Return what was said in a turn: the prompt, and the last reply if the turn is over.

    Of a turn that others followed, the reply is not known: the last words are of a later one.
    """
    from holdfast.domain.sessions.said import SaidBy
    from holdfast.usecases.sessions.saying import SayTurn

    asked = SayTurn(by=SaidBy.PERSON, text=turn.asked, key=f"{turn.key} asked")
    answered = SayTurn(by=SaidBy.AGENT, text=reply, key=f"{turn.key} answered")
    return (asked, answered) if turn.is_over and reply else (asked,)


def _then(turn: PendingTurn, here: BranchPoint | None) -> tuple[str | None, BranchPoint | None]:
    """Return where a turn was begun; it follows its branch, until more is known about it."""
    from holdfast.domain.memory.anchor import BranchPoint

    branch = turn.branch or None
    if here is not None and (here.branch, here.head) == (branch, turn.head):
        return branch, here
    if not turn.head:
        return branch, None
    return branch, BranchPoint(
        branch=branch, head=turn.head, is_aside=branch is not None, is_shared=branch is not None
    )


def session_named(turn: PendingTurn) -> SessionId:
    """Return the id of the session that a turn belongs to."""
    return session_id_of(turn.tool, turn.session, turn.began)


def session_id_of(tool: str, session: str, began: int) -> SessionId:
    """Return the id of a tool's session: the same one at every call, without a record of it."""
    from datetime import UTC, datetime

    from holdfast.domain.ids import SessionId, sortable
    from holdfast.usecases.sessions.saying import session_entropy

    entropy = session_entropy(tool, session)
    return SessionId(sortable("i", at=datetime.fromtimestamp(began, UTC), entropy=entropy))
