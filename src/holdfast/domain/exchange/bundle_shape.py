"""The JSON of a bundle, as ``recall --json`` shows it and as it is stored and exported.

The JSON of checked evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdfast.domain.checks.outcome import CheckOutcome
from holdfast.domain.fields import time_text
from holdfast.domain.memory.anchor import Checked
from holdfast.domain.recall.bundle import (
    Bundle,
    BundleItem,
    PassageItem,
    Reason,
    Shortage,
    StageRank,
)
from holdfast.domain.recall.question import Question

if TYPE_CHECKING:
    from collections.abc import Iterable


def checked_json(checked: Checked) -> dict[str, object]:
    """Return the JSON of one piece of evidence with its verdict."""
    sighting = checked.sighting
    return {
        "ref": checked.reference,
        "span": checked.span,
        "verdict": sighting.verdict.value,
        "places": [
            {"path": place.path, "first": place.first, "last": place.last}
            for place in sighting.places
        ],
        "how": sighting.how,
        "change": list(sighting.change),
        "commit": sighting.commit,
    }


def outcome_json(outcome: CheckOutcome) -> dict[str, object]:
    """Return the JSON of one check with what came out of it."""
    return {
        "check": outcome.text,
        "state": outcome.state.value,
        "places": [
            {"path": one.path, "line": one.line, "what": one.what} for one in outcome.breaches
        ],
        "more": outcome.more,
        "why": outcome.why,
    }


def _outcomes_json(outcomes: Sequence[CheckOutcome]) -> dict[str, object]:
    """Return the outcomes under their name; an item without checks does not have it."""
    return {"checks": [outcome_json(one) for one in outcomes]} if outcomes else {}


def item_json(item: BundleItem) -> dict[str, object]:
    """Return the JSON of an item that was given: never the text."""
    return {
        "memory_id": item.memory_id,
        "content_hash": item.content_hash,
        "score": item.score,
        "tokens": item.tokens,
        "reasons": _reasons_json(item.reasons),
        "ranks": _ranks_json(item.ranks),
        "superseded_by": item.superseded_by,
        "evidence": [checked_json(one) for one in item.checked],
        **_outcomes_json(item.outcomes),
    }


def bundle_json(bundle: Bundle) -> dict[str, object]:
    """Return the JSON of a bundle: ids, scores, reasons and text hashes, never the text."""
    question, place = bundle.question, bundle.place
    return {
        "id": bundle.id,
        "asked_at": time_text(bundle.asked_at),
        "question": {
            "text": question.text,
            "budget": question.budget,
            "include": list(question.include),
            "limit": question.limit,
            "kinds": [kind.value for kind in question.kinds],
            "scopes": [scope.value for scope in question.scopes],
            "tags": list(question.tags),
            "as_of": question.as_of,
            "all_branches": question.all_branches,
            **({"verbose": True} if question.verbose else {}),
            **({} if question.deep is None else {"deep": question.deep}),
            **_asker_json(question),
        },
        "place": {
            "space": place.space,
            "workspace": place.workspace,
            "repo": place.repo,
            "branch": place.branch,
        },
        "items": [item_json(item) for item in bundle.items],
        "left_out": [
            {
                "memory_id": left.memory_id,
                "score": left.score,
                "tokens": left.tokens,
                "reasons": _reasons_json(left.reasons),
                "ranks": _ranks_json(left.ranks),
                "why": left.why,
            }
            for left in bundle.left_out
        ],
        "tokens": bundle.tokens,
        "counter": bundle.counter,
        "notes": list(bundle.notes),
        "good": bundle.good,
        "rated_by": None if bundle.rated_by is None else bundle.rated_by.value,
        "passages": [_passage_json(item) for item in bundle.passages],
        "passages_left_out": [_passage_json(item) for item in bundle.passages_left_out],
        "shortage": _shortage_json(bundle.shortage),
    }


def _reasons_json(reasons: Iterable[Reason]) -> list[dict[str, object]]:
    return [{"leg": reason.leg, "amount": reason.amount, "note": reason.note} for reason in reasons]


def _ranks_json(ranks: Iterable[StageRank]) -> list[dict[str, object]]:
    return [{"stage": one.stage, "rank": one.rank} for one in ranks]


def _shortage_json(shortage: Shortage | None) -> dict[str, object] | None:
    return None if shortage is None else {"found": shortage.found, "needs": shortage.needs}


def _passage_json(item: PassageItem) -> dict[str, object]:
    return {
        "kind": item.kind.value,
        "ref": item.reference,
        "title": item.title,
        "text_hash": item.text_hash,
        "score": item.score,
        "tokens": item.tokens,
        "reasons": _reasons_json(item.reasons),
        "beside": list(item.beside),
        "why_not": item.why_not,
    }


def _asker_json(question: Question) -> dict[str, object]:
    """Return the agent that asked; a question of nobody in particular names none."""
    if question.agent is None:
        return {}
    return {"agent": question.agent, "namespaces": list(question.namespaces)}
