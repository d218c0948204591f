"""Calls about answers: questions, kept bundles, ratings, and learned weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.answers import AnswersPart
from holdfast.bootstrap.remote.asking import BUNDLE, masked, quoted
from holdfast.bootstrap.remote.checking import with_verdicts
from holdfast.bootstrap.remote.reading import read_bundle, read_recalled
from holdfast.domain.choices import choose
from holdfast.domain.fields import Fields
from holdfast.domain.ids import BundleId, MemoryId
from holdfast.domain.memory.place import SpaceId
from holdfast.domain.recall.learning import Agreement
from holdfast.domain.recall.rendering import Recalled
from holdfast.domain.recall.weighing import LEARNABLE, Weights
from holdfast.domain.remote_errors import ServerAwayError
from holdfast.domain.text.fencing import nonce_of
from holdfast.domain.values import replace
from holdfast.usecases.recall.learn import LearningOutcome, Lesson
from holdfast.usecases.recall.recall import Replay

if TYPE_CHECKING:
    from holdfast.bootstrap.remote.asking import Asking
    from holdfast.domain.recall.question import Question
    from holdfast.usecases.recall.learn import Learn

    Json = dict[str, object]

_NEEDS_CHECKOUT = "only a store with the checkout answers about more than memories, or the past"
_MEMORY = ("memory",)
_READ_AT_MOST = 8_192


def recall(at: Asking, question: Question) -> Recalled:
    """Answer a question; its evidence is checked here, where the files are.

    If the server is away, the answer is made from the memories that were read before.
    """
    if question.as_of is not None or question.include != _MEMORY:
        raise at.refused(_NEEDS_CHECKOUT)
    body: Json = {
        "q": masked(question.text[:_READ_AT_MOST], "question"),
        "budget": question.budget,
        "limit": question.limit,
        "include": list(question.include),
        "kinds": list(question.kinds),
        "scopes": list(question.scopes),
        "tags": [masked(tag, "tag") for tag in question.tags],
        "all_branches": question.all_branches,
        "verbose": question.verbose,
        **({} if question.deep is None else {"deep": question.deep}),
    }

    def holds(answer: Json) -> bool:
        from holdfast.bootstrap.remote.shelf import shelf_of

        return shelf_of(at.server, now=at.server.now()).holds(answer)

    try:
        found = at.ask("/v1/recall", body, lambda answer: read_recalled(at, answer), holds=holds)
    except ServerAwayError as error:
        from holdfast.bootstrap.remote.offline import answered_here

        return with_verdicts(at, _with_notes(answered_here(at, question, error), at))
    if at.server.is_away:
        found = _with_notes(found, at, at.server.warnings[-1])
    return with_verdicts(at, found)


def _with_notes(found: Recalled, at: Asking, *notes: str) -> Recalled:
    """Return an old answer with notes, and with those about its claims that will be replaced."""
    from holdfast.bootstrap.remote.offline import tell_replaced

    given = {item.memory_id for item in found.bundle.items}
    shown = [one for name, one in found.records.items() if name in given]
    notes = (*found.bundle.notes, *notes, *tell_replaced(at, shown))
    return replace(found, bundle=replace(found.bundle, notes=notes))


def replay(at: Asking, reference: str) -> Replay:
    """Ask the question of a kept bundle again and compare."""
    path = f"/v1/bundles/{quoted(reference, BUNDLE)}/replay"
    return at.ask(path, None, lambda answer: _replay(at, answer))


def _replay(at: Asking, answer: Fields) -> Replay:
    before, now = (
        Recalled(
            bundle=read_bundle(Fields(answer.raw(name), noun="bundle")),
            records={},
            nonce=nonce_of(at.holdfast.clock.entropy()),
        )
        for name in ("before", "now")
    )
    return Replay(
        before=before,
        now=now,
        gained=tuple(MemoryId(name) for name in answer.words("gained")),
        lost=tuple(MemoryId(name) for name in answer.words("lost")),
        reordered=bool(answer.maybe_bool("reordered")),
    )


def shown(at: Asking, reference: str) -> Recalled:
    """Show a kept bundle with the current state of its memories."""
    path = f"/v1/bundles/{quoted(reference, BUNDLE)}"
    return at.get(path, lambda answer: read_recalled(at, answer))


def feedback(at: Asking, reference: str, *, good: bool) -> BundleId:
    """Record whether a bundle helped."""
    return at.send(
        "PUT",
        f"/v1/bundles/{quoted(reference, BUNDLE)}/feedback",
        lambda answer: BundleId(answer.text("bundle_id")),
        body={"good": good},
        may_wait=True,
    )


def learn(at: Asking, wish: Learn) -> Lesson:
    """Learn the weights of the space from rated answers."""
    body: Json = {"dry_run": wish.dry_run}
    if wish.since is not None:
        body["since"] = f"{int(wish.since.total_seconds() // 60)}m"
    return at.send("POST", "/v1/weights/learn", _lesson, body=body)


def _lesson(answer: Fields) -> Lesson:
    weights = [Fields(one, noun="weight") for one in answer.items("weights")]
    before = {one.text("name"): one.number("before") for one in weights}
    after = {one.text("name"): one.number("after") for one in weights}
    check = answer.raw("check")
    return Lesson(
        space=SpaceId(answer.text("space")),
        before=_weights(before),
        after=_weights(after),
        outcome=choose(LearningOutcome, answer.text("outcome"), what="outcome"),
        version=answer.whole("version"),
        learned_from=answer.whole("learned_from"),
        check=None if check is None else _agreement(Fields(check, noun="check")),
    )


def _weights(given: dict[str, float]) -> Weights:
    return replace(Weights(), **{name: given[name] for name in LEARNABLE if name in given})


def _agreement(one: Fields) -> Agreement:
    return Agreement(
        answers=one.whole("answers"),
        before=one.number("before"),
        after=one.number("after"),
        better=one.whole("better"),
        worse=one.whole("worse"),
    )


PARTS = {AnswersPart: (recall, replay, shown, feedback, learn)}
