"""The MCP tools that answer, explain, relate, rate and check."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from holdfast.domain.choices import Deep
from holdfast.domain.fields import Fields
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.evidence import read_place
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.recall.question import Question
from holdfast.domain.values import replace
from holdfast.surfaces.mcp.calling import DeclinedError
from holdfast.surfaces.mcp.results import in_words, structured
from holdfast.surfaces.wire.agent_answers import (
    blamed_json,
    bundle_outline_json,
    doubtful_json,
    neighbours_json,
    origins_json,
    placed_json,
    symbol_context_json,
    waiting_short_json,
)
from holdfast.surfaces.wire.recall import agents_markdown, rated_json
from holdfast.surfaces.wire.requests import read_question
from holdfast.usecases.anchors.verify import Verify
from holdfast.usecases.memory.browse import Browse
from holdfast.usecases.review.queued import Review

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.surfaces.mcp.calling import ToolCall
    from holdfast.surfaces.mcp.protocol import Json

    Tool = Callable[[ToolCall], Json]

_FEW = 20
_CHECKED_AT_ONCE = 50
_READ_AT_ONCE = 1_000
_MOST_DOUBTFUL = 50
_BUNDLE = "c_"


def assemble_context(call: ToolCall) -> Json:
    """Return the answer as Markdown: only text, so that no client shows it escaped."""
    usual = Question(text="", deep=None if call.app.deep is Deep.OFF else True)
    question = read_question(call.given, usual, noun="context.assemble")
    call.progress(0.5, 1, "searching")
    recalled = call.app.answers.recall(question)
    return in_words(agents_markdown(recalled, count=call.app.counter.count))


def link_memories(call: ToolCall) -> Json:
    """Link two memories if a person says so."""
    fields = Fields(call.given, noun="memory.link")
    link = Link(
        src=MemoryId(fields.text("from")),
        dst=MemoryId(fields.text("to")),
        kind=fields.maybe_text("kind") or "related",
    )
    for end in (link.src, link.dst):
        call.app.memories.explain(end)  # a person is not asked about what does not exist
    words = f"{link.src} {link.kind} {link.dst}"
    try:
        app = call.deciding(f"{call.source} asks to link memories: {words}")
    except DeclinedError as error:
        return _linked(done=False, message=str(error))
    if app is None:
        message = f"Only a person may link memories. Ask one to do it: {words}"
        return _linked(done=False, message=message)
    app.memories.link(link)
    return _linked(done=True, message=f"Linked: {words}")


def _linked(*, done: bool, message: str) -> Json:
    return structured({"linked": done, "message": message})


def related_memories(call: ToolCall) -> Json:
    """Return the memories that are linked with one."""
    fields = Fields(call.given, noun="memory.related")
    limit = _FEW if fields.raw("limit") is None else fields.whole("limit")
    about = call.app.memories.explain(fields.text("id")).record.memory.id
    return structured(neighbours_json(about, call.app.memories.related(about, limit=limit)))


def explain(call: ToolCall) -> Json:
    """Return where a memory comes from, or what a bundle did."""
    fields = Fields(call.given, noun="memory.explain")
    name, bundle = fields.text("id"), fields.maybe_text("bundle")
    if bundle is not None:
        return structured(placed_json(call.app.memories.explain_in_bundle(bundle, name)))
    if name.startswith(_BUNDLE):
        return structured(bundle_outline_json(call.app.answers.shown(name)))
    return structured(origins_json(call.app.memories.explain(name)))


def rate(call: ToolCall) -> Json:
    """Record whether a bundle helped."""
    fields = Fields(call.given, noun="memory.feedback")
    good = bool(fields.maybe_bool("good"))
    return structured(
        rated_json(call.app.answers.feedback(fields.text("bundle"), good=good), good=good)
    )


def verify(call: ToolCall) -> Json:
    """Check the evidence of memories, some at a time, so that it can be cancelled in between."""
    fields = Fields(call.given, noun="memory.verify")
    at = fields.maybe_text("at")
    names = fields.words("ids") if fields.raw("ids") is not None else _reaching(call)
    counts: Counter[str] = Counter()
    checked, is_sound = 0, True
    doubtful: list[Json] = []
    notes: list[str] = []
    for first in range(0, len(names), _CHECKED_AT_ONCE):
        call.progress(first, len(names), f"{first:,} of {len(names):,} memories checked")
        some = tuple(names[first : first + _CHECKED_AT_ONCE])
        found = call.app.evidence.verify(Verify(references=some, at=at))
        counts.update({verdict.value: many for verdict, many in found.counts.items() if many})
        checked, is_sound = checked + len(found.checked), is_sound and found.is_sound
        doubtful += [doubtful_json(one) for one in found.checked if one.verdict.is_doubtful]
        notes += [note for note in found.notes if note not in notes]
    shape: Json = {
        "sound": is_sound,
        "checked": checked,
        "counts": dict(counts),
        "doubtful": doubtful[:_MOST_DOUBTFUL],
        "notes": notes,
    }
    return structured(shape)


def _reaching(call: ToolCall) -> tuple[str, ...]:
    """Return the ids of the memories that can be recalled at this place."""
    place = call.app.place()
    selection = Selection(place=place, space=place.space, recallable_at=call.app.now())
    names: list[str] = []
    page = Page(limit=_READ_AT_ONCE)
    while True:
        listing = call.app.memories.browse(Browse(selection=selection, page=page))
        names += [record.memory.id for record in listing.records]
        if len(listing.records) < _READ_AT_ONCE or listing.beyond is None:
            return tuple(names)
        call.client.checked()
        page = replace(page, beyond=listing.beyond)


def code_context(call: ToolCall) -> Json:
    """Return a symbol with its neighbours and the memories about it."""
    fields = Fields(call.given, noun="code.context")
    limit = _FEW if fields.raw("limit") is None else fields.whole("limit")
    call.progress(0.5, 1, "reading the code")
    return structured(
        symbol_context_json(call.app.code.surround(fields.text("symbol"), limit=limit))
    )


def blame(call: ToolCall) -> Json:
    """Return the memories that govern a line."""
    place = Fields(call.given, noun="blame").text("place")
    return structured(blamed_json(place, call.app.evidence.blame(read_place(place))))


def list_waiting(call: ToolCall) -> Json:
    """Return the candidates that wait for a person."""
    fields = Fields(call.given, noun="review.list")
    limit = _FEW if fields.raw("limit") is None else fields.whole("limit")
    references = fields.words("ids") if fields.raw("ids") is not None else ()
    wish = Review(references=tuple(references), limit=limit, reads_pairs=True)
    return structured(waiting_short_json(call.app.review.review(wish)))


KNOWING_TOOLS: dict[str, Tool] = {
    "context.assemble": assemble_context,
    "memory.link": link_memories,
    "memory.related": related_memories,
    "memory.explain": explain,
    "memory.feedback": rate,
    "memory.verify": verify,
    "code.context": code_context,
    "blame": blame,
    "review.list": list_waiting,
}
"""The tools by name."""
