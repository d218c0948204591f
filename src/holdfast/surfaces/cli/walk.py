"""Walk through what waits: each candidate is shown, and a key decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import HoldfastError
from holdfast.surfaces.cli.person import asked, is_at_terminal
from holdfast.surfaces.cli.present.colour import Dim
from holdfast.surfaces.cli.present.decided import show_decided
from holdfast.surfaces.cli.present.review import waiting_entry
from holdfast.surfaces.cli.refusals import UsageError
from holdfast.usecases.approve import Approve, Reject
from holdfast.usecases.resolve import Resolve, Way
from holdfast.usecases.rewording import Edit

if TYPE_CHECKING:
    from holdfast.app.curation import Curation
    from holdfast.surfaces.cli.desk import Desk
    from holdfast.usecases.approve import Decided
    from holdfast.usecases.review import Queue, Waiting

_PLAIN = "[a]pprove  [r]eject  [e]dit  [s]kip  [q]uit"
_TORN = "[n]ew one stands  [o]ld one stands  [b]oth  [e]dit  [s]kip  [q]uit"
_WAYS = {"n": Way.SUPERSEDE, "o": Way.KEEP_OLD, "b": Way.KEEP_BOTH}


def walk(queue: Queue, curation: Curation, desk: Desk) -> int:
    """Ask about each candidate; return how many were decided. Each can be undone by itself.

    Raises:
        UsageError: There is no terminal to ask at.
    """
    if not is_at_terminal(desk):
        raise UsageError(problem="--walk asks at a terminal, and there is none.")
    done = 0
    for number, item in enumerate(queue.items, start=1):
        desk.output.say()
        desk.output.say(Dim(f"{number} of {len(queue.items)}"))
        waiting_entry(desk.output, item, at=desk.memory.clock.now())
        answer = _asked(item, curation, desk)
        if answer is None:
            break
        done += answer
    desk.output.note(Dim(f"{done:,} of {queue.total:,} decided"))
    return done


def _asked(item: Waiting, curation: Curation, desk: Desk) -> bool | None:
    """Ask until there is an answer; say whether it decided, and None to stop."""
    is_torn = bool(item.against.conflicts)
    keys = {"e", *(_WAYS if is_torn else ("a", "r"))}
    while True:
        key = asked(desk, _TORN if is_torn else _PLAIN)[:1].lower()
        if key in {"q", ""}:
            return None
        if key == "s":
            return False
        if key in keys:
            try:
                show_decided(desk.output, _decided(key, item, curation, desk))
            except HoldfastError as error:
                desk.output.complain(str(error))
                continue
            return True


def _decided(key: str, item: Waiting, curation: Curation, desk: Desk) -> Decided:
    name, shown, by = item.record.memory.id, item.shown, desk.user
    if key == "a":
        return curation.approve(Approve(references=(name,), by=by, shown={name: shown}))
    if key == "r":
        reason = asked(desk, "why? ")
        return curation.reject(Reject(references=(name,), by=by, reason=reason))
    if key == "e":
        words = asked(desk, "in your words: ")
        return curation.edit(Edit(reference=name, claim=words, by=by, shown_hash=shown))
    return curation.resolve(
        Resolve(
            reference=name,
            other=item.against.conflicts[0].standing.memory.id,
            way=_WAYS[key],
            by=by,
            shown_hash=shown,
        )
    )
