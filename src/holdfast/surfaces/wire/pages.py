"""The pages of a repository as JSON: the result of a sync, and what waits for trust."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.fields import time_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from holdfast.domain.memory.entry import Flaw
    from holdfast.domain.pages.syncing import EntryOutcome, Synced
    from holdfast.domain.pages.trusting import Pending, Trusted
    from holdfast.usecases.pages.trust import Revoked

    Json = dict[str, object]
    Advice = Callable[[str], str]


def synced_json(synced: Synced, *, advice: Advice) -> Json:
    """Return the result of a sync; entries in line are only counted.

    ``advice`` returns the door's advice about the note of an entry.
    """
    return {
        "in_line": synced.is_in_line,
        "dry_run": synced.is_dry,
        "entries": synced.entries,
        "outcomes": [outcome_json(one, advice=advice) for one in synced.told],
        "flaws": flaws_json(synced.flaws),
        "set_aside": list(synced.notes),
    }


def outcome_json(one: EntryOutcome, *, advice: Advice) -> Json:
    """Return what happened to one entry."""
    return {
        "step": one.step.value,
        "uid": one.uid,
        "label": one.label,
        "memory": one.memory,
        "path": one.path,
        "line": one.line,
        "claim": one.claim,
        "note": one.words,
        "advice": advice(one.words),
    }


def flaws_json(flaws: Iterable[Flaw]) -> list[Json]:
    """Return the errors of reading pages, each with its place and what to do."""
    return [
        {"path": flaw.path, "line": flaw.line, "problem": flaw.problem, "advice": flaw.advice}
        for flaw in flaws
    ]


def trusted_json(synced: Synced, *, advice: Advice) -> Json:
    """Return the entries that were accepted as they were shown."""
    return {"trusted": [outcome_json(one, advice=advice) for one in synced.told]}


def ignored_json(found: Sequence[EntryOutcome]) -> Json:
    """Return the session files of others that are left alone from now on."""
    return {"ignored": [one.path for one in found]}


def pending_json(found: Pending) -> Json:
    """Return the entries that came with git and that nobody here has accepted yet."""
    return {
        "shown": found.shown,
        "pending": [_pending(one) for one in found.outcomes],
        "flaws": flaws_json(found.flaws),
    }


def _pending(one: EntryOutcome) -> Json:
    details = {} if one.entry is None else one.details
    return {
        "uid": one.uid,
        "label": one.label,
        "path": one.path,
        "line": one.line,
        "claim": one.claim,
        "instead_of": one.before or None,
        "status": details.get("status", Status.ACCEPTED.value),
        "key": details.get("key"),
        "expires": details.get("expires"),
        "checks": [] if one.entry is None else list(one.entry.checks),
        "fields": dict(one.fields),
        "proof": one.proof,
    }


def clones_json(found: Iterable[Trusted]) -> Json:
    """Return the clones whose pages are trusted."""
    shapes = [
        {"clone": one.clone, "tree": one.tree, "by": one.by, "at": time_text(one.at)}
        for one in found
    ]
    return {"clones": shapes}


def revoked_json(found: Revoked) -> Json:
    """Return the memories that are candidates again, and the files that wait again."""
    return {"revoked": [one.memory.id for one in found.memories], "files": list(found.files)}


def merged_json(path: str, conflicts: Iterable[str]) -> Json:
    """Return a page that was merged, and the entries that both sides changed."""
    return {"path": path, "conflicts": list(conflicts)}
