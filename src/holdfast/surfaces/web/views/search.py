"""Search: an answer with the parts of each score; a bundle with its tokens and what it lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, Scope, choose
from holdfast.domain.errors import InvalidError, NotFoundError
from holdfast.domain.recall.question import DEFAULT_BUDGET, INCLUDABLE, MEMORY, Question
from holdfast.domain.values import dataclass
from holdfast.surfaces.web.call import PageAnswer, PageRoute
from holdfast.surfaces.web.problems import problem_values, status_of
from holdfast.surfaces.web.views.points import point_of, point_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.recall.bundle import Bundle, Reason
    from holdfast.domain.recall.rendering import Recalled
    from holdfast.surfaces.web.call import PageCall

_COLOURS = 7
_WIDTH = 1_000.0
_MOST_SHOWN = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePart:
    """One part of a score as a piece of a bar: where it begins, how long it is, its colour."""

    leg: str
    amount: float
    note: str
    start: float
    length: float
    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenUse:
    """What one item of a bundle costs: where its piece of the meter begins and ends."""

    words: str
    tokens: int
    start: float
    length: float
    colour: str


def search(call: PageCall) -> PageAnswer:
    """Answer a question without storing the answer, or show the empty form.

    A wrong field is explained above the form, which keeps what was typed. A server answers
    programs by recall only, which stores the answer.
    """
    is_remote, status = call.app.carrier is not None, 200
    answer = call.app.answers.recall if is_remote else call.app.answers.answer
    found: dict[str, object] = {"recalled": None}
    try:
        asked = _question(call)
        if asked is not None:
            found = _answer_values(answer(asked))
    except (InvalidError, NotFoundError) as error:
        status = status_of(error)
        found = {"recalled": None, "problem": problem_values(error, call)}
    values = {"section": "search", "is_remote": is_remote, **_form_values(call), **found}
    return PageAnswer(template="search.html", values=values, status=status)


def _form_values(call: PageCall) -> dict[str, object]:
    """Return the choices of the form, and its fields as they were typed."""
    return {
        "problem": None,
        "text": call.word("q"),
        "kinds": list(Kind),
        "scopes": list(Scope),
        "parts_of_answer": INCLUDABLE,
        "chosen_kinds": call.words("kind"),
        "chosen_scopes": call.words("scope"),
        "include": call.words("include") or (MEMORY,),
        "budget": call.word("budget") or DEFAULT_BUDGET,
        "repo": call.word("repo"),
        **point_values(call),
    }


def keep(call: PageCall) -> PageAnswer:
    """Answer a question and store the answer as a bundle."""
    asked = _question(call)
    if asked is None:
        return PageAnswer(to="/search")
    return PageAnswer(to=f"/bundles/{call.app.answers.recall(asked).bundle.id}")


def bundle(call: PageCall) -> PageAnswer:
    """Show a stored bundle with the current state of its memories."""
    recalled = call.app.answers.shown(call.path["id"])
    return PageAnswer(
        template="bundle.html", values={"section": "search", **_answer_values(recalled)}
    )


def _question(call: PageCall) -> Question | None:
    text = call.word("q")
    if not text:
        return None
    return Question(
        text=text,
        budget=call.number("budget", DEFAULT_BUDGET),
        include=call.words("include") or (MEMORY,),
        kinds=tuple(choose(Kind, word, what="kind") for word in call.words("kind")),
        scopes=tuple(choose(Scope, word, what="scope") for word in call.words("scope")),
        as_of=point_of(call),
    )


def _answer_values(recalled: Recalled) -> dict[str, object]:
    found = recalled.bundle
    legs = _legs(found)
    scores = [item.score for item in found.items] + [item.score for item in found.passages]
    largest = max([1e-9, *scores])
    return {
        "recalled": recalled,
        "bundle": found,
        "legs": legs,
        "bars": {item.memory_id: score_parts(item.reasons, legs, largest) for item in found.items},
        "passage_bars": [score_parts(item.reasons, legs, largest) for item in found.passages],
        "left_out": found.left_out[:_MOST_SHOWN],
        "meter": token_uses(found),
    }


def _legs(found: Bundle) -> dict[str, str]:
    """Return a colour for each part of the scores, in the order of their first appearance."""
    reasons = [item.reasons for item in found.items] + [item.reasons for item in found.passages]
    names = dict.fromkeys(reason.leg for some in reasons for reason in some)
    return {name: f"p{place % _COLOURS}" for place, name in enumerate(names)}


def score_parts(
    reasons: Sequence[Reason], legs: dict[str, str], largest: float
) -> tuple[ScorePart, ...]:
    """Return the parts of a score as pieces of a bar, as long as their share of the best score."""
    parts: list[ScorePart] = []
    start = 0.0
    scale = _WIDTH / max(largest, sum(one.amount for one in reasons if one.amount > 0), 1e-9)
    for one in sorted(reasons, key=lambda reason: -reason.amount):
        if not one.amount:
            continue
        length = round(abs(one.amount) * scale, 1)
        colour = legs[one.leg] if one.amount > 0 else "minus"
        parts.append(
            ScorePart(
                leg=one.leg,
                amount=one.amount,
                note=one.note,
                start=round(start, 1),
                length=min(length, _WIDTH),
                colour=colour,
            )
        )
        start += length if one.amount > 0 else 0
    return tuple(parts)


def token_uses(found: Bundle) -> tuple[TokenUse, ...]:
    """Return the items of a bundle as pieces of its token meter."""
    scale = _WIDTH / max(found.question.budget, found.tokens, 1)
    uses: list[TokenUse] = []
    start = 0.0
    named: list[tuple[str, int]] = [(item.memory_id, item.tokens) for item in found.items]
    named += [(item.reference, item.tokens) for item in found.passages]
    for place, (words, tokens) in enumerate(named):
        length = round(tokens * scale, 1)
        colour = f"p{place % _COLOURS}"
        uses.append(
            TokenUse(
                words=words, tokens=tokens, start=round(start, 1), length=length, colour=colour
            )
        )
        start += length
    return tuple(uses)


ROUTES = (
    PageRoute(method="GET", path="/search", does=search),
    PageRoute(method="POST", path="/bundles", does=keep),
    PageRoute(method="GET", path="/bundles/{id}", does=bundle),
)
