"""Read a bundle from its JSON."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.domain.checks.outcome import Breach, CheckOutcome, CheckState
from holdfast.domain.choices import Kind, Origin, PassageKind, Scope, choose
from holdfast.domain.fields import Fields
from holdfast.domain.ids import AgentId, BundleId, MemoryId, SpanId
from holdfast.domain.memory.anchor import Checked, FoundLines, Sighting, Verdict
from holdfast.domain.memory.place import Place, SpaceId
from holdfast.domain.recall.bundle import (
    Bundle,
    BundleItem,
    LeftOut,
    PassageItem,
    Reason,
    Shortage,
    StageRank,
)
from holdfast.domain.recall.question import Question


def checked_from_json(shape: object) -> Checked:
    """Read one piece of evidence with its verdict."""
    fields = Fields(shape, noun="verdict")
    span = fields.maybe_text("span")
    return Checked(
        reference=fields.text("ref"),
        span=None if span is None else SpanId(span),
        sighting=Sighting(
            verdict=choose(Verdict, fields.text("verdict"), what="verdict"),
            places=tuple(_checked_place(one) for one in fields.items("places")),
            how=fields.text("how"),
            change=fields.words("change"),
            commit=fields.maybe_text("commit"),
        ),
    )


def _checked_place(shape: object) -> FoundLines:
    fields = Fields(shape, noun="place")
    return FoundLines(
        path=fields.text("path"), first=fields.whole("first"), last=fields.whole("last")
    )


def outcome_from_json(shape: object) -> CheckOutcome:
    """Read one check with what came out of it."""
    fields = Fields(shape, noun="check")
    places = [Fields(one, noun="place") for one in fields.items("places")]
    return CheckOutcome(
        text=fields.text("check"),
        state=choose(CheckState, fields.text("state"), what="state of a check"),
        breaches=tuple(
            Breach(path=one.text("path"), line=one.whole("line"), what=one.text("what"))
            for one in places
        ),
        more=fields.whole("more"),
        why=fields.text("why"),
    )


def bundle_from_json(shape: object) -> Bundle:
    """Read a bundle."""
    fields = Fields(shape, noun="bundle")
    return Bundle(
        id=BundleId(fields.text("id")),
        question=_question(fields.raw("question")),
        asked_at=fields.moment("asked_at"),
        place=_place(fields.raw("place")),
        items=tuple(_item(item) for item in fields.items("items")),
        left_out=tuple(_left_out(item) for item in fields.items("left_out")),
        tokens=fields.whole("tokens"),
        counter=fields.text("counter"),
        notes=fields.words("notes"),
        good=fields.maybe_bool("good"),
        rated_by=_rated_by(fields.maybe_text("rated_by")),
        passages=_passages(fields, "passages"),
        passages_left_out=_passages(fields, "passages_left_out"),
        shortage=_shortage(fields.raw("shortage")),
    )


def _rated_by(word: str | None) -> Origin | None:
    return None if word is None else choose(Origin, word, what="origin")


def _shortage(shape: object) -> Shortage | None:
    """Read the shortage; bundles stored before the field existed have none."""
    if shape is None:
        return None
    fields = Fields(shape, noun="shortage")
    return Shortage(found=fields.whole("found"), needs=fields.whole("needs"))


def _since(fields: Fields, name: str) -> Sequence[object]:
    """Read a list; bundles stored before the field existed have none."""
    return () if fields.raw(name) is None else fields.items(name)


def _passages(fields: Fields, name: str) -> tuple[PassageItem, ...]:
    read = [Fields(shape, noun="passage") for shape in _since(fields, name)]
    return tuple(
        PassageItem(
            kind=choose(PassageKind, one.text("kind"), what="kind of passage"),
            reference=one.text("ref"),
            title=one.text("title"),
            text_hash=one.text("text_hash"),
            score=one.number("score"),
            tokens=one.whole("tokens"),
            reasons=_reasons(one.items("reasons")),
            beside=one.words("beside"),
            why_not=one.text("why_not"),
        )
        for one in read
    )


def _ranks(fields: Fields) -> tuple[StageRank, ...]:
    read = [Fields(shape, noun="rank") for shape in _since(fields, "ranks")]
    return tuple(StageRank(stage=one.text("stage"), rank=one.whole("rank")) for one in read)


def _superseder(fields: Fields) -> MemoryId | None:
    name = fields.maybe_text("superseded_by")
    return None if name is None else MemoryId(name)


def _reasons(shapes: Sequence[object]) -> tuple[Reason, ...]:
    read = [Fields(shape, noun="reason") for shape in shapes]
    return tuple(
        Reason(leg=one.text("leg"), amount=one.number("amount"), note=one.text("note"))
        for one in read
    )


def _question(shape: object) -> Question:
    fields = Fields(shape, noun="question")
    agent = fields.maybe_text("agent")
    return Question(
        text=fields.text("text"),
        budget=fields.whole("budget"),
        include=fields.words("include"),
        limit=fields.whole("limit"),
        kinds=tuple(choose(Kind, kind, what="kind") for kind in fields.words("kinds")),
        scopes=tuple(choose(Scope, scope, what="scope") for scope in fields.words("scopes")),
        tags=fields.words("tags"),
        as_of=fields.maybe_text("as_of"),
        all_branches=bool(fields.maybe_bool("all_branches")),
        verbose=bool(fields.maybe_bool("verbose")),
        deep=fields.maybe_bool("deep"),
        agent=None if agent is None else AgentId(agent),
        namespaces=() if agent is None else fields.words("namespaces"),
    )


def _place(shape: object) -> Place:
    fields = Fields(shape, noun="place")
    return Place(
        space=SpaceId(fields.text("space")),
        workspace=fields.text("workspace"),
        repo=fields.maybe_text("repo"),
        branch=fields.maybe_text("branch"),
    )


def _item(shape: object) -> BundleItem:
    fields = Fields(shape, noun="item")
    return BundleItem(
        memory_id=MemoryId(fields.text("memory_id")),
        content_hash=fields.text("content_hash"),
        score=fields.number("score"),
        tokens=fields.whole("tokens"),
        reasons=_reasons(fields.items("reasons")),
        ranks=_ranks(fields),
        superseded_by=_superseder(fields),
        checked=tuple(checked_from_json(one) for one in _since(fields, "evidence")),
        outcomes=tuple(outcome_from_json(one) for one in _since(fields, "checks")),
    )


def _left_out(shape: object) -> LeftOut:
    fields = Fields(shape, noun="item left out")
    return LeftOut(
        memory_id=MemoryId(fields.text("memory_id")),
        score=fields.number("score"),
        tokens=fields.whole("tokens"),
        reasons=_reasons(fields.items("reasons")),
        why=fields.text("why"),
        ranks=_ranks(fields),
    )
