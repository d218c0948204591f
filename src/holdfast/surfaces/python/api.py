"""The Python API: one method per verb, with plain arguments.

Each method imports what it needs when it is called, because most programs only recall.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, cast
from warnings import warn

from holdfast.bootstrap.machine.machine import Machine
from holdfast.bootstrap.plugs.server import ServerPlace
from holdfast.bootstrap.plugs.spaces import folder_of, wanted_space
from holdfast.domain.choices import EvidenceType, Origin, choose
from holdfast.domain.memory.acting import principal_of
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.recall.question import Question
from holdfast.domain.values import replace
from holdfast.surfaces.python.advice import with_advice
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
from holdfast.surfaces.wire.requests import read_browse, read_question

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import timedelta
    from types import TracebackType
    from typing import Self, Unpack

    from holdfast.app import Holdfast
    from holdfast.app.curation import Curation
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.place import SpaceId
    from holdfast.domain.recall.rendering import Recalled
    from holdfast.usecases.anchors.blame import Governing
    from holdfast.usecases.anchors.verify import Verification
    from holdfast.usecases.memory.browse import Provenance
    from holdfast.usecases.memory.forget import Forgotten
    from holdfast.usecases.memory.remember import Remember, Remembered
    from holdfast.usecases.recall.learn import Lesson


_LISTS = frozenset({"evidence", "tags", "derived_from", "include", "kinds", "scopes"})


class RememberOptions(TypedDict, total=False):
    """The options of a claim."""

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
    """The options of a question."""

    budget: int
    include: Sequence[str]
    limit: int
    kinds: Sequence[str]
    scopes: Sequence[str]
    tags: Sequence[str]
    as_of: str
    all_branches: bool


@with_advice
class Memory:
    """An open memory. Use it as a context manager, or close it when done."""

    def __init__(self, holdfast: Holdfast) -> None:
        self.app = holdfast

    @property
    def warnings(self) -> Sequence[str]:
        """Problems of a store that can still be used, such as a lost tail; each says what to do."""
        return self.app.warnings

    def remember(self, claim: str, **options: Unpack[RememberOptions]) -> Remembered:
        """Keep a claim with its evidence: ``path:line``, a URL, ``commit:…``, ``command:…``.

        A text is read as the command line reads it: a path, ``path:line`` or ``path:from-to``
        is a span, ``https://…`` a URL, ``commit:…`` a commit, ``command:…`` a command.
        """
        expect("remember", TEXT, claim=claim)
        return self.app.memories.remember(as_wish(claim, options, self.app.principal))

    def remember_all(
        self, claims: Iterable[str], **options: Unpack[RememberOptions]
    ) -> Sequence[Remembered]:
        """Keep many claims in one durable step, all with the same options."""
        wishes = [as_wish(claim, options, self.app.principal) for claim in expect_claims(claims)]
        return self.app.memories.remember_all(wishes)

    def span(self, path: str, first: int, last: int | None = None) -> str:
        """Return a place in a file, for ``evidence``; ``remember`` reads and hashes it."""
        expect("span", PLACE, path=path)
        expect("span", WHOLE, first=first, last=first if last is None else last)
        return f"{path}:{first}-{last or first}"

    def recall(self, question: str, **options: Unpack[RecallOptions]) -> Recalled:
        """Return the answer to a question; ``.markdown()`` is the text for an agent."""
        expect_question(question)
        expect_options("recall", options, RecallOptions)
        request = {"q": question, **_as_request(options)}
        return self.app.answers.recall(read_question(request, Question(text=""), noun="question"))

    def verify(self, *references: str, everything: bool = False) -> Verification:
        """Check the evidence of memories against the repository: of those named, or of all here."""
        from holdfast.usecases.anchors.verify import Verify

        for reference in references:
            expect("verify", TEXT, reference=reference)
        expect("verify", TRUTH, everything=everything)
        return self.app.evidence.verify(Verify(references=references, everything=everything))

    def blame(self, place: str) -> Sequence[Governing]:
        """Return the memories that govern a line, written ``path:line``."""
        from holdfast.domain.memory.evidence import read_place

        expect("blame", TEXT, place=place)
        return self.app.evidence.blame(read_place(place))

    def list(self, query: str = "", *, limit: int = 50) -> Sequence[MemoryRecord]:
        """Return memories, newest first, or best first when words are given."""
        expect("list", TEXT, query=query)
        expect("list", WHOLE, limit=limit)
        place, now = self.app.place(), self.app.now()
        wish = read_browse({"q": query, "limit": limit}, place=place, now=now, noun="list")
        return self.app.memories.browse(wish).records

    def explain(self, memory_id: str) -> Provenance:
        """Return where a memory comes from: its claim, its evidence, and their sources."""
        expect("explain", TEXT, memory_id=memory_id)
        return self.app.memories.explain(memory_id)

    def forget(self, memory_id: str, *, reason: str = "") -> Forgotten:
        """Remove a memory so that no byte of it stays."""
        from holdfast.usecases.memory.forget import Forget

        expect("forget", TEXT, memory_id=memory_id, reason=reason)
        return self.app.memories.forget(Forget(reference=memory_id, reason=reason))

    def propose_forgetting(self, memory_id: str, *, reason: str = "") -> MemoryRecord:
        """Propose to a person that a memory be forgotten; the memory stays until they forget it."""
        from holdfast.usecases.memory.forget import Forget

        expect("propose_forgetting", TEXT, memory_id=memory_id, reason=reason)
        by = self.app.principal.source(None, door="python")
        wish = Forget(reference=memory_id, by=by, reason=reason)
        return self.app.memories.propose_forgetting(wish)

    def link(self, src: str, dst: str, *, kind: str = "related", score: float = 1.0) -> Link:
        """Link two memories."""
        from holdfast.domain.ids import MemoryId
        from holdfast.domain.memory.link import Link

        expect("link", TEXT, src=src, dst=dst, kind=kind)
        expect("link", NUMBER, score=score)
        return self.app.memories.link(
            Link(src=MemoryId(src), dst=MemoryId(dst), kind=kind, score=score)
        )

    def feedback(self, bundle_id: str, *, good: bool) -> None:
        """Rate an answer: whether it helped."""
        expect("feedback", TEXT, bundle_id=bundle_id)
        expect("feedback", TRUTH, good=good)
        self.app.answers.feedback(bundle_id, good=good)

    def learn(self, *, since: str | timedelta = "30d", dry_run: bool = False) -> Lesson:
        """Learn the ranking weights from rated answers; ``since`` is the oldest age that counts."""
        from holdfast.domain.memory.lifetime import read_lifetime
        from holdfast.usecases.recall.learn import Learn

        expect("learn", LIFETIME, since=since)
        expect("learn", TRUTH, dry_run=dry_run)
        age = read_lifetime(since) if isinstance(since, str) else since
        return self.app.answers.learn(Learn(since=age, dry_run=dry_run))

    def catch_up(self) -> int:
        """Embed the memories that have no vector yet; return how many there were."""
        return self.app.upkeep.catch_up(lambda _done, _total: None)

    @property
    def curation(self) -> Curation:
        """The decisions of a person: review, approve, reject, edit, resolve, undo, revert."""
        return self.app.review

    def close(self) -> None:
        """Close the store."""
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
    """Build the principal's request from keywords; the option ``origin`` overrides their origin."""
    from holdfast.surfaces.wire.requests import read_remember
    from holdfast.usecases.memory.remember import Remember

    expect_options("remember", options, RememberOptions)
    request = {"claim": claim, **_as_request(options)}
    origin = choose(Origin, str(request.pop("origin", principal.origin.value)), what="origin")
    source = principal.source(options.get("source"), door="python")
    defaults = Remember(claim="", origin=origin)
    return replace(read_remember(request, defaults, noun="remember"), source=source)


