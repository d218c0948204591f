"""approve, reject: what people decide about candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, Status
from holdfast.domain.selection import Page, Selection
from holdfast.domain.shapes import record_json
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.present.colour import Name
from holdfast.surfaces.cli.present.memory_lines import status_word
from holdfast.surfaces.cli.present.table import one_line
from holdfast.surfaces.cli.refusals import UsageError
from holdfast.usecases.browse import Browse
from holdfast.usecases.naming import MOST_LISTED

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from holdfast.domain.memory import MemoryRecord
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.desk import Desk


def approve(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Accept candidates as knowledge. With --hash only if the claim is byte for byte the one\n"
        "you were shown ('holdfast show' prints its hash).",
        examples=(
            "holdfast approve m_k4t9zz",
            "holdfast approve --all --kind gotcha",
        ),
        does=_approve,
    )
    add = command.add_argument
    add("ids", metavar="ID", nargs="*", help="candidates to accept")
    add("--all", action="store_true", help="every candidate that reaches this place")
    add(
        "--kind",
        type=values.kind,
        choices=tuple(Kind),
        metavar="KIND",
        help="with --all: only these",
    )
    add("--hash", metavar="HASH", help="the content hash that was shown; with one id")


def _approve(given: Namespace, desk: Desk) -> None:
    if given.all == bool(given.ids):
        raise UsageError(problem="Give the candidates' ids, or --all.")
    if given.kind is not None and not given.all:
        raise UsageError(problem="--kind goes with --all.")
    if given.hash is not None and len(given.ids) != 1:
        raise UsageError(problem="--hash goes with exactly one id.")
    ids = _waiting(given.kind, desk) if given.all else given.ids
    decided = [
        desk.memory.approve(name, by=desk.user, shown_hash=given.hash) for name in _known(ids, desk)
    ]
    _show(decided, desk)


def reject(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Refuse candidates. They stay readable with the reason, and are never recalled.",
        examples=(
            'holdfast reject m_k4t9zz --reason "out of date"',
            "holdfast reject m_p0b3aa --json",
        ),
        does=_reject,
    )
    command.add_argument("ids", metavar="ID", nargs="+", help="candidates to refuse")
    command.add_argument("--reason", metavar="WORDS", default="", help="why")


def _reject(given: Namespace, desk: Desk) -> None:
    decided = [
        desk.memory.reject(name, by=desk.user, reason=given.reason)
        for name in _known(given.ids, desk)
    ]
    _show(decided, desk)


def _waiting(kind: Kind | None, desk: Desk) -> list[str]:
    selection = Selection(
        place=desk.memory.surroundings.place(),
        statuses=frozenset({Status.CANDIDATE}),
        kinds=frozenset() if kind is None else frozenset({kind}),
    )
    found = desk.memory.browse(Browse(selection=selection, page=Page(limit=MOST_LISTED)))
    return [record.memory.id for record in reversed(found.records)]


def _known(ids: Sequence[str], desk: Desk) -> list[str]:
    """Return the ids once each, after all were looked up: a slip in the last changes nothing."""
    return list(dict.fromkeys(desk.memory.explain(name).record.memory.id for name in ids))


def _show(decided: Sequence[MemoryRecord], desk: Desk) -> None:
    if desk.output.as_json:
        desk.output.json({"decided": [record_json(record) for record in decided]})
        return
    if not decided:
        desk.output.note("No candidates are waiting here.")
    for record in decided:
        memory = record.memory
        desk.output.say(
            status_word(record.standing.status), " ", Name(memory.id), "  ", one_line(memory.claim)
        )
