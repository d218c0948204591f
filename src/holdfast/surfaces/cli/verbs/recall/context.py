"""context: a symbol, its neighbours, and the memories that govern it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.code.code import Relation
from holdfast.domain.errors import BadFieldError
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.present.terminal.colour import Bold, Dim, Name
from holdfast.surfaces.cli.present.terminal.table import Branch, one_line, show_tree
from holdfast.surfaces.cli.verbs.anchors.blame import show_governing
from holdfast.surfaces.wire.code import surround_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.domain.code.code import SymbolPlace
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext

_DEFAULT_LIMIT = 40
# A call on an object of unknown type may mean every method of that name.
_RELATIONS = {
    (Relation.CALLS, True): "calls",
    (Relation.CALLS, False): "may call (matched by name only)",
    (Relation.CALLED_BY, True): "called by",
    (Relation.CALLED_BY, False): "may be called by (matched by name only)",
}


def context(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show the surroundings of a symbol of this repository: its callers and callees within\n"
        "two steps, and the memories about its lines. If several symbols have the name, the\n"
        "most likely one is shown, and the others are listed.",
        examples=(
            "holdfast context rotate",
            "holdfast context rotate.py:rotate",
            "holdfast context rotate --limit 5 --json",
        ),
        does=_run,
    )
    add = command.add_argument
    add(
        "symbol",
        metavar="SYMBOL",
        help="a name, Class.method, PATH:NAME, PATH:LINE, or module.name",
    )
    add("--limit", type=values.whole("limit"), default=_DEFAULT_LIMIT, metavar="N",
        help="at most N neighbours (40)")  # fmt: skip


def _run(given: Namespace, context: CommandContext) -> None:
    if not given.symbol.strip():
        raise BadFieldError(field="symbol", problem="is blank; write a name or src/app.py:44")
    if given.limit < 1:
        raise BadFieldError(field="limit", problem="must be at least 1.")
    found = context.holdfast.code.surround(given.symbol, limit=given.limit)
    if context.output.as_json:
        context.output.json(surround_json(found))
        return
    branches = [
        Branch([Dim(words)], [
            Branch([*_line(one.place), Dim("" if one.hops == 1 else f"  through {one.through}")])
            for one in found.neighbours
            if one.relation is relation and one.is_sure is is_sure
        ])
        for (relation, is_sure), words in _RELATIONS.items()
    ]  # fmt: skip
    show_tree(context.output, Branch(_line(found.place), [one for one in branches if one.branches]))
    if found.governing:
        context.output.say()
        show_governing(context.output, found.governing)
    if found.namesakes:
        others = ", ".join(f"{one.symbol.name} {one.reference}" for one in found.namesakes)
        context.output.note(Dim(f"others of that name: {one_line(others)}"))


def _line(place: SymbolPlace) -> list[str]:
    symbol = place.symbol
    return [Bold(symbol.name), "  ", Name(one_line(place.reference)), "  ", Dim(symbol.signature)]
