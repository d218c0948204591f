"""The MCP tools that list, read, propose and delete memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.errors import (
    BadFieldError,
    ForgottenError,
    InvalidError,
    NeedsPersonError,
    NoSuchError,
)
from holdfast.domain.fields import Fields
from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.review.traces import Reach
from holdfast.domain.text.counting import counted
from holdfast.domain.values import replace
from holdfast.surfaces.mcp.calling import DeclinedError
from holdfast.surfaces.mcp.protocol import compact
from holdfast.surfaces.mcp.results import structured
from holdfast.surfaces.wire.agent_answers import shorts_json, whole_json, wholes_json
from holdfast.surfaces.wire.memory import brief_json, check_grounds
from holdfast.surfaces.wire.requests import read_browse, read_remember, said
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.memory.remember import Remember, RememberOutcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.app import Holdfast
    from holdfast.domain.memory.anchor import Checked
    from holdfast.surfaces.mcp.calling import ToolCall
    from holdfast.surfaces.mcp.protocol import Json
    from holdfast.usecases.memory.forget import Forgotten
    from holdfast.usecases.memory.remember import Remembered

    Tool = Callable[[ToolCall], Json]


_DEFAULT_LISTED = 10
_LONGEST_QUOTED = 300
_LONGEST_LISTING = 200_000


class ShortIdError(InvalidError, code="short-id"):
    """Deletion needs the full id of the memory."""

    def __init__(self, memory_id: str) -> None:
        super().__init__(
            f"Nothing was deleted: write the id in full ({memory_id}).", memory_id=memory_id
        )


def list_memories(call: ToolCall) -> Json:
    """Return the memories that reach this place in short, best or newest first."""
    app, given = call.app, call.given
    status = given.get("status", Status.ACCEPTED.value)
    request = said(
        q=given.get("q"),
        scopes=[given["scope"]] if "scope" in given else None,
        statuses=[status],
        recallable=True if status == Status.ACCEPTED.value else None,
        limit=given.get("limit", _DEFAULT_LISTED),
    )
    wish = read_browse(request, place=app.place(), now=app.now(), noun="memory.list")
    listing = app.memories.browse(wish)
    return structured(shorts_json(listing.records, total=listing.total))


def get_memories(call: ToolCall) -> Json:
    """Return whole memories with the state of their evidence, as many as fit into one answer."""
    records = [
        _memory_named(call.app, name) for name in Fields(call.given, noun="ids").words("ids")
    ]
    items = [whole_json(record, checked) for record, checked in _checked(call.app, records)]
    fitting = _fitting(items)
    left_out = [record.memory.id for record in records[len(fitting) :]]
    return structured(wholes_json(fitting, left_out=left_out))


def _memory_named(app: Holdfast, name: str) -> MemoryRecord:
    found = app.memories.show(name)
    if not isinstance(found, MemoryRecord):
        raise NoSuchError(noun="memory", reference=name)
    return found


def _checked(
    app: Holdfast, records: list[MemoryRecord]
) -> list[tuple[MemoryRecord, tuple[Checked, ...]]]:
    """Return the verdicts on the evidence of memories; none where there is no checkout."""
    try:
        found = app.evidence.checks_of(records)
    except NoHistoryError:
        return [(record, ()) for record in records]
    return [(one.record, one.evidence) for one in found]


def propose_memory(call: ToolCall) -> Json:
    """Keep the claim as a candidate and return what it became."""
    app, given = call.app, call.given
    defaults = Remember(claim="", origin=app.principal.origin, source=call.source)
    wish = read_remember(given, defaults, noun="memory.create")
    check_grounds(wish.grounds)
    done = app.memories.remember(wish)
    shape = {"outcome": done.outcome.value, "message": _told(done), **brief_json(done.record)}
    return structured(shape)


def delete_memory(call: ToolCall) -> Json:
    """Remove a candidate of this client, or propose to forget a memory that is no candidate.

    A candidate of others, or one that a person decided about, stays: a person rejects it. A
    candidate that is already removed is no error.
    """
    app, fields = call.app, Fields(call.given, noun="memory.delete")
    reason = fields.maybe_text("reason") or ""
    wish = Forget(reference=fields.text("id"), by=call.source, reason=reason)
    try:
        record = app.memories.forget(replace(wish, dry_run=True)).record
    except ForgottenError as error:
        return structured({"id": error.memory_id, "deleted": True, "message": str(error)})
    found = record.memory.id
    if found != wish.reference:
        raise ShortIdError(found)
    if refusal := _why_not_withdrawn(app, wish):
        if record.standing.status is not Status.CANDIDATE:
            return _forgotten_by_a_person(call, wish, record)
        message = f"{refusal} It stays until a person rejects it in a review."
        return structured({"id": found, "deleted": False, "message": message})
    message = _gone(app.memories.withdraw(wish))
    return structured({"id": found, "deleted": True, "message": message})


def _why_not_withdrawn(app: Holdfast, wish: Forget) -> str:
    """Return why a candidate cannot be withdrawn; empty if it can.

    It is rehearsed, because a request that failed in part is undone as a whole on a server.
    """
    try:
        app.memories.withdraw(replace(wish, dry_run=True))
    except NeedsPersonError as refusal:
        return str(refusal)
    return ""


def _gone(forgotten: Forgotten) -> str:
    name = forgotten.record.memory.id
    left = [trace.place for trace in forgotten.traces if trace.reach is not Reach.REMOVED]
    if left:
        return f"{name} is removed; it is still in {', '.join(left)}."
    return f"{name} is removed permanently."


def _forgotten_by_a_person(call: ToolCall, wish: Forget, record: MemoryRecord) -> Json:
    """Forget a memory that a person decided about if a person says so; propose it otherwise."""
    name, claim = record.memory.id, " ".join(record.memory.claim.split())[:_LONGEST_QUOTED]
    question = f"{call.source} asks to forget {name} permanently: {claim}"
    try:
        app = call.deciding(question)
    except DeclinedError as error:
        message = f"{error} {name} stays."
        return structured({"id": name, "deleted": False, "message": message})
    if app is None:
        return _proposed_to_forget(call.app, wish)
    by = app.principal.name or app.principal.kind.value
    gone = app.memories.forget(replace(wish, by=by))
    return structured({"id": name, "deleted": True, "message": _gone(gone)})


def _proposed_to_forget(app: Holdfast, wish: Forget) -> Json:
    """Propose to a person that a memory they decided about be forgotten."""
    proposal = app.memories.propose_forgetting(wish).memory.id
    message = (
        f"A person decided about {wish.reference}, so only a person can delete it. Proposed as"
        f" {proposal}; a person decides."
    )
    return structured({"id": wish.reference, "deleted": False, "message": message})


def _fitting(items: list[Json]) -> list[Json]:
    """Return as many items as fit into one answer, at least the first."""
    room = _LONGEST_LISTING
    for count, item in enumerate(items):
        room -= len(compact(item))
        if room < 0 and count:
            return items[:count]
    return items


def _told(done: Remembered) -> str:
    memory_id, standing = done.record.memory.id, done.record.standing
    waits = standing.status is Status.CANDIDATE
    until = " It is recalled once a person has accepted it." if waits else ""
    if done.outcome is RememberOutcome.KNOWN:
        same = "" if done.known is None else ", with the same evidence"
        words = f"Already known as {memory_id}{same}; nothing was added."
    elif done.known is not None:
        words = f"Already known as {done.known.memory.id}. Your evidence for it is {memory_id}."
        until = " It is added once a person has accepted it."
    elif done.outcome is RememberOutcome.EVIDENCE_ADDED:
        words = f"Already known as {memory_id}; the evidence was added to it."
    else:
        words = f"{'Proposed' if waits else 'Accepted'} as {memory_id}."
    hidden = sum(removed.count for removed in done.screened.removed)
    taken = f" Removed: {counted(hidden, 'hidden character')}." if hidden else ""
    against = [one.standing.memory.id for one in done.conflicts]
    clash = f" It seems to contradict {', '.join(against)}." if against else ""
    kept = ", ".join(done.not_applied)
    refused = f" Not applied, because only a person may change it: {kept}." if kept else ""
    before = f" It {done.rejected}." if done.rejected else ""
    same = ", ".join(done.inherited)
    kept_on = f" As in the memory that it would replace: {same}." if same else ""
    return f"{words}{until}{before}{_twin(done)}{taken}{clash}{refused}{kept_on}"


def _twin(done: Remembered) -> str:
    """Return which memory has the same claim under another kind or key."""
    if done.twin is None:
        return ""
    known = done.twin.memory
    return f" The same claim is known as {known.id} ({known.kind.value})."


def update_memory(call: ToolCall) -> Json:
    """Propose a claim in place of a memory; the client's own candidate is replaced at once."""
    app, fields = call.app, Fields(call.given, noun="memory.update")
    old = _memory_named(app, fields.text("id"))
    memory = old.memory
    given = {name: value for name, value in call.given.items() if name != "id"}
    defaults = Remember(
        claim="",
        kind=memory.kind,
        scope=memory.scope,
        key=memory.key,
        tags=memory.tags,
        origin=app.principal.origin,
        source=call.source,
    )
    wish = read_remember(given, defaults, noun="memory.update")
    if wish.claim.strip() == memory.claim.strip():
        raise BadFieldError(field="argument 'claim'", problem="is the old one; nothing changes.")
    check_grounds(wish.grounds)
    done = app.memories.remember(wish)
    message = f"{_told(done)} {_made_room(call, old, done.record.memory.id)}"
    shape = {"message": message, "replaces": memory.id, **brief_json(done.record)}
    return structured(shape)


def _made_room(call: ToolCall, old: MemoryRecord, new: str) -> str:
    """Remove the old candidate, or say how the new claim will replace the old memory."""
    name, memories = old.memory.id, call.app.memories
    wish = Forget(reference=name, by=call.source, reason=f"{new} says it in other words")
    if old.standing.status is Status.CANDIDATE:
        if _why_not_withdrawn(call.app, wish):
            return f"{name} waits for a person, too."
        memories.withdraw(wish)
        return f"It replaces your candidate {name}."
    if old.standing.status is not Status.ACCEPTED:
        return f"{name} does not hold any more."
    if old.memory.key is not None:
        return f"Both have the same key: a person decides whether it replaces {name}."
    proposal = memories.propose_forgetting(wish).memory.id
    return f"The proposal {proposal} asks a person to forget {name}, which has no key."


MEMORY_TOOLS: dict[str, Tool] = {
    "memory.list": list_memories,
    "memory.get": get_memories,
    "memory.create": propose_memory,
    "memory.update": update_memory,
    "memory.delete": delete_memory,
}
"""The tools by name."""
