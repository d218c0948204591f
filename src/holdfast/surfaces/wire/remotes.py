"""Servers that this machine knows, and the writes that wait for them, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.fields import time_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.errors import HoldfastError
    from holdfast.domain.service.remotes import Pushed, RemoteState, WaitingWrite

    Json = dict[str, object]

_BEGINNING = 60


def remote_json(state: RemoteState) -> Json:
    """Return a remote without its token; ``answers`` is null if it was not asked."""
    return {
        "name": state.remote.name,
        "url": state.remote.url,
        "default": state.remote.is_default,
        "has_token": state.has_token,
        "answers": None if state.problem is None else not state.problem,
        "problem": state.problem or None,
        "version": state.version or None,
        "waiting": [write_json(one) for one in state.waiting],
        "refused": [write_json(one) for one in state.refused],
        "damaged": list(state.damaged),
    }


def remotes_json(found: Iterable[RemoteState]) -> Json:
    """Return every remote."""
    return {"remotes": [remote_json(one) for one in found]}


def write_json(write: WaitingWrite) -> Json:
    """Return a write that waits, or that the server refused, with the beginning of its claim."""
    return {
        "key": write.key,
        "request": write.request.words,
        "claim": claim_beginning(write),
        "at": time_text(write.at),
        "may_have_arrived": write.sent_at is not None,
        "problem": write.problem or None,
    }


def claim_beginning(write: WaitingWrite) -> str | None:
    """Return the beginning of a claim that waits, in one line and screened; None without one."""
    from holdfast.domain.gates.unseen import escaped
    from holdfast.usecases.screening import SecretPolicy, screened

    words = " ".join(write.claim.split())
    if not words:
        return None
    text = escaped(screened(words, what="claim", secrets=SecretPolicy.REDACT))
    return text if len(text) <= _BEGINNING else f"{text[: _BEGINNING - 1]}…"


def pushed_json(pushed: Pushed) -> Json:
    """Return what an attempt to send the waiting writes did."""
    return {
        "sent": pushed.sent,
        "refused": pushed.refused,
        "waiting": pushed.waiting,
        "stopped": pushed.stopped or None,
    }


def chosen_json(name: str | None) -> Json:
    """Return which remote is the default now; null is the store of this machine."""
    return {"default": name}


def kept_here_json(error: HoldfastError) -> Json:
    """Return that a write is kept here and has not reached the server."""
    return {"kept_here": {"message": error.message, **error.facts}}
