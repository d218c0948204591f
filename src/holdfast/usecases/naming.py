"""Resolve references: a prefix of an id, a short id, or a memory's label, key or UUID."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.choices import LIVE, OVER, Scope, Status
from holdfast.domain.errors import (
    AmbiguousError,
    BadFieldError,
    ForgottenError,
    NoSuchError,
)
from holdfast.domain.ids import (
    SHORT_LETTERS,
    AgentId,
    BundleId,
    MemoryId,
    RunId,
    SessionId,
    SpanId,
    TaskId,
)
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.service.ids import memory_id_of
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.domain.memory.memory import Memory, MemoryRecord
    from holdfast.domain.memory.place import Place
    from holdfast.domain.memory.selection import View
    from holdfast.ports.store.store import Transaction

_NOUNS = {
    "m_": "memory",
    "c_": "bundle",
    "s_": "span",
    "i_": "session",
    "r_": "run",
    "a_": "agent",
    "d_": "decision",
    "w_": "workspace",
    "v_": "snapshot",
    "t_": "task",
}
MOST_LISTED = 1_000
_SHOWN = 5
_LOOKED_AT = 100
"""The most ids that one reference is compared with; ids of forgotten memories are among them."""
_SHORTEST = 3
_AROUND = " \t\n\"'`<>{}()[].,;:"
"""What stands around an id where people copy it from."""
_OWN_FORM = re.compile(r"[misadwrvt]_[0-9a-z]+")
_BUNDLE = re.compile(r"c_[0-9A-Za-z_]+")


def full_id(tx: Transaction, reference: str) -> str:
    """Return the only id that starts with the reference, or that has it as its short id.

    Raises:
        NoSuchError: No id starts with it, and none has this short id.
        ForgottenError: It names a memory that was forgotten.
        AmbiguousError: It fits several ids of what is there; forgotten memories do not count.
    """
    if reference[:2] not in _NOUNS and (named := _labelled(tx, reference)):
        return named
    reference = _as_written(reference)
    noun = _NOUNS.get(reference[:2], "thing")
    if len(reference) < _SHORTEST or not reference.isascii() or not reference.isprintable():
        raise NoSuchError(noun=noun, reference=reference[:80])
    if grave := tx.names.tombstone(MemoryId(reference)):
        raise ForgottenError(reference, f"{grave.forgotten_at:%Y-%m-%d}")
    found, verb, letters = tx.names.starting(reference, limit=_LOOKED_AT), "start with", reference
    if not found and noun != "thing" and len(reference) == len("m_") + SHORT_LETTERS:
        letters, verb = reference[len("m_") :], "end with"
        found = tx.names.ending(reference[: len("m_")], letters, limit=_LOOKED_AT)
    if reference in found or len(found) == 1:
        return reference if reference in found else found[0]
    there = [one for one in found if tx.names.tombstone(MemoryId(one)) is None]
    if len(there) == 1:
        return there[0]
    if not there:
        raise NoSuchError(noun=noun, reference=reference[:80])
    raise AmbiguousError(noun=noun, reference=letters, fits=there[:_SHOWN], shared=verb)


def _as_written(reference: str) -> str:
    """Return an id as Holdfast writes it; what looks like no id is returned as it is.

    People paste ids in quotes, in brackets and in capital letters. Bundles have capital letters.
    """
    inner = reference.strip(_AROUND)
    if _OWN_FORM.fullmatch(inner.lower()):
        return inner.lower()
    return inner if _BUNDLE.fullmatch(inner) else reference


def is_known(tx: Transaction, name: str, prefix: str) -> bool:
    """Tell whether the store has exactly this id; the id of a forgotten memory stays taken."""
    return name.startswith(prefix) and name in tx.names.starting(name, limit=1)


def _of(tx: Transaction, reference: str, prefix: str) -> str:
    if not _as_written(reference).startswith(prefix):
        raise NoSuchError(noun=_NOUNS[prefix], reference=reference[:80])
    return full_id(tx, reference)


def memory_id(tx: Transaction, reference: str) -> MemoryId:
    """Return the memory of a reference: a prefix of its id, its label, or its key."""
    named = "" if reference.startswith("m_") else _labelled(tx, reference)
    return MemoryId(named or _of(tx, reference, "m_"))


def _labelled(tx: Transaction, reference: str) -> str:
    """Return the live memory with this label or key, or the one with this UUID; empty if none.

    A candidate is found only if no accepted memory has the label or the key: anybody may propose a
    candidate under any name.

    Raises:
        AmbiguousError: Several have it, for example in two repositories.
    """
    if not reference.strip():
        return ""
    for status in (Status.ACCEPTED, Status.CANDIDATE):
        within = Selection(statuses=frozenset({status}))
        by_label = replace(within, labels=frozenset({reference}))
        for name, by_name in (("label", by_label), ("key", replace(within, key=reference))):
            found = tx.memories.find(by_name, Page(limit=_SHOWN))
            if len(found) > 1:
                names = [one.memory.id for one in found]
                raise AmbiguousError(noun="memory", reference=reference, fits=names, shared=name)
            if found:
                return found[0].memory.id
    return _of_service(tx, reference)


def _of_service(tx: Transaction, reference: str) -> str:
    """Return the memory whose id the memory service spells as this UUID; empty if there is none."""
    try:
        name = memory_id_of(reference.strip(_AROUND))
    except NoSuchError:
        return ""
    return name if is_known(tx, name, "m_") else ""


def refuse_taken_label(
    label: str | None,
    memory: Memory,
    *,
    tx: Transaction,
    is_proposal: bool = False,
    replaced: Sequence[MemoryRecord] = (),
) -> None:
    """Refuse a label that another accepted memory of the same repository has.

    A memory may take the label of those that it replaces. A proposal may not take one of another
    candidate either; a person may, because anybody can propose a candidate under any label.

    Raises:
        BadFieldError: The label is in use.
    """
    if label is None:
        return
    statuses = LIVE if is_proposal else frozenset({Status.ACCEPTED})
    named = Selection(statuses=statuses, labels=frozenset({label}))
    own = {memory.id, *(one.memory.id for one in replaced)}
    repo = memory.repo
    for other in tx.memories.find(named, Page(limit=MOST_LISTED)):
        if other.memory.id not in own and (repo is None or other.memory.repo in {None, repo}):
            problem = f"'{label}' belongs to {other.memory.id}. Choose another one, or none."
            raise BadFieldError(field="label", problem=problem)


def labelled_here(
    tx: Transaction, label: str, place: Place, view: Callable[[], View]
) -> MemoryId | None:
    """Return the memory with this label in the pages of a place; None if there is none.

    An accepted memory counts first, then candidates. A rejected or deprecated memory counts only
    if no other one has the label. Of several, the one that the checkout sees counts; ``view``
    returns what it sees.

    Raises:
        AmbiguousError: Several of them have it.
    """
    if place.repo is None:
        return None
    named = Selection(place=place, scopes=frozenset({Scope.REPO}), labels=frozenset({label}))
    accepted = frozenset({Status.ACCEPTED})
    for statuses in (accepted, LIVE, OVER - {Status.SUPERSEDED}):
        within = replace(named, statuses=statuses)
        found = tx.memories.find(within, Page(limit=_SHOWN))
        if len(found) > 1:
            seen = _seen(tx, within, place, view)
            if len(seen) == 1:
                return seen[0].memory.id
            names = [one.memory.id for one in found]
            raise AmbiguousError(noun="memory", reference=label, fits=names, shared="label")
        if found:
            return found[0].memory.id
    return None


def named_here(
    tx: Transaction, name: str, place: Place, view: Callable[[], View]
) -> MemoryId | None:
    """Return the accepted memory with a label or a key in this checkout, if several have it.

    ``view`` returns what the checkout sees; git is asked only if several memories have the name.
    """
    accepted = Selection(statuses=frozenset({Status.ACCEPTED}))
    for named in (replace(accepted, labels=frozenset({name})), replace(accepted, key=name)):
        if found := tx.memories.find(named, Page(limit=2)):
            seen = _seen(tx, named, place, view) if len(found) > 1 else ()
            return seen[0].memory.id if len(seen) == 1 else None
    return None


def _seen(
    tx: Transaction, named: Selection, place: Place, view: Callable[[], View]
) -> Sequence[MemoryRecord]:
    """Return those of the named memories that a checkout sees, at most two."""
    return tx.memories.find(replace(named, place=place, view=view()), Page(limit=2))


def bundle_id(tx: Transaction, reference: str) -> BundleId:
    """Return the bundle with this prefix."""
    return BundleId(_of(tx, reference, "c_"))


def span_id(tx: Transaction, reference: str) -> SpanId:
    """Return the span with this prefix."""
    return SpanId(_of(tx, reference, "s_"))


def session_id(tx: Transaction, reference: str) -> SessionId:
    """Return the session with this prefix."""
    return SessionId(_of(tx, reference, "i_"))


def run_id(tx: Transaction, reference: str) -> RunId:
    """Return the run with this prefix."""
    return RunId(_of(tx, reference, "r_"))


def task_id(tx: Transaction, reference: str, *, repo: str | None) -> TaskId:
    """Return the task with this prefix, or with this id in the file of another program."""
    if reference.startswith("t_"):
        return TaskId(_of(tx, reference, "t_"))
    found = tx.diary.tasks.named(repo, reference) if reference.strip() else None
    if found is None:
        raise NoSuchError(noun="task", reference=reference[:80])
    return found


def agent_id(tx: Transaction, reference: str) -> AgentId:
    """Return the agent with this prefix."""
    return AgentId(_of(tx, reference, "a_"))


def check_limit(limit: int) -> None:
    """Refuse a limit that is out of range.

    Raises:
        BadFieldError: It is not between 1 and 1,000.
    """
    if not 1 <= limit <= MOST_LISTED:
        raise BadFieldError(field="limit", problem=f"must be between 1 and {MOST_LISTED:,}.")
