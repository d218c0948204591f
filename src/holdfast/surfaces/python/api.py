"""The Python door: the verbs with plain words and keywords.

Each verb loads what it needs when it is called: most programs only recall.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, TypeVar, cast
from warnings import warn

from holdfast.bootstrap.wiring import open_holdfast
from holdfast.domain.acting import caller_of
from holdfast.domain.callers import PERSON, Operation
from holdfast.domain.choices import EvidenceType, Kind, Origin, Scope, choose
from holdfast.domain.question import DEFAULT_BUDGET, DEFAULT_LIMIT, Question
from holdfast.surfaces.python.expecting import (
    LIFETIME,
    NUMBER,
    PLACE,
    TEXT,
    TRUTH,
    WHOLE,
    expect,
    expect_claims,
    expect_options,
    expect_question,
)
from holdfast.surfaces.python.rights import admit, performs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import timedelta
    from types import TracebackType
    from typing import Self, Unpack

    from holdfast.app import Holdfast
    from holdfast.app.curation import Curation
    from holdfast.domain.callers import Caller
    from holdfast.domain.evidence import Evidence
    from holdfast.domain.link import Link
    from holdfast.domain.memory import MemoryRecord
    from holdfast.domain.rendering import Recalled
    from holdfast.usecases.blame import Governing
    from holdfast.usecases.browse import Provenance
    from holdfast.usecases.forget import Forgotten
    from holdfast.usecases.learn import Lesson
    from holdfast.usecases.remember import Remember, Remembered
    from holdfast.usecases.verify import Verification


Item = TypeVar("Item")
Options = TypeVar("Options", bound="Mapping[str, object]")


class RememberOptions(TypedDict, total=False):
    """What may be said about a claim."""

    kind: str
    scope: str
    key: str
    label: str
    tags: Sequence[str]
    evidence: Sequence[str | Evidence]
    because: str
    from_bundle: str
    derived_from: Sequence[str]
    ttl: str | timedelta
    importance: float
    weight: float
    pinned: bool
    metadata: Mapping[str, object]
    origin: str
    source: str


class RecallOptions(TypedDict, total=False):
    """What may be said about a question."""

    budget: int
    include: Sequence[str]
    limit: int
    kinds: Sequence[str]
    scopes: Sequence[str]
    tags: Sequence[str]
    as_of: str
    all_branches: bool


class Memory:
    """An open memory. Use it as a context manager, or close it when done."""

    def __init__(self, holdfast: Holdfast, caller: Caller = PERSON) -> None:
        self.app = holdfast
        self.caller = caller

    @property
    @performs(Operation.READ)
    def warnings(self) -> Sequence[str]:
        """What is wrong though the store can be used, such as a lost tail; each says what to do."""
        return self.app.store.warnings

    @performs(Operation.PROPOSE)
    def remember(self, claim: str, **options: Unpack[RememberOptions]) -> Remembered:
        """Keep a claim with its evidence; a path, ``path:line`` or ``path:from-to`` is a span."""
        expect("remember", TEXT, claim=claim)
        return self.app.remember(as_wish(claim, options, self.caller))

    @performs(Operation.PROPOSE)
    def remember_all(
        self, claims: Iterable[str], **options: Unpack[RememberOptions]
    ) -> Sequence[Remembered]:
        """Keep many claims in one durable step, all with the same options."""
        wishes = [as_wish(claim, options, self.caller) for claim in expect_claims(claims)]
        return self.app.remember_all(wishes)

    @performs(Operation.READ)
    def span(self, path: str, first: int, last: int | None = None) -> str:
        """Return a place in a file, for ``evidence``; it is read and hashed when remembered."""
        expect("span", PLACE, path=path)
        expect("span", WHOLE, first=first, last=first if last is None else last)
        return f"{path}:{first}-{last or first}"

    @performs(Operation.READ)
    def recall(self, question: str, **options: Unpack[RecallOptions]) -> Recalled:
        """Return what memory knows; ``.markdown()`` is the text for an agent."""
        expect_question(question)
        expect_options("recall", options, RecallOptions)
        options = _said(options)
        wish = Question(
            text=question,
            budget=options.get("budget", DEFAULT_BUDGET),
            include=_several(options.get("include", ("memory",))),
            limit=options.get("limit", DEFAULT_LIMIT),
            kinds=tuple(
                choose(Kind, kind, what="kind") for kind in _several(options.get("kinds", ()))
            ),
            scopes=tuple(
                choose(Scope, scope, what="scope") for scope in _several(options.get("scopes", ()))
            ),
            tags=_several(options.get("tags", ())),
            as_of=options.get("as_of"),
            all_branches=options.get("all_branches", False),
        )
        return self.app.recall(wish)

    @performs(Operation.MAINTAIN)
    def verify(self, *references: str, everything: bool = False) -> Verification:
        """Check what memories rest on against the repository: those named, or all here."""
        from holdfast.usecases.verify import Verify

        for reference in references:
            expect("verify", TEXT, reference=reference)
        expect("verify", TRUTH, everything=everything)
        return self.app.verify(Verify(references=references, everything=everything))

    @performs(Operation.READ)
    def blame(self, place: str) -> Sequence[Governing]:
        """Return the memories that govern a line, written ``path:line``."""
        from holdfast.domain.evidence import read_place

        expect("blame", TEXT, place=place)
        return self.app.blame(read_place(place))

    @performs(Operation.READ)
    def list(self, query: str = "", *, limit: int = 50) -> Sequence[MemoryRecord]:
        """Return memories, newest first, or best first when words are given."""
        from holdfast.domain.selection import Page, Selection
        from holdfast.usecases.browse import Browse

        expect("list", TEXT, query=query)
        expect("list", WHOLE, limit=limit)
        place = self.app.surroundings.place()
        wish = Browse(selection=Selection(place=place), query=query, page=Page(limit=limit))
        return self.app.browse(wish).records

    @performs(Operation.READ)
    def explain(self, memory_id: str) -> Provenance:
        """Return the full chain behind a memory."""
        expect("explain", TEXT, memory_id=memory_id)
        return self.app.explain(memory_id)

    @performs(Operation.FORGET)
    def forget(self, memory_id: str, *, reason: str = "") -> Forgotten:
        """Remove a memory so that no byte of it stays."""
        from holdfast.usecases.forget import Forget

        expect("forget", TEXT, memory_id=memory_id, reason=reason)
        return self.app.forget(Forget(reference=memory_id, reason=reason))

    @performs(Operation.PROPOSE)
    def propose_forgetting(self, memory_id: str, *, reason: str = "") -> MemoryRecord:
        """Propose to a person that a memory be forgotten; nothing is gone until they do it."""
        from holdfast.usecases.forget import Forget

        expect("propose_forgetting", TEXT, memory_id=memory_id, reason=reason)
        by = self.caller.source(None, door="python")
        wish = Forget(reference=memory_id, by=by, reason=reason, origin=self.caller.origin)
        return self.app.propose_forgetting(wish)

    @performs(Operation.DECIDE)
    def link(self, src: str, dst: str, *, kind: str = "related", score: float = 1.0) -> Link:
        """Link two memories."""
        from holdfast.domain.ids import MemoryId
        from holdfast.domain.link import Link

        expect("link", TEXT, src=src, dst=dst, kind=kind)
        expect("link", NUMBER, score=score)
        return self.app.link(Link(src=MemoryId(src), dst=MemoryId(dst), kind=kind, score=score))

    @performs(Operation.RECORD)
    def feedback(self, bundle_id: str, *, good: bool) -> None:
        """Say whether an answer helped."""
        expect("feedback", TEXT, bundle_id=bundle_id)
        expect("feedback", TRUTH, good=good)
        self.app.feedback(bundle_id, good=good, origin=self.caller.origin)

    @performs(Operation.READ)
    def learn(self, *, since: str | timedelta = "30d", dry_run: bool = False) -> Lesson:
        """Learn from rated answers how to weigh; ``since`` says how old they may be."""
        from holdfast.domain.lifetime import read_lifetime
        from holdfast.usecases.learn import Learn

        expect("learn", LIFETIME, since=since)
        expect("learn", TRUTH, dry_run=dry_run)
        if not dry_run:
            admit(self.caller, Operation.CONFIGURE)
        age = read_lifetime(since) if isinstance(since, str) else since
        return self.app.learn(Learn(since=age, dry_run=dry_run))

    @performs(Operation.MAINTAIN)
    def catch_up(self) -> int:
        """Let the model read what it has not read yet; return how many memories that were."""
        return self.app.catch_up(lambda _done, _total: None)

    @property
    @performs(Operation.DECIDE)
    def curation(self) -> Curation:
        """What a person decides: review, approve, reject, edit, resolve, undo, revert."""
        from holdfast.app.curation import Curation

        return Curation(self.app)

    @performs(Operation.READ)
    def close(self) -> None:
        """Let go of the store."""
        self.app.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def as_wish(claim: str, options: RememberOptions, caller: Caller = PERSON) -> Remember:
    """Read the keywords into a wish; who says it is the caller, unless an option names another.

    Raises:
        NeedsPersonError: An agent would speak as a person.
    """
    from holdfast.domain.evidence import Evidence
    from holdfast.domain.lifetime import read_lifetime
    from holdfast.usecases.gather import Grounds
    from holdfast.usecases.remember import Remember

    expect_options("remember", options, RememberOptions)
    options = _said(options)
    evidence = options.get("evidence", ())
    given = (evidence,) if isinstance(evidence, Evidence) else _several(evidence)
    ttl = options.get("ttl")
    scope = options.get("scope")
    origin = choose(Origin, options.get("origin", caller.origin.value), what="origin")
    if origin is Origin.HUMAN:
        admit(caller, Operation.DECIDE)
    return Remember(
        claim=claim,
        kind=choose(Kind, options.get("kind", "fact"), what="kind"),
        scope=None if scope is None else choose(Scope, scope, what="scope"),
        key=options.get("key"),
        label=options.get("label"),
        tags=_several(options.get("tags", ())),
        keep_for=read_lifetime(ttl) if isinstance(ttl, str) else ttl,
        importance=options.get("importance", 0.5),
        weight=options.get("weight", 1.0),
        pinned=options.get("pinned", False),
        metadata=options.get("metadata", {}),
        origin=origin,
        source=caller.source(options.get("source"), door="python"),
        grounds=Grounds(
            places=tuple(item for item in given if isinstance(item, str)),
            given=tuple(item for item in given if isinstance(item, Evidence)),
            because=options.get("because"),
            from_bundle=options.get("from_bundle"),
            derived_from=_several(options.get("derived_from", ())),
        ),
    )


def _several(given: Sequence[Item]) -> tuple[Item, ...]:
    """Return what was given one by one; a text alone is one thing, not its letters."""
    return cast("tuple[Item, ...]", (given,)) if isinstance(given, str) else tuple(given)


def _said(options: Options) -> Options:
    """Return the options without those that are None: a program may pass what it was not given."""
    return cast("Options", {name: value for name, value in options.items() if value is not None})


def url(address: str) -> Evidence:
    """Return a web address as evidence."""
    from holdfast.domain.evidence import Evidence

    expect("url", TEXT, address=address)
    return Evidence(type=EvidenceType.URL, reference=address)


def command(line: str, *, exit_code: int | None = None) -> Evidence:
    """Return a command that was run as evidence."""
    from holdfast.domain.evidence import Evidence

    expect("command", TEXT, line=line)
    expect("command", WHOLE, exit_code=0 if exit_code is None else exit_code)
    facts = {} if exit_code is None else {"exit_code": str(exit_code)}
    return Evidence(type=EvidenceType.COMMAND, reference=line, facts=facts)


def open_memory(*, home: Path | str | None = None, folder: Path | str | None = None) -> Memory:
    """Open the memory of this person, seen from a folder.

    Warns if the store has lost its newest changes, or if an older file was put in its place.
    """
    expect("open", PLACE, home=home or "", folder=folder or "")
    memory = Memory(
        open_holdfast(
            home=None if home is None else Path(home),
            folder=None if folder is None else Path(folder),
            tokens="exact",
        ),
        caller_of(os.environ),
    )
    for warning in memory.warnings:
        warn(warning, RuntimeWarning, stacklevel=3)
    return memory
