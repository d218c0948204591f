"""Answers as JSON: bundles, explanations, and learned weights.

Anything with an id as JSON: a memory, a bundle, a span, a run or a session.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from holdfast.domain.exchange.bundle_shape import bundle_json, checked_json, item_json
from holdfast.domain.exchange.session_shapes import session_json, turn_json
from holdfast.domain.exchange.shapes import record_json, span_json
from holdfast.domain.ids import short
from holdfast.domain.memory.anchor import Checked
from holdfast.domain.recall.bundle import BundleItem
from holdfast.domain.recall.sifting import nearest
from holdfast.domain.recall.weighing import LEARNABLE
from holdfast.domain.sessions.run import run_json
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from holdfast.domain.memory.anchor import Sighting
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.bundle import Bundle
    from holdfast.domain.recall.rendering import Recalled
    from holdfast.domain.sessions.run import Run
    from holdfast.usecases.memory.browse import Provenance, SessionPage
    from holdfast.usecases.memory.placing import Placing
    from holdfast.usecases.recall.learn import Lesson
    from holdfast.usecases.recall.recall import Replay

    Json = dict[str, object]


_NO_ROOM = "did not fit"
_SAID = "says the same as one that was given"
_LONGEST_CLAIM = 200
_NEAREST = "nearest, but not sure to answer: {ids}"


def recalled_json(recalled: Recalled) -> Json:
    """Return a bundle with its memories and the fenced text; an item has claim, key and kind."""
    given = [(item, recalled.records.get(item.memory_id)) for item in recalled.bundle.items]
    records = {item.memory_id: record_json(one) for item, one in given if one is not None}
    return {
        **bundle_json(replace(recalled.bundle, items=())),
        "items": [
            {**item_json(item), **_named(records.get(item.memory_id, {}))}
            for item in recalled.bundle.items
        ],
        "records": list(records.values()),
        "nearest": list(nearest(recalled.bundle)),
        "nearest_claims": nearest_claims(recalled),
        "markdown": recalled.markdown(),
    }


def _named(record: Json) -> Json:
    """Return what tells a memory from others; nothing of one that was forgotten since."""
    return {name: record.get(name) for name in ("claim", "key", "kind")}


def nearest_claims(recalled: Recalled) -> dict[str, str]:
    """Return the memories that came nearest to a silent answer, with the start of each claim."""
    found = {name: recalled.records.get(name) for name in nearest(recalled.bundle)}
    return {
        name: _start(recalled.near.get(name, "") if one is None else one.memory.claim)
        for name, one in found.items()
    }


def _start(claim: str) -> str:
    words = " ".join(claim.split())
    return words if len(words) <= _LONGEST_CLAIM else f"{words[:_LONGEST_CLAIM]}…"


def agents_markdown(recalled: Recalled, *, count: Callable[[str], int]) -> str:
    """Return an answer as an agent gets it: a silent one names the nearest memories by their ids.

    The note is left out where the budget has no room for it. Claims would be taken for answers.
    """
    bundle = recalled.bundle
    if not (near := nearest(bundle)):
        return recalled.markdown()
    names = near if bundle.question.verbose else map(short, near)
    note = _NEAREST.format(ids=", ".join(names))
    noted = replace(recalled, bundle=replace(bundle, notes=(*bundle.notes, note)))
    tokens = count(noted.markdown())
    if tokens > bundle.question.budget:
        return recalled.markdown()
    return replace(noted, bundle=replace(noted.bundle, tokens=tokens)).markdown()


def replay_json(replay: Replay) -> Json:
    """Return today's answer to a question beside the kept one."""
    return {
        "same": replay.is_same,
        "gained": list(replay.gained),
        "lost": list(replay.lost),
        "reordered": replay.reordered,
        "before": bundle_json(replay.before.bundle),
        "now": bundle_json(replay.now.bundle),
    }


def explained_json(recalled: Recalled) -> Json:
    """Return the bundle with what was left out, counted by reason."""
    bundle = recalled.bundle
    return {**bundle_json(bundle), "left_out_by_reason": left_out_by_reason(bundle)}


