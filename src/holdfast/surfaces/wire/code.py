"""The repository as JSON: symbols, governing memories, verdicts on evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.exchange.bundle_shape import checked_json
from holdfast.domain.exchange.shapes import record_json
from holdfast.domain.memory.anchor import Checked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.code.code import Indexed, SymbolPlace
    from holdfast.usecases.anchors.blame import Governing
    from holdfast.usecases.anchors.branch_difference import BranchDifference, ChangedMemory
    from holdfast.usecases.anchors.verify import Verification
    from holdfast.usecases.recall.symbol_context import SymbolContext

    Json = dict[str, object]


def governing_json(found: Iterable[Governing]) -> list[Json]:
    """Return memories with the verdict on the place they cite."""
    return [
        {
            "memory": record_json(one.record),
            "evidence": checked_json(
                Checked(reference=one.span.reference, span=one.span.id, sighting=one.sighting)
            ),
        }
        for one in found
    ]


def blame_json(place: str, found: Iterable[Governing]) -> Json:
    """Return the memories that govern a place."""
    return {"place": place, "memories": governing_json(found)}


def surround_json(found: SymbolContext) -> Json:
    """Return a symbol with its neighbours."""
    return {
        "symbol": symbol_json(found.place),
        "namesakes": [symbol_json(one) for one in found.namesakes],
        "neighbours": [
            {
                **symbol_json(one.place),
                "relation": one.relation.value,
                "hops": one.hops,
                "sure": one.is_sure,
                "through": one.through,
            }
            for one in found.neighbours
        ],
        "memories": governing_json(found.governing),
    }


def symbol_json(place: SymbolPlace) -> Json:
    """Return a symbol with its signature and its documentation."""
    symbol = place.symbol
    return {**symbol_place_json(place), "signature": symbol.signature, "doc": symbol.doc}


def symbol_place_json(place: SymbolPlace) -> Json:
    """Return the name and the lines of a symbol."""
    symbol = place.symbol
    return {
        "path": place.path,
        "name": symbol.name,
        "kind": symbol.kind,
        "first": symbol.first,
        "last": symbol.last,
    }


def indexed_json(indexed: Indexed) -> Json:
    """Return what the code index read and contains."""
    return {
        "files": indexed.files,
        "symbols": indexed.symbols,
        "read": indexed.read,
        "removed": indexed.removed,
        "passed_over": dict(indexed.passed_over),
    }


def verification_json(found: Verification) -> Json:
    """Return the verdicts, memory by memory."""
    return {
        "sound": found.is_sound,
        "counts": {verdict.value: many for verdict, many in found.counts.items()},
        "unanchored": found.unanchored,
        "sensitive": found.sensitive,
        "notes": list(found.notes),
        "memories": [
            {
                "id": one.record.memory.id,
                "key": one.record.memory.key,
                "claim": one.record.memory.claim,
                "verdict": one.verdict.value,
                "evidence": [checked_json(item) for item in one.evidence],
            }
            for one in found.checked
        ],
    }


def difference_json(found: BranchDifference) -> Json:
    """Return the knowledge that one branch has and the other does not."""
    return {
        "base": found.base.id,
        "tip": found.tip.id,
        "added": [record_json(record) for record in found.added],
        "changed": _pairs(found.changed),
        "contradicted": _pairs(found.contradicted),
        "in_doubt": [
            {
                "memory": record_json(one.record),
                "evidence": [checked_json(item) for item in one.evidence],
            }
            for one in found.doubted
        ],
    }


def _pairs(some: Iterable[ChangedMemory]) -> list[Json]:
    return [{"memory": record_json(one.record), "other": record_json(one.other)} for one in some]
