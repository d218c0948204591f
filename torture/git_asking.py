"""Runs the real program in a folder: it remembers spans, and verifies them later."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from dataclasses import replace as copied
from pathlib import Path

from holdfast.app import Holdfast
from holdfast.bootstrap.opening.wiring import open_holdfast
from holdfast.domain.choices import EvidenceType, Origin
from holdfast.domain.errors import HoldfastError
from holdfast.domain.ids import SpanId
from holdfast.domain.memory.anchor import FoundLines, Sighting, Verdict
from holdfast.domain.memory.evidence import Evidence, Span
from holdfast.domain.memory.selection import Page
from holdfast.domain.recall.question import Question
from holdfast.domain.values import replace
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.anchors.verify import Verify
from holdfast.usecases.memory.browse import Browse
from holdfast.usecases.memory.remember import Remember
from torture.git_picking import lines_at, some_places
from torture.git_site import Site
from torture.git_truth import KeptProposal, Place, Said, around
from torture.git_writing import claim
from torture.plants import Plant, planted
from torture.principal import A_PERSON
from torture.small_repository import Delegating

SETTINGS = {"HOLDFAST_EMBEDDING_MODEL": "none"}
_MANY, _WIDE = 200, 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The program's answers in one folder: verdicts on spans and commits, and recalled memories.

    ``again`` holds the verdicts on the spans of a second call.
    """

    spans: Mapping[str, Said]
    again: Mapping[str, Said]
    commits: Mapping[str, tuple[str, str | None]]
    listed: Collection[str]
    recalled: Collection[str]
    unreadable: Mapping[str, str]
    branch: str | None


def keep(site: Site, number: int) -> None:
    """Remember some spans as they are on disk now."""
    places = some_places(site.tree, site.author.chance, number)
    claims = [claim(site.author.chance) for _ in places]
    branch = site.git("branch", "--show-current")
    with opened(site, site.root) as app:
        done = app.memories.remember_all(
            [
                Remember(
                    origin=Origin.HUMAN,
                    claim=words,
                    grounds=Grounds(places=(_reference(site, place),)),
                )
                for words, place in zip(claims, places, strict=True)
            ]
        )
    for place, one in zip(places, done, strict=True):
        memory = one.record.memory
        site.kept.append(
            KeptProposal(
                place=place,
                lines=lines_at(site.tree, place),
                around=around(site.tree[place.path], place),
                claim=memory.claim,
                branch=branch,
                memory=memory.id,
                span=str(one.record.evidence[0].span),
            )
        )


def _reference(site: Site, place: Place) -> str:
    is_whole = (place.first, place.last) == (1, len(site.tree[place.path].lines))
    return place.path if is_whole else f"{place.path}:{place.first}-{place.last}"


def cite(site: Site) -> None:
    """Remember a memory for each commit; some by the full hash, others abbreviated."""
    names = [*site.main, *site.topic]
    wishes = []
    for number, name in enumerate(names):
        shown = name if number % 2 else name[:12]
        given = Evidence(type=EvidenceType.COMMIT, reference=shown)
        wishes.append(
            Remember(
                origin=Origin.HUMAN,
                claim=claim(site.author.chance),
                grounds=Grounds(given=(given,)),
            )
        )
    with opened(site, site.root) as app:
        done = app.memories.remember_all(wishes)
    for name, one in zip(names, done, strict=True):
        site.cited[one.record.memory.id] = name


def visit(site: Site) -> None:
    """Run the program in a folder before the operation, so that its caches are filled."""
    with opened(site, site.root) as app:
        app.evidence.verify(Verify(everything=True))


def ask(site: Site) -> Answers:
    """Ask about everything that was remembered, in the folder of the site."""
    with opened(site, site.looking) as app:
        spans, commits = _verified(app)
        again, _ = _verified(app)
        memories = [*(kept.memory for kept in site.kept), *site.cited]
        # One question for each: a memory that shares one word of many with it is no answer.
        answers = [
            app.answers.answer(Question(text=kept.claim, budget=_WIDE)) for kept in site.kept
        ]
        listing = app.memories.browse(Browse(page=Page(limit=_MANY)))
        return Answers(
            spans=spans,
            again=again,
            commits=commits,
            listed={record.memory.id for record in listing.records},
            recalled={item.memory_id for one in answers for item in one.bundle.items},
            unreadable=_unreadable(app, memories),
            branch=app.surroundings.place().branch,
        )


def _verified(app: Holdfast) -> tuple[dict[str, Said], dict[str, tuple[str, str | None]]]:
    spans: dict[str, Said] = {}
    commits: dict[str, tuple[str, str | None]] = {}
    for one in app.evidence.verify(Verify(everything=True)).checked:
        for piece in one.evidence:
            if piece.span is None:
                commits[one.record.memory.id] = (piece.sighting.verdict, piece.sighting.commit)
            else:
                spans[piece.span] = said_of(piece.sighting)
    return spans, commits


def said_of(sighting: Sighting) -> Said:
    """Return the program's verdict on a span in the form that is judged."""
    places = [
        Place(path=place.path, first=place.first, last=place.last) for place in sighting.places
    ]
    return Said(verdict=sighting.verdict.value, places=tuple(places), how=sighting.how)


def _unreadable(app: Holdfast, memories: Sequence[str]) -> dict[str, str]:
    trouble: dict[str, str] = {}
    for name in memories:
        try:
            app.memories.show(name)
        except HoldfastError as error:
            trouble[name] = str(error)
    return trouble


@contextmanager
def opened(site: Site, folder: Path) -> Generator[Holdfast, None, None]:
    """Open the site's store from a folder, with the planted bug."""
    app = open_holdfast(principal=A_PERSON, home=site.store, folder=folder)
    try:
        yield _with_planted(app)
    finally:
        app.close()


def _with_planted(app: Holdfast) -> Holdfast:
    if app.verifier is None:
        return app
    if planted(Plant.ALWAYS_FRESH):
        return replace(app, verifier=Credulous(app.verifier))
    if planted(Plant.FIRST_OF_EQUALS):
        return replace(app, verifier=Hasty(app.verifier))
    return app


class Credulous(Delegating):
    """A planted bug: every span is reported as fresh for ever."""

    def examine(
        self, spans: Sequence[Span], *, at: str | None = None, is_noted: bool = True
    ) -> Mapping[SpanId, Sighting]:
        seen = super().examine(spans, at=at, is_noted=is_noted)
        return {span.id: self.told(span, seen[span.id]) for span in spans}

    def told(self, span: Span, sighting: Sighting) -> Sighting:
        """Return a false verdict; here, the same for every span."""
        return sighting if span.pinned else Sighting(verdict=Verdict.FRESH)


class Hasty(Credulous):
    """A planted bug: the first of several equal places is chosen."""

    def told(self, span: Span, sighting: Sighting) -> Sighting:
        if sighting.verdict is not Verdict.DRIFTED or len(sighting.places) < 2:
            return sighting
        first = sighting.places[0]
        stays = first == FoundLines(path=span.path, first=span.first, last=span.last)
        return copied(sighting, verdict=Verdict.FRESH if stays else Verdict.MOVED, places=(first,))
