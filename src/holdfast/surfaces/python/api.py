"""The Python door: the verbs with plain words and keywords.

Each verb loads what it needs when it is called: most programs only recall.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, TypeVar, cast
from warnings import warn

from holdfast.bootstrap.machine import Machine
from holdfast.bootstrap.spaces import folder_of, wanted_space
from holdfast.domain.acting import principal_of
from holdfast.domain.callers import Principal, PrincipalKind
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

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import timedelta
    from types import TracebackType
    from typing import Self, Unpack

    from holdfast.app import Holdfast
    from holdfast.app.curation import Curation
    from holdfast.domain.evidence import Evidence
    from holdfast.domain.link import Link
    from holdfast.domain.memory import MemoryRecord
    from holdfast.domain.place import SpaceId
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

    def __init__(self, holdfast: Holdfast) -> None:
        self.app = holdfast

    @property
    def warnings(self) -> Sequence[str]:
        """What is wrong though the store can be used, such as a lost tail; each says what to do."""
        return self.app.warnings

    def remember(self, claim: str, **options: Unpack[RememberOptions]) -> Remembered:
        """Keep a claim with its evidence; a path, ``path:line`` or ``path:from-to`` is a span."""
        expect("remember", TEXT, claim=claim)
        return self.app.memories.remember(as_wish(claim, options, self.app.principal))

    def remember_all(
        self, claims: Iterable[str], **options: Unpack[RememberOptions]
    ) -> Sequence[Remembered]:
        """Keep many claims in one durable step, all with the same options."""
        wishes = [as_wish(claim, options, self.app.principal) for claim in expect_claims(claims)]
        return self.app.memories.remember_all(wishes)

    def span(self, path: str, first: int, last: int | None = None) -> str:
        """Return a place in a file, for ``evidence``; it is read and hashed when remembered."""
        expect("span", PLACE, path=path)
        expect("span", WHOLE, first=first, last=first if last is None else last)
        return f"{path}:{first}-{last or first}"

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
        return self.app.answers.recall(wish)

    def verify(self, *references: str, everything: bool = False) -> Verification:
        """Check what memories rest on against the repository: those named, or all here."""
        from holdfast.usecases.verify import Verify

        for reference in references:
            expect("verify", TEXT, reference=reference)
        expect("verify", TRUTH, everything=everything)
        return self.app.evidence.verify(Verify(references=references, everything=everything))

    def blame(self, place: str) -> Sequence[Governing]:
        """Return the memories that govern a line, written ``path:line``."""
        from holdfast.domain.evidence import read_place

        expect("blame", TEXT, place=place)
        return self.app.evidence.blame(read_place(place))

    def list(self, query: str = "", *, limit: int = 50) -> Sequence[MemoryRecord]:
        """Return memories, newest first, or best first when words are given."""
        from holdfast.domain.selection import Page, Selection
        from holdfast.usecases.browse import Browse

        expect("list", TEXT, query=query)
        expect("list", WHOLE, limit=limit)
        place = self.app.place()
        wish = Browse(selection=Selection(place=place), query=query, page=Page(limit=limit))
        return self.app.memories.browse(wish).records

    def explain(self, memory_id: str) -> Provenance:
        """Return the full chain behind a memory."""
        expect("explain", TEXT, memory_id=memory_id)
        return self.app.memories.explain(memory_id)

    def forget(self, memory_id: str, *, reason: str = "") -> Forgotten:
        """Remove a memory so that no byte of it stays."""
        from holdfast.usecases.forget import Forget

        expect("forget", TEXT, memory_id=memory_id, reason=reason)
        return self.app.memories.forget(Forget(reference=memory_id, reason=reason))

    def propose_forgetting(self, memory_id: str, *, reason: str = "") -> MemoryRecord:
        """Propose to a person that a memory be forgotten; nothing is gone until they do it."""
        from holdfast.usecases.forget import Forget

        expect("propose_forgetting", TEXT, memory_id=memory_id, reason=reason)
        by = self.app.principal.source(None, door="python")
        wish = Forget(reference=memory_id, by=by, reason=reason)
        return self.app.memories.propose_forgetting(wish)

    def link(self, src: str, dst: str, *, kind: str = "related", score: float = 1.0) -> Link:
        """Link two memories."""
        from holdfast.domain.ids import MemoryId
        from holdfast.domain.link import Link

        expect("link", TEXT, src=src, dst=dst, kind=kind)
        expect("link", NUMBER, score=score)
        return self.app.memories.link(
            Link(src=MemoryId(src), dst=MemoryId(dst), kind=kind, score=score)
        )

    def feedback(self, bundle_id: str, *, good: bool) -> None:
        """Say whether an answer helped."""
        expect("feedback", TEXT, bundle_id=bundle_id)
        expect("feedback", TRUTH, good=good)
        self.app.answers.feedback(bundle_id, good=good)

    def learn(self, *, since: str | timedelta = "30d", dry_run: bool = False) -> Lesson:
        """Learn from rated answers how to weigh; ``since`` says how old they may be."""
        from holdfast.domain.lifetime import read_lifetime
        from holdfast.usecases.learn import Learn

        expect("learn", LIFETIME, since=since)
        expect("learn", TRUTH, dry_run=dry_run)
        age = read_lifetime(since) if isinstance(since, str) else since
        return self.app.answers.learn(Learn(since=age, dry_run=dry_run))

    def catch_up(self) -> int:
        """Let the model read what it has not read yet; return how many memories that were."""
        return self.app.upkeep.catch_up(lambda _done, _total: None)

    @property
    def curation(self) -> Curation:
        """What a person decides: review, approve, reject, edit, resolve, undo, revert."""
        return self.app.review

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


def as_wish(claim: str, options: RememberOptions, principal: Principal) -> Remember:
    """Read the keywords into a wish of the principal, unless an option names another origin."""
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
    origin = choose(Origin, options.get("origin", principal.origin.value), what="origin")
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
        source=principal.source(options.get("source"), door="python"),
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


def open_memory(
    *,
    home: Path | str | None = None,
    folder: Path | str | None = None,
    space: str | None = None,
    as_: str | None = None,
    name: str = "",
) -> Memory:
    """Open the memory of a space, seen from a folder.

    ``space`` names the space; without it HOLDFAST_SPACE does, or it is the default one.
    ``as_`` says who acts: person, agent, tool or service; without it the environment says.
    ``name`` is their name. A program that an agent runs acts as that agent, whatever it says.

    Warns if the store has lost its newest changes, or if an older file was put in its place.
    """
    expect("open", PLACE, home=home or "", folder=folder or "")
    expect("open", TEXT, space=space or "", as_=as_ or "", name=name)
    wanted = wanted_space(space)
    store = folder_of(wanted, "" if home is None else str(home))
    machine = Machine(
        principal=_principal(as_, name, wanted),
        home=Path(store) if store else None,
        folder=lambda: Path.cwd() if folder is None else Path(folder),
    )
    memory = Memory(machine.open(tokens="exact"))
    for warning in memory.warnings:
        warn(warning, RuntimeWarning, stacklevel=3)
    return memory


def _principal(as_: str | None, name: str, space: SpaceId) -> Principal:
    """Return who acts: whoever the environment names, else the kind that the program names."""
    found = principal_of(os.environ, space=space, user=name)
    if as_ is None or found.kind is not PrincipalKind.PERSON:
        return found
    kind = choose(PrincipalKind, as_, what="kind of caller")
    return Principal.of(kind, space=space, name=name)
