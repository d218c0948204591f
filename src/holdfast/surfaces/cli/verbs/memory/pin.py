"""pin, unpin: memories that never expire, and places in files under a label."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.cli.present.terminal.colour import Good, Name
from holdfast.surfaces.cli.present.terminal.table import one_line
from holdfast.surfaces.cli.values import UsageError

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext


def pin(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Pin a memory or a place in a file. A pinned memory never expires and is always\n"
        "considered by recall.",
        examples=(
            'holdfast pin --span s_def456 --label "public API contract"',
            "holdfast pin m_3f8k2q --label DEC-001",
        ),
        does=lambda given, context: _run(given, context, pinned=True),
    )
    _add_target(command)
    command.add_argument("--label", metavar="LABEL", help="what to call it")


def unpin(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Unpin a memory or a place in a file; it expires and ranks like any other again.",
        examples=("holdfast unpin m_3f8k2q", "holdfast unpin --span s_def456"),
        does=lambda given, context: _run(given, context, pinned=False),
    )
    _add_target(command)


def _add_target(command: Command) -> None:
    command.add_argument("id", metavar="ID", nargs="?", help="a memory (m_…)")
    command.add_argument("--span", metavar="SPAN", help="a place in a file (s_…)")


def _run(given: Namespace, context: CommandContext, *, pinned: bool) -> None:
    label = given.label if pinned else None
    if (given.id is None) == (given.span is None):
        raise UsageError(problem="Give one memory (m_…), or one span with --span s_….")
    reference = given.id if given.span is None else given.span
    if reference.startswith("s_") or given.span is not None:
        _show_span(
            context.holdfast.memories.pin_span(reference, pinned=pinned, label=label), context
        )
    else:
        _show_memory(context.holdfast.memories.pin(reference, pinned=pinned, label=label), context)


def _show_memory(record: MemoryRecord, context: CommandContext) -> None:
    if context.output.as_json:
        from holdfast.surfaces.wire.memory import pinned_memory_json

        context.output.json(pinned_memory_json(record))
        return
    _say(record.memory.id, record.memory.key or "", record.standing.label, context,
         pinned=record.standing.pinned)  # fmt: skip


def _show_span(span: Span, context: CommandContext) -> None:
    if context.output.as_json:
        from holdfast.surfaces.wire.memory import pinned_span_json

        context.output.json(pinned_span_json(span))
        return
    _say(span.id, one_line(span.reference), span.label, context, pinned=span.pinned)


def _say(
    name: str, words: str, label: str | None, context: CommandContext, *, pinned: bool
) -> None:
    rest = "  ".join(word for word in (words, label) if word)
    context.output.say(Good("pinned" if pinned else "unpinned"), " ", Name(name), f"  {rest}")
