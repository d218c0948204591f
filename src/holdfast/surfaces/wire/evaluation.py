"""Measurements of recall as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.evaluation.comparison import categories, mean_of, of_category

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from holdfast.domain.evaluation.benchmark import SetResult
    from holdfast.domain.evaluation.comparison import MeasureChange

    Json = dict[str, object]


def figures_json(about: Mapping[str, object], results: Iterable[SetResult]) -> Json:
    """Return every set's means, by category."""
    figures = [
        {
            "set": result.name,
            "category": category,
            "queries": len(ours),
            "means": {
                name: mean_of(ours, name)
                for name in sorted({n for one in ours for n in one.measures})
            },
        }
        for result in results
        for category in categories(result.judged)
        if (ours := of_category(result.judged, category))
    ]
    return {**about, "figures": figures}


def differences_json(found: Iterable[MeasureChange]) -> Json:
    """Return the differences between two measurements."""
    return {
        "differences": [
            {
                "set": one.set,
                "category": one.category,
                "measure": one.measure,
                "queries": one.change.count,
                "before": one.before,
                "after": one.after,
                "change": one.change.mean,
                "low": one.change.low,
                "high": one.change.high,
                "sure": one.is_sure,
            }
            for one in found
        ]
    }