def left_out_by_reason(bundle: Bundle) -> dict[str, int]:
    """Count what was left out by reason; details that differ between items are ignored."""
    reasons = [item.why for item in bundle.left_out]
    reasons += [item.why_not for item in bundle.passages_left_out]
    return dict(Counter(map(_kind_of, reasons)).most_common())


def _kind_of(reason: str) -> str:
    if "fit" in reason.split() or "fits" in reason.split():
        return _NO_ROOM
    return _SAID if reason.startswith("says the same") else reason.partition(": ")[0]


def provenance_json(chain: Provenance) -> Json:
    """Return the provenance of a memory."""
    return {
        "memory": record_json(chain.record),
        "spans": [span_json(span) for span in chain.spans],
        "bundles": [bundle_json(bundle) for bundle in chain.bundles],
        "derived_from": [provenance_json(parent) for parent in chain.derived_from],
        "replaced": [record_json(old) for old in chain.replaced],
        "forgotten_parents": list(chain.gone),
        "events": [
            {
                "sequence": event.sequence,
                "at_millis": event.at_millis,
                "action": event.action,
                "subject": event.subject,
                "digest": event.digest,
                "previous": event.previous,
                "hash": event.hash,
            }
            for event in chain.events
        ],
    }


def placing_json(placing: Placing) -> Json:
    """Return why a memory has its rank in an answer, or was left out."""
    item = placing.item
    return {
        "bundle_id": placing.bundle.id,
        "memory_id": item.memory_id,
        "rank": placing.rank,
        "left_out": None if isinstance(item, BundleItem) else item.why,
        "score": item.score,
        "tokens": item.tokens,
        "reasons": [
            {"leg": reason.leg, "amount": reason.amount, "note": reason.note}
            for reason in item.reasons
        ],
        "matched": list(placing.matched),
        "ranks": [{"stage": one.stage, "rank": one.rank} for one in item.ranks],
        "superseded_by": item.superseded_by if isinstance(item, BundleItem) else None,
        "displaced_by": [
            {"memory_id": other.memory_id, "score": other.score} for other in placing.displaced_by
        ],
    }


def lesson_json(lesson: Lesson) -> Json:
    """Return the learned weights, each with its old value."""
    check = lesson.check
    weights = [
        {"name": name, "before": getattr(lesson.before, name), "after": getattr(lesson.after, name)}
        for name in LEARNABLE
    ]
    return {
        "space": lesson.space,
        "outcome": lesson.outcome.value,
        "version": lesson.version,
        "weights": weights,
        "learned_from": lesson.learned_from,
        "check": None
        if check is None
        else {
            "answers": check.answers,
            "before": round(check.before, 4),
            "after": round(check.after, 4),
            "better": check.better,
            "worse": check.worse,
        },
    }


def rated_json(bundle_id: str, *, good: bool) -> Json:
    """Return the rating of an answer."""
    return {"bundle_id": bundle_id, "good": good}


def shown_memory_json(record: MemoryRecord, checked: Iterable[Checked]) -> Json:
    """Return a memory with the verdicts on its evidence."""
    verdicts = [checked_json(one) for one in checked]
    return {"type": "memory", "data": record_json(record), "verdicts": verdicts}


def shown_bundle_json(recalled: Recalled) -> Json:
    """Return a bundle with its memories."""
    return {"type": "bundle", "data": recalled_json(recalled)}


def shown_span_json(span: Span, sighting: Sighting) -> Json:
    """Return a span with its current place."""
    seen = Checked(reference=span.reference, span=span.id, sighting=sighting)
    return {"type": "span", "data": span_json(span), "verdict": checked_json(seen)}


def shown_run_json(run: Run) -> Json:
    """Return a run."""
    return {"type": "run", "data": run_json(run)}


def shown_session_json(page: SessionPage) -> Json:
    """Return a session with its turns."""
    by = page.recorders
    turns = [{**turn_json(turn), "recorded_by": by.get(turn.id, "")} for turn in page.turns]
    return {"type": "session", "data": {**session_json(page.session), "turns": turns}}
