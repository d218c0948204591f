"""Chooses which findings of a curation can be fixed without asking."""

from __future__ import annotations

from collections.abc import Mapping

_FIXED = frozenset({"deprecate", "consolidate", "unpin"})


def curate(inputs: Mapping[str, object]) -> dict[str, object]:
    """Return the findings whose fix is automatic and can be undone."""
    listed = inputs.get("findings")
    findings = listed if isinstance(listed, list) else []
    fix = [
        place
        for place, one in enumerate(findings)
        if isinstance(one, Mapping) and one.get("step") in _FIXED
    ]
    return {"fix": fix, "notes": []}
