"""The schemas of the nouns in every answer; an export has the same shapes."""

from __future__ import annotations

from holdfast.domain.checks.outcome import CheckState
from holdfast.domain.choices import EvidenceType
from holdfast.domain.memory.anchor import Verdict
from holdfast.domain.memory.decision import Action
from holdfast.domain.review.review import Risk
from holdfast.domain.review.suspicion import Clash
from holdfast.domain.review.traces import Reach
from holdfast.domain.sessions.run import RunStatus
from holdfast.surfaces.wire.schema.bundle import BUNDLE
from holdfast.surfaces.wire.schema.words import (
    KINDS,
    MOMENT,
    NUMBER,
    ORIGINS,
    SCOPES,
    STATUSES,
    TEXT,
    TRUTH,
    WHOLE,
    Json,
    about,
    list_of,
    map_of,
    maybe,
    object_of,
    one_of,
    ref,
)

_WHERE: Json = {"path": TEXT, "first": WHOLE, "last": WHOLE}
TURN: Json = {
    "id": WHOLE,
    "session_id": TEXT,
    "at": MOMENT,
    "query": TEXT,
    "bundle_id": maybe(TEXT),
    "satisfied": maybe(TRUTH),
    "notes": TEXT,
}
_STANDING: Json = {
    "status": one_of(STATUSES),
    "pinned": TRUTH,
    "label": maybe(TEXT),
    "superseded_by": maybe(TEXT),
    "decided_by": maybe(TEXT),
    "decided_at": maybe(MOMENT),
    "reason": maybe(TEXT),
}
MEMORY: Json = {
    "id": TEXT,
    "sequence": WHOLE,
    "space": TEXT,
    "scope": one_of(SCOPES),
    "workspace": TEXT,
    "repo": maybe(TEXT),
    "branch": maybe(TEXT),
    "standpoint": maybe(ref("standpoint")),
    "kind": one_of(KINDS),
    "key": maybe(TEXT),
    "claim": about(TEXT, "The claim, in Markdown."),
    "weight": NUMBER,
    "importance": NUMBER,
    "tags": list_of(TEXT),
    "origin": about(one_of(ORIGINS), "Who said it."),
    "trust": about(one_of(ORIGINS), "The least trusted of everything it derives from."),
    "source": TEXT,
    "created_at": MOMENT,
    "expires_at": maybe(MOMENT),
    "content_hash": TEXT,
    "metadata": {"type": "object"},
    "evidence": about(list_of(ref("evidence")), "The evidence that was given at first."),
    "added_evidence": about(list_of(ref("evidence")), "The evidence that came later."),
    **_STANDING,
    "access_count": WHOLE,
    "last_accessed": maybe(MOMENT),
    "good": WHOLE,
    "bad": WHOLE,
}
SESSION: Json = {
    "id": TEXT,
    "tool": TEXT,
    "user": TEXT,
    "repo": maybe(TEXT),
    "branch": maybe(TEXT),
    "started_at": MOMENT,
    "finished_at": maybe(MOMENT),
    "standpoint": maybe(ref("standpoint")),
}
TRACE = object_of({"place": TEXT, "state": one_of(Reach), "advice": TEXT})
CONFLICT: Json = {
    "candidate": TEXT,
    "standing": TEXT,
    "candidate_claim": TEXT,
    "standing_claim": TEXT,
    "clash": one_of(Clash),
    "reason": TEXT,
    "confidence": NUMBER,
    "advice": about(TRUTH, "Whether only a model suspects it; then it blocks nothing."),
    "fields": list_of(object_of({"name": TEXT, "candidate": TEXT, "standing": TEXT})),
}
_ANCHOR: Json = {
    "loose_hash": TEXT,
    "marks": list_of(TEXT),
    "before": list_of(TEXT),
    "after": list_of(TEXT),
    "all_marked": TRUTH,
    "symbol": maybe(TEXT),
    "blob": maybe(TEXT),
    "committed": TRUTH,
    "head": maybe(TEXT),
    "branch": maybe(TEXT),
    "touched_by": maybe(TEXT),
    "patch": maybe(TEXT),
}
_DECISION: Json = {
    "id": TEXT,
    "at": MOMENT,
    "by": TEXT,
    "action": one_of(Action),
    "changes": list_of(
        object_of({"memory_id": TEXT, "before": maybe(ref("standing")), "after": ref("standing")})
    ),
    "linked": list_of(ref("link")),
    "unlinked": list_of(ref("link")),
    "withdrawn": list_of(object_of({"memory_id": TEXT, "evidence": ref("evidence")})),
    "strengthened": list_of(object_of({"memory_id": TEXT, "evidence": ref("evidence")})),
    "undone_at": maybe(MOMENT),
}
_CANDIDATE: Json = {
    "memory": ref("memory"),
    "shown": about(TEXT, "The hash by which exactly this is approved."),
    "risk": one_of(Risk),
    "risk_why": list_of(TEXT),
    "worth": NUMBER,
    "worth_parts": map_of(NUMBER),
    "evidence": list_of(ref("verdict")),
    "quotes": list_of(ref("quote")),
    "conflicts": list_of(ref("conflict")),
    "advice": about(
        list_of(ref("conflict")), "Pairs that only a model suspects; they block nothing."
    ),
    "instead_of": list_of(object_of({"id": TEXT, "claim": TEXT, "diff": TEXT})),
    "known_as": maybe(TEXT),
    "offers": maybe(object_of({"what": TEXT, "about": TEXT, "claim": maybe(TEXT)})),
    "marks": list_of(TEXT),
    "commands": list_of(TEXT),
    "checks": list_of(ref("check")),
}
_AUTHOR = about(TEXT, "The author, if no person wrote it.")
_RUN: Json = {
    "id": TEXT,
    "label": TEXT,
    "status": one_of(RunStatus),
    "tool": TEXT,
    "user": TEXT,
    "repo": maybe(TEXT),
    "branch": maybe(TEXT),
    "goal": TEXT,
    "head": maybe(TEXT),
    "end_head": maybe(TEXT),
    "started_at": MOMENT,
    "finished_at": maybe(MOMENT),
    "notes": list_of(
        object_of({"at": MOMENT, "text": TEXT, "by": _AUTHOR}, required=["at", "text"])
    ),
    "summary": TEXT,
    "summary_by": _AUTHOR,
    "drafted": TRUTH,
    "commits": list_of(TEXT),
    "files": list_of(TEXT),
}

