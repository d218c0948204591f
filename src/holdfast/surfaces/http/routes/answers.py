"""Routes about answers: questions, kept bundles, ratings, and learned weights."""

from __future__ import annotations

from holdfast.domain.fields import Fields
from holdfast.domain.memory.lifetime import read_lifetime
from holdfast.domain.recall.question import Question
from holdfast.surfaces.http.table import Result, Route, RouteCall
from holdfast.surfaces.wire.recall import (
    explained_json,
    lesson_json,
    placing_json,
    rated_json,
    recalled_json,
    replay_json,
)
from holdfast.surfaces.wire.requests import read_question
from holdfast.surfaces.wire.schema import service as shape
from holdfast.usecases.recall.learn import Learn


def recall(call: RouteCall) -> Result:
    """Answer a question."""
    question = read_question(call.body, Question(text=""), noun="request")
    return Result(body=recalled_json(call.app.answers.recall(question)))


def show_bundle(call: RouteCall) -> Result:
    """Show a kept answer."""
    return Result(body=recalled_json(call.app.answers.shown(call.path["id"])))


def explain_bundle(call: RouteCall) -> Result:
    """Explain a kept answer."""
    return Result(body=explained_json(call.app.answers.shown(call.path["id"])))


def explain_in_bundle(call: RouteCall) -> Result:
    """Explain why an answer contains a memory or left it out."""
    placing = call.app.memories.explain_in_bundle(call.path["id"], call.path["memory"])
    return Result(body=placing_json(placing))


def replay(call: RouteCall) -> Result:
    """Ask the question of a kept answer again."""
    return Result(body=replay_json(call.app.answers.replay(call.path["id"])))


def feedback(call: RouteCall) -> Result:
    """Rate an answer."""
    good = bool(Fields(call.body, noun="request").maybe_bool("good"))
    return Result(body=rated_json(call.app.answers.feedback(call.path["id"], good=good), good=good))


def learn(call: RouteCall) -> Result:
    """Learn the ranking weights from rated answers."""
    fields = Fields(call.body, noun="request")
    since = fields.maybe_text("since")
    wish = Learn(
        since=None if since is None else read_lifetime(since),
        dry_run=bool(fields.maybe_bool("dry_run")),
    )
    return Result(body=lesson_json(call.app.answers.learn(wish)))


ROUTES = (
    Route(
        method="POST",
        path="/v1/recall",
        verb="recall",
        summary="Answer a question from memory, with reasons",
        does=recall,
        answer=shape.RECALLED,
        body=shape.QUESTION,
    ),
    Route(
        method="GET",
        path="/v1/bundles/{id}",
        verb="show",
        summary="Show a kept answer",
        does=show_bundle,
        answer=shape.RECALLED,
    ),
    Route(
        method="GET",
        path="/v1/bundles/{id}/explanation",
        verb="explain",
        summary="Explain what an answer contains and left out",
        does=explain_bundle,
        answer="explain",
    ),
    Route(
        method="GET",
        path="/v1/bundles/{id}/explanation/{memory}",
        verb="explain",
        summary="Explain why an answer contains a memory or left it out",
        does=explain_in_bundle,
        answer="explain",
    ),
    Route(
        method="POST",
        path="/v1/bundles/{id}/replay",
        verb="recall",
        summary="Ask the question of a kept answer again and compare",
        does=replay,
        answer="recall",
        body=shape.NOTHING,
    ),
    Route(
        method="PUT",
        path="/v1/bundles/{id}/feedback",
        verb="feedback",
        summary="Rate an answer",
        does=feedback,
        answer="feedback",
        writes=True,
        body=shape.FEEDBACK,
    ),
    Route(
        method="POST",
        path="/v1/weights/learn",
        verb="learn",
        summary="Learn ranking weights from rated answers",
        does=learn,
        answer="learn",
        writes=True,
        body=shape.LEARN,
    ),
)
