"""explain: where a memory comes from, why an answer has its items, or why it left one out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.recall.bundle import BundleItem
from holdfast.domain.recall.rendering import differs
from holdfast.surfaces.cli.present.memory.provenance import provenance_tree
from holdfast.surfaces.cli.present.recall.recalled import show_explained
from holdfast.surfaces.cli.present.terminal.colour import Bold, Name
from holdfast.surfaces.cli.present.terminal.table import one_line, show_table, show_tree
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.recall import explained_json, placing_json, provenance_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.memory.placing import Placing

_BUNDLE_PREFIX = "c_"


def explain(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "With a memory: the whole chain behind it, from the claim to its sources.\n\n"
        "With a bundle: what that answer contains and left out, and why.\n\n"
        "With a bundle and a memory: why that answer contains or lacks the memory, with each\n"
        "part of its score.",
        examples=(
            "holdfast explain m_3f8k2q",
            "holdfast explain c_20251021T1030Z",
            "holdfast explain c_20251021T1030Z m_3f8k2q",
        ),
        does=_run,
    )
    command.add_argument("ids", metavar="ID", nargs="+", help="m_…, c_…, or c_… and m_…")


def _run(given: Namespace, context: CommandContext) -> None:
    match given.ids:
        case [bundle] if bundle.startswith(_BUNDLE_PREFIX):
            recalled = context.holdfast.answers.shown(bundle)
            if context.output.as_json:
                context.output.json(explained_json(recalled))
            else:
                show_explained(recalled, context.output)
                _show_receiver(context)
        case [memory]:
            chain = context.holdfast.memories.explain(memory)
            if context.output.as_json:
                context.output.json(provenance_json(chain))
            else:
                show_tree(context.output, provenance_tree(chain))
        case [one, other]:
            bundle, memory = (other, one) if other.startswith(_BUNDLE_PREFIX) else (one, other)
            placing = context.holdfast.memories.explain_in_bundle(bundle, memory)
            if context.output.as_json:
                context.output.json(placing_json(placing))
            else:
                _show_placing(placing, context.output)
        case _:
            raise UsageError(problem="Give a memory, a bundle, or a bundle and a memory.")


def _show_receiver(context: CommandContext) -> None:
    """Say who receives questions and claims, if the chosen model is on the network."""
    if receiver := context.machine.models.destination():
        context.output.note(
            f"the model {context.machine.models.chosen()} receives questions and claims at"
            f" {receiver}"
        )


def _show_placing(placing: Placing, output: Output) -> None:
    item, bundle = placing.item, placing.bundle
    if isinstance(item, BundleItem):
        verdict = f"returned at rank {placing.rank} of {len(bundle.items)}"
    else:
        verdict = f"left out: {item.why}"
    output.say_folded(Name(item.memory_id), "  ", Bold(output.named(verdict)))
    if placing.record is not None:
        output.say_folded("  ", one_line(placing.record.memory.claim))
    output.say_folded("  asked: ", one_line(bundle.question.text))
    rows = [(reason.leg, f"{reason.amount:+.4f}", reason.note) for reason in item.reasons]
    show_table(output, ("PART", "AMOUNT", "NOTE"), [*rows, ("score", f"{item.score:.4f}", "")])
    if placing.matched:
        output.say_folded("  words in common: ", ", ".join(placing.matched))
    if item.ranks:
        stages = [f"{one.stage} {one.rank}" for one in item.ranks]
        output.say_folded("  rank after each stage: ", " → ".join([*stages, _end(placing)]))
    if isinstance(item, BundleItem) and item.superseded_by is not None:
        how = differs(item.reasons)
        output.say_folded(
            "  superseded by ", Name(item.superseded_by), f", which is newer and {how}"
        )
    for other in placing.displaced_by:
        output.say_folded("  before it: ", Name(other.memory_id), f"  {other.score:.4f}")


def _end(placing: Placing) -> str:
    return "left out" if placing.rank is None else f"given {placing.rank}"
