"""The MCP tools: each parses its arguments, calls the application, and formats the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.errors import (
    BadFieldError,
    ForgottenError,
    HoldfastError,
    InvalidError,
    NeedsPersonError,
)
from holdfast.domain.fields import Fields
from holdfast.domain.recall.question import Question
from holdfast.domain.review.traces import Reach
from holdfast.domain.values import replace
from holdfast.surfaces.mcp.protocol import compact
from holdfast.surfaces.wire.memory import brief_json, briefs_json, check_grounds
from holdfast.surfaces.wire.requests import read_browse, read_question, read_remember, said
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.memory.remember import Remember, RememberOutcome
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.app import Holdfast
    from holdfast.surfaces.mcp.protocol import Json
    from holdfast.usecases.memory.remember import Remembered

    Tool = Callable[[Holdfast, Json, str], Json]


_DEFAULT_LISTED = 10
_NO_CLAIM = "is missing; give the claim in one or a few complete sentences."
_LONGEST_LISTING = 200_000
_LONGEST_CLIENT = 64


class ShortIdError(InvalidError, code="short-id"):
    """Deletion needs the full id of the memory."""

    def __init__(self, memory_id: str) -> None:
        super().__init__(
            f"Nothing was deleted: write the id in full ({memory_id}).", memory_id=memory_id
        )


def source_of(client: str) -> str:
    """Return the source of a client's proposals: its name, cleaned up."""
    try:
        name = " ".join(screened(client[:_LONGEST_CLIENT], what="client's name").split())
    except HoldfastError:
        name = ""
    return f"mcp:{name or 'unknown'}"


def list_memories(app: Holdfast, given: Json, _source: str) -> Json:
    """Return the memories that reach this place, best or newest first."""
    status = given.get("status", Status.ACCEPTED.value)
    request = said(
        q=given.get("q"),
        scopes=[given["scope"]] if "scope" in given else None,
        statuses=[status],
        recallable=status == Status.ACCEPTED.value,
        limit=given.get("limit", _DEFAULT_LISTED),
    )
    wish = read_browse(request, place=app.place(), now=app.now(), noun="memory.list")
    listing = app.memories.browse(wish)
    items = _fitting([brief_json(record) for record in listing.records])
    return structured(briefs_json(items, total=listing.total))


def propose_memory(app: Holdfast, given: Json, source: str) -> Json:
    """Keep the claim as a candidate and return what it became."""
    if "claim" not in given and "value" not in given:
        raise BadFieldError(field="argument 'claim'", problem=_NO_CLAIM)
    defaults = Remember(claim="", origin=app.principal.origin, source=source)
    wish = read_remember(given, defaults, noun="memory.create")
    check_grounds(wish.grounds)
    done = app.memories.remember(wish)
    shape = {"outcome": done.outcome.value, "message": _told(done), **brief_json(done.record)}
    return structured(shape)


def delete_candidate(app: Holdfast, given: Json, source: str) -> Json:
    """Remove a candidate of this client, or propose to forget a memory that is no candidate.

    A candidate of others, or one that a person decided about, stays: a person rejects it. A
    candidate that is already removed is no error.
    """
    fields = Fields(given, noun="memory.delete")
    reason = fields.maybe_text("reason") or ""
    wish = Forget(reference=fields.text("id"), by=source, reason=reason)
    try:
        record = app.memories.forget(replace(wish, dry_run=True)).record
    except ForgottenError as error:
        return structured({"id": error.memory_id, "deleted": True, "message": str(error)})
    found = record.memory.id
    if found != wish.reference:
        raise ShortIdError(found)
    try:
        gone = app.memories.withdraw(wish)
    except NeedsPersonError as refusal:
        if record.standing.status is not Status.CANDIDATE:
            return _proposed_to_forget(app, wish)
        message = f"{refusal} It stays until a person rejects it in a review."
        return structured({"id": found, "deleted": False, "message": message})
    message = f"{found} was a candidate, and is removed permanently."
    left = [trace.place for trace in gone.traces if trace.reach is not Reach.REMOVED]
    if left:
        message = f"{found} was a candidate, and is removed; it is still in {', '.join(left)}."
    return structured({"id": found, "deleted": True, "message": message})


def _proposed_to_forget(app: Holdfast, wish: Forget) -> Json:
    """Propose to a person that a memory they decided about be forgotten."""
    proposal = app.memories.propose_forgetting(wish).memory.id
    message = (
        f"A person decided about {wish.reference}, so it was not deleted. The proposal"
        f" {proposal} asks a person to forget it; a person decides."
    )
    return structured({"id": wish.reference, "deleted": False, "message": message})


def assemble_context(app: Holdfast, given: Json, _source: str) -> Json:
    """Return the answer as Markdown: only text, so that no client shows it escaped."""
    question = read_question(given, Question(text=""), noun="context.assemble")
    return in_words(app.answers.recall(question).markdown())


TOOL_BY_NAME: dict[str, Tool] = {
    "memory.list": list_memories,
    "memory.create": propose_memory,
    "memory.delete": delete_candidate,
    "context.assemble": assemble_context,
}


def in_words(text: str) -> Json:
    """Return a result that is only text."""
    return {"content": [{"type": "text", "text": text}], "isError": False}


def structured(value: Json) -> Json:
    """Return a result as values, and as text for clients that read only text."""
    return {**in_words(compact(value)), "structuredContent": value}


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
    if done.known is not None and done.outcome is RememberOutcome.KNOWN:
        words = f"Already known as {memory_id}, with the same evidence; nothing was added."
    elif done.known is not None:
        words = f"Already known as {done.known.memory.id}. Your evidence for it is {memory_id}."
        until = " It is added once a person has accepted it."
    elif done.outcome is RememberOutcome.EVIDENCE_ADDED:
        words = f"Already known as {memory_id}; the evidence was added to it."
    else:
        words = f"Proposed as {memory_id}."
    hidden = sum(removed.count for removed in done.screened.removed)
    taken = f" {hidden} hidden characters were removed." if hidden else ""
    against = [one.standing.memory.id for one in done.conflicts]
    clash = f" It seems to contradict {', '.join(against)}." if against else ""
    kept = ", ".join(done.not_applied)
    refused = f" Not applied, because only a person may change it: {kept}." if kept else ""
    return f"{words}{until}{taken}{clash}{refused}"
