"""The Python door: the verbs with plain words and keywords.

Each verb loads what it needs when it is called: most programs only recall.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, cast
from warnings import warn

from holdfast.bootstrap.wiring import open_holdfast
from holdfast.domain.acting import caller_of
from holdfast.domain.callers import PERSON, Operation
from holdfast.domain.choices import EvidenceType, Origin, choose
from holdfast.domain.question import Question
from holdfast.domain.values import replace
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
from holdfast.surfaces.wire.requests import read_browse, read_question

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


_LISTS = frozenset({"evidence", "tags", "derived_from", "include", "kinds", "scopes"})


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
        """Keep a claim with its evidence: ``path:line``, a URL, ``commit:…``, ``command:…``.

        A text is read as the command line reads it: a path, ``path:line`` or ``path:from-to``
        is a span, ``https://…`` a URL, ``commit:…`` a commit, ``command:…`` a command.
        """
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
        request = {"q": question, **_as_request(options)}
        return self.app.recall(read_question(request, Question(text=""), noun="question"))

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
        expect("list", TEXT, query=query)
        expect("list", WHOLE, limit=limit)
        place, now = self.app.surroundings.place(), self.app.clock.now()
        wish = read_browse({"q": query, "limit": limit}, place=place, now=now, noun="list")
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
    from holdfast.surfaces.wire.requests import read_remember
    from holdfast.usecases.remember import Remember

    expect_options("remember", options, RememberOptions)
    request = {"claim": claim, **_as_request(options)}
    origin = choose(Origin, str(request.pop("origin", caller.origin.value)), what="origin")
    if origin is Origin.HUMAN:
        admit(caller, Operation.DECIDE)
    source = caller.source(options.get("source"), door="python")
    defaults = Remember(claim="", origin=origin)
    return replace(read_remember(request, defaults, noun="remember"), source=source)


def _as_request(options: Mapping[str, object]) -> dict[str, object]:
    """Return keywords as the fields of a request; one that is None was not given.

    Where several are wanted, one alone is taken for a list of one: not for its letters.
    """
    from holdfast.surfaces.wire.requests import said

    request = said(**options)
    for name in _LISTS & set(request):
        given = request[name]
        several = isinstance(given, list | tuple | set | frozenset)
        request[name] = list(cast("Sequence[object]", given)) if several else [given]
    return request


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