def _as_request(options: Mapping[str, object]) -> dict[str, object]:
    """Return keywords as the fields of a request; None means that the keyword was not given.

    Where a list is expected, a single text becomes a list of one, not a list of its letters.
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
    from holdfast.domain.memory.evidence import Evidence

    expect("url", TEXT, address=address)
    return Evidence(type=EvidenceType.URL, reference=address)


def command(line: str, *, exit_code: int | None = None) -> Evidence:
    """Return a command that was run as evidence."""
    from holdfast.domain.memory.evidence import Evidence

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
    store: str | None = None,
) -> Memory:
    """Open the memory of a space, seen from a folder.

    ``space`` names the space; without it HOLDFAST_SPACE does, else it is the default space. ``as_``
    is the kind of principal: person, agent, tool or service; without it the environment decides.
    ``store`` is the address of a database server, postgresql://…; without it HOLDFAST_STORE names
    one, else the store is a file. HOLDFAST_TENANT names the tenant on the server.
    ``name`` is the principal's name. A program that an agent runs acts as that agent, whatever
    ``as_`` is.

    Warns if the store has lost its newest changes, or if an older file was put in its place.
    """
    expect("open", PLACE, home=home or "", folder=folder or "")
    expect("open", TEXT, space=space or "", as_=as_ or "", name=name, store=store or "")
    wanted = wanted_space(space)
    place = folder_of(wanted, "" if home is None else str(home))
    machine = Machine(
        principal=_principal(as_, name, wanted),
        home=Path(place) if place else None,
        folder=lambda: Path.cwd() if folder is None else Path(folder),
        at=ServerPlace(address=store),
    )
    memory = Memory(machine.open(tokens="exact"))
    for warning in memory.warnings:
        warn(warning, RuntimeWarning, stacklevel=3)
    return memory


def _principal(as_: str | None, name: str, space: SpaceId) -> Principal:
    """Return the principal that the environment names, else one of the given kind."""
    found = principal_of(os.environ, space=space, user=name)
    if as_ is None or found.kind is not PrincipalKind.PERSON:
        return found
    kind = choose(PrincipalKind, as_, what="kind of caller")
    return Principal.of(kind, space=space, name=name)
