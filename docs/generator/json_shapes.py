"""The JSON of every noun, shown by values made in code."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from docs.generator.markdown import Page
from holdfast.domain.choices import EvidenceType, Kind, Origin, PassageKind, Scope
from holdfast.domain.exchange.anchor_shape import rewrite_json
from holdfast.domain.exchange.bundle_shape import bundle_json, checked_json
from holdfast.domain.exchange.session_shapes import session_json, turn_json
from holdfast.domain.exchange.shapes import link_json, record_json, span_json, tombstone_json
from holdfast.domain.ids import MemoryId, SessionId, SpanId, bundle_name, sortable
from holdfast.domain.memory.anchor import (
    Anchor,
    BranchPoint,
    Checked,
    FoundLines,
    Rewrite,
    RewriteHow,
    Sighting,
    Verdict,
    anchored,
)
from holdfast.domain.memory.entry import digest
from holdfast.domain.memory.evidence import Evidence, Span
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Memory, MemoryRecord, Standing, Tombstone, Usage
from holdfast.domain.memory.place import Place
from holdfast.domain.recall.bundle import Bundle, BundleItem, LeftOut, PassageItem, Reason
from holdfast.domain.recall.question import Question
from holdfast.domain.sessions.session import Interaction, Session
from holdfast.domain.values import replace
from holdfast.usecases.exchange.export import FORMAT

_NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
_REPO = "repo_5f0c6b1e7a2d49c83b10"
_HEAD, _SUCCESSOR, _BLOB = ("1f7b3c" * 7)[:40], ("9a04e2" * 7)[:40], ("c0ffee" * 7)[:40]
_BRANCH_POINT = BranchPoint(branch="main", head=_HEAD)


def json_shapes() -> str:
    """Return the page of every shape."""
    memory, other = _id("m", 1), _id("m", 2)
    span, session = _span(), _session()
    bundle = _bundle(memory, other)
    page = Page("JSON shapes")
    page.text(
        "These shapes are what `--json` shows and what an export holds.",
        "Times are ISO 8601 in UTC.",
        "The [JSON Schemas](schemas.md) describe every answer and every request.",
        "A field that is missing in an import counts as `null` where `null` is allowed.",
    )
    page.heading("Memory")
    page.text("`evidence` was given at first; `added_evidence` came later.")
    page.json(record_json(_record(memory, span)))
    page.heading("Span")
    page.text(
        "`anchor` ties the lines to the content of the repository: hashes of the lines and of"
        " those around them, and what git called the file and the commit.",
    )
    page.json(span_json(span))
    _add_verdict(page, span)
    page.heading("Link")
    page.json(link_json(Link(src=MemoryId(memory), dst=MemoryId(other), kind="supports")))
    page.heading("Bundle")
    page.text(
        "A bundle holds ids, hashes and reasons, never the text of a memory or a passage.",
        "`evidence` of an item is what was checked when it was given; `passages` are code and"
        " commits.",
    )
    page.json(bundle_json(bundle))
    page.heading("Session")
    page.json(session_json(session))
    page.heading("Turn")
    page.json(turn_json(_turn(session, bundle)))
    page.heading("Rewrite")
    page.text("One commit took the place of another.")
    page.json(rewrite_json(_rewrite()))
    page.heading("Tombstone")
    page.json(tombstone_json(_tombstone(other)))
    _add_export(page)
    return page.written()


def _add_verdict(page: Page, span: Span) -> None:
    page.heading("Verdict")
    page.text(
        "What checking one piece of evidence said; `verify --json`, `blame --json` and"
        " `show --json` give it.",
        "`places` is where it is now, several where nobody can tell; `commit` is what took the"
        " place of a commit, or moved the lines.",
    )
    page.json(checked_json(_drifted(span)))


def _add_export(page: Page) -> None:
    page.heading("Export")
    page.text(
        "An export is lines of JSON, each an object with `type` and `data`.",
        f"The first line is the header with the format's number, now {FORMAT}.",
        "Format 1, in which a claim is called `value`, can still be imported.",
        "After it come the types `span`, `rewrite`, `tombstone`, `memory`, `link`, `bundle`,"
        " `session` and `turn`, with the shapes above.",
    )
    page.code(f'{{"type": "holdfast", "data": {{"format": {FORMAT}}}}}', "json")


def _id(prefix: str, entropy: int) -> str:
    return sortable(prefix, at=_NOON, entropy=entropy << 40 | 0x5DEECE66D)


def _span() -> Span:
    return Span(
        id=SpanId(_id("s", 3)),
        repo=_REPO,
        path="src/auth/tokens.py",
        first=41,
        last=58,
        text_hash=digest("the lines"),
        captured_at=_NOON,
        anchor=_anchor(),
    )


def _anchor() -> Anchor:
    lines = ["def rotate(store, value):", "    token = store.tokens.get(value)", "    return token"]
    return replace(
        anchored(lines, 2, 2),
        symbol="rotate",
        blob=_BLOB,
        is_committed=True,
        head=_HEAD,
        branch="main",
    )


def _drifted(span: Span) -> Checked:
    return Checked(
        reference=span.reference,
        span=span.id,
        sighting=Sighting(
            verdict=Verdict.DRIFTED,
            places=(FoundLines(path="src/identity/tokens.py", first=44, last=61),),
            change=("-    if token.used:", "+    if token.used and not token.in_grace:"),
        ),
    )


def _rewrite() -> Rewrite:
    return Rewrite(repo=_REPO, old=_HEAD, new=_SUCCESSOR, how=RewriteHow.HOOK, at=_NOON)


def _record(memory_id: str, span: Span) -> MemoryRecord:
    return MemoryRecord(
        sequence=1,
        memory=Memory(
            origin=Origin.HUMAN,
            trust=Origin.HUMAN,
            id=MemoryId(memory_id),
            claim="Refresh tokens rotate on every use.",
            kind=Kind.GOTCHA,
            scope=Scope.REPO,
            created_at=_NOON,
            expires_at=_NOON + timedelta(days=30),
            evidence=(
                Evidence(type=EvidenceType.SPAN, reference=span.reference, span=span.id),
                Evidence(type=EvidenceType.STATEMENT, reference="seen in review"),
            ),
            source="cli",
            repo=_REPO,
            branch="main",
            key="refresh-token-rotation",
            tags=("auth",),
            branch_point=_BRANCH_POINT,
        ),
        standing=Standing(label="GOT-001"),
        usage=Usage(access_count=2, last_accessed=_NOON, good=1),
        added_evidence=(
            Evidence(
                type=EvidenceType.COMMAND, reference="pytest tests/auth", facts={"exit_code": "0"}
            ),
        ),
    )


def _bundle(given: str, left: str) -> Bundle:
    words = Reason(leg="words", amount=0.6, note="rotate, refresh, tokens")
    return Bundle(
        id=bundle_name(at=_NOON, entropy=0x3FA9C1),
        question=Question(text="rotate refresh tokens", include=("memory", "code")),
        asked_at=_NOON,
        place=Place(repo=_REPO, branch="main"),
        items=(
            BundleItem(
                memory_id=MemoryId(given),
                content_hash=digest("the claim"),
                score=0.88,
                tokens=61,
                reasons=(words, Reason(leg="exact", amount=0.25, note="refresh-token-rotation")),
                checked=(_fresh(_span()),),
            ),
        ),
        left_out=(
            LeftOut(
                memory_id=MemoryId(left),
                score=0.05,
                tokens=0,
                reasons=(Reason(leg="words", amount=0.05, note="tokens"),),
                why="too few words in common",
            ),
        ),
        tokens=112,
        counter="estimate",
        good=True,
        passages=(_passage(),),
    )


def _fresh(span: Span) -> Checked:
    here = FoundLines(path=span.path, first=span.first, last=span.last)
    return Checked(
        reference=span.reference,
        span=span.id,
        sighting=Sighting(verdict=Verdict.FRESH, places=(here,)),
    )


def _passage() -> PassageItem:
    return PassageItem(
        kind=PassageKind.CODE,
        reference="src/auth/tokens.py:40-58",
        title="rotate def rotate(store: TokenStore, value: str) -> RefreshToken",
        text_hash=digest("the passage"),
        score=1.06,
        tokens=214,
        reasons=(Reason(leg="words", amount=0.81, note="rotate, refresh, tokens"),),
        beside=("TokenStore.issue",),
    )


def _session() -> Session:
    return Session(
        id=SessionId(_id("i", 4)),
        tool="a-coding-agent",
        user="you",
        repo=_REPO,
        branch="main",
        started_at=_NOON,
        finished_at=_NOON + timedelta(hours=1),
        branch_point=_BRANCH_POINT,
    )


def _turn(session: Session, bundle: Bundle) -> Interaction:
    return Interaction(
        id=1,
        session_id=session.id,
        at=_NOON,
        query="rotate refresh tokens",
        bundle_id=bundle.id,
        satisfied=True,
        notes="found it",
    )


def _tombstone(memory_id: str) -> Tombstone:
    return Tombstone(
        memory_id=MemoryId(memory_id), forgotten_at=_NOON, forgotten_by="you", reason="outdated"
    )