NOUNS: dict[str, Json] = {
    "anchor": object_of(_ANCHOR),
    "bundle": object_of(BUNDLE),
    "candidate": object_of(_CANDIDATE, required=[name for name in _CANDIDATE if name != "checks"]),
    "check": object_of(
        {
            "check": TEXT,
            "state": one_of(CheckState),
            "places": list_of(object_of({"path": TEXT, "line": WHOLE, "what": TEXT})),
            "more": WHOLE,
            "why": TEXT,
        }
    ),
    "conflict": object_of(CONFLICT),
    "decision": object_of(_DECISION),
    "evidence": object_of(
        {"type": one_of(EvidenceType), "ref": TEXT, "span": TEXT, "facts": map_of(TEXT)},
        required=["type", "ref"],
    ),
    "link": object_of({"src": TEXT, "dst": TEXT, "kind": TEXT, "score": NUMBER}),
    "memory": object_of(MEMORY),
    "quote": object_of(
        {"ref": TEXT, "path": TEXT, "first": WHOLE, "lines": list_of(TEXT), "more": WHOLE}
    ),
    "run": object_of(_RUN, required=[name for name in _RUN if name != "summary_by"]),
    "session": object_of(SESSION),
    "span": object_of(
        {
            "id": TEXT,
            "repo": maybe(TEXT),
            **_WHERE,
            "text_hash": TEXT,
            "captured_at": MOMENT,
            "label": maybe(TEXT),
            "pinned": TRUTH,
            "anchor": maybe(ref("anchor")),
        }
    ),
    "standing": object_of(_STANDING),
    "standpoint": object_of({"branch": maybe(TEXT), "head": TEXT, "aside": TRUTH, "shared": TRUTH}),
    "turn": object_of({**TURN, "recorded_by": about(TEXT, "Who recorded it, if no person did.")}),
    "verdict": object_of(
        {
            "ref": TEXT,
            "span": maybe(TEXT),
            "verdict": one_of(Verdict),
            "places": list_of(object_of(_WHERE)),
            "how": TEXT,
            "change": list_of(TEXT),
            "commit": maybe(TEXT),
        }
    ),
}
"""Every noun by name."""
