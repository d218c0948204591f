"""link, related: link memories, and list linked ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.link import Link
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.present.terminal.colour import Dim, Name
from holdfast.surfaces.cli.present.terminal.table import show_table
from holdfast.surfaces.wire.memory import linked_json, related_json, unlinked_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext


def link(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Link two memories; if the link exists, its score is replaced.",
        examples=(
            "holdfast link m_3f8k2q m_9c1v7d --kind supports --score 0.8",
            "holdfast link m_3f8k2q m_9c1v7d --kind supports --remove",
        ),
        does=_link,
    )
    add = command.add_argument
    add("src", metavar="SRC", help="the memory that the link starts from")
    add("dst", metavar="DST", help="the memory that the link points to")
    kinds = ", ".join(LinkKind)
    add("--kind", metavar="KIND", default="related", help=f"{kinds}, or a word of your own")
    add("--score", type=values.number("score"), default=1.0, metavar="N", help="from 0 to 1 (1)")
    add("--remove", action="store_true", help="remove the link")


def _link(given: Namespace, context: CommandContext) -> int | None:
    wish = Link(
        src=MemoryId(given.src), dst=MemoryId(given.dst), kind=given.kind, score=given.score
    )
    if given.remove:
        was_there = context.holdfast.memories.unlink(wish)
        if context.output.as_json:
            context.output.json(unlinked_json(wish, was_there=was_there))
        else:
            context.output.say("link removed" if was_there else "there is no such link")
        return None
    made = context.holdfast.memories.link(wish)
    if context.output.as_json:
        context.output.json(linked_json(made))
    else:
        words = f" {made.kind} ({made.score:g}) "
        context.output.say(Name(made.src), Dim(words), Name(made.dst))
        if made.kind not in set(LinkKind):
            context.output.note(Dim(_own_word(made.kind)))
    return None


def _own_word(kind: str) -> str:
    """Return what a kind means that Holdfast does not know, and the known one that it resembles."""
    from difflib import get_close_matches

    near = get_close_matches(kind, list(LinkKind), n=1)
    meant = f"; did you mean '{near[0]}'?" if near else ""
    return (
        f"'{kind}' is a word of your own: Holdfast stores the link and draws no conclusion{meant}"
    )


def related(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "List the memories a memory is linked with, strongest first.",
        examples=("holdfast related m_3f8k2q", "holdfast related m_3f8k2q --limit 5 --json"),
        does=_related,
    )
    command.add_argument("id", metavar="ID", help="a memory (m_…)")
    command.add_argument(
        "--limit", type=values.whole("limit"), default=20, metavar="N", help="at most N (20)"
    )


def _related(given: Namespace, context: CommandContext) -> None:
    neighbours = context.holdfast.memories.related(given.id, limit=given.limit)
    if context.output.as_json:
        context.output.json(related_json(neighbours))
        return
    if not neighbours:
        context.output.note("No memory is linked with it.")
        return
    rows = [
        (
            Name(record.memory.id),
            edge.kind if edge.dst == record.memory.id else f"{edge.kind} (from it)",
            f"{edge.score:g}",
            record.memory.kind.value,
            record.memory.claim,
        )
        for edge, record in neighbours
    ]
    show_table(context.output, ("ID", "LINK", "SCORE", "KIND", "CLAIM"), rows, is_wrapped=True)
