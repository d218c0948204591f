"""The options that select candidates, the same for every verb about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, Origin, choose
from holdfast.domain.review.review import Risk
from holdfast.surfaces.cli import values
from holdfast.usecases.review.queued import Review

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command


def add_filters(command: Command) -> None:
    """Add the options that select candidates."""
    add = command.add_argument
    add("--kind", type=values.kind, choices=tuple(Kind), metavar="KIND", help="only this kind")
    add("--source", metavar="NAME", help="only from this source")
    add(
        "--origin",
        type=values.origin,
        choices=tuple(Origin),
        metavar="ORIGIN",
        help="only from these origins: human, agent, tool, repo, web",
    )
    add(
        "--max-risk",
        type=_risk,
        choices=tuple(Risk),
        metavar="RISK",
        default=Risk.HIGH,
        help="at most this risk: low, medium or high",
    )


def review_wish(given: Namespace, *, limit: int, references: tuple[str, ...] = ()) -> Review:
    """Return the request for the candidates that the options select."""
    return Review(
        references=references,
        kinds=frozenset() if given.kind is None else frozenset({given.kind}),
        origins=frozenset() if given.origin is None else frozenset({given.origin}),
        source=given.source,
        most_risk=given.max_risk,
        is_conflicting=getattr(given, "conflicting", False),
        is_everywhere=getattr(given, "everywhere", False),
        limit=limit,
    )


def is_part(given: Namespace) -> bool:
    """Return whether the options select only a part of the queue."""
    chosen = (given.kind, given.source, given.origin, getattr(given, "conflicting", None))
    return any(chosen) or given.max_risk is not Risk.HIGH


def _risk(word: str) -> Risk:
    return choose(Risk, word, what="risk")
