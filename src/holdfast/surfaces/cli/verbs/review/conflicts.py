"""conflicts, resolve: show claims that contradict each other, and decide between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.curation import Curation
from holdfast.domain.errors import UnavailableError
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.advising.note_advice import with_advice
from holdfast.surfaces.cli.failure import told
from holdfast.surfaces.cli.follow_up import follow_up
from holdfast.surfaces.cli.present.review.decided import (
    show_advice_heading,
    show_conflict,
    show_decided,
)
from holdfast.surfaces.cli.present.terminal.colour import Dim, Name, Warn
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.review import conflicts_json, decided_json
from holdfast.usecases.naming import MOST_LISTED
from holdfast.usecases.review.judging import JudgedConflicts
from holdfast.usecases.review.pair_reading import PairReadings
from holdfast.usecases.review.resolve import ResolutionWay, Resolve

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.anchor import Checked
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.review.approve import Decided
    from holdfast.usecases.review.conflicts import Conflict


def conflicts(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show the claims that contradict each other and wait for your decision: both with their\n"
        "evidence and its current state, why they seem to contradict each other, and how\n"
        "certain that is. Pairs that only a model suspects come last; they keep no candidate from\n"
        "being approved.",
        examples=("holdfast conflicts", "holdfast conflicts --limit 5 --json"),
        does=_conflicts,
    )
    command.add_argument(
        "--limit", metavar="N", type=values.whole("limit"), default=50, help="how many (50)"
    )
    command.add_argument(
        "--everywhere", action="store_true", help="also those of other repositories and branches"
    )


def _conflicts(given: Namespace, context: CommandContext) -> None:
    curation = context.holdfast.review
    judged = _let_judge(curation, given.limit, context)
    listed = curation.conflicts(limit=given.limit, everywhere=given.everywhere)
    found = [judged.worded(one) for one in listed]
    read = _read_pairs(curation, given, given.limit - len(found), context)
    found += read.conflicts
    checked = _checks(found, context)
    if context.output.as_json:
        context.output.json(conflicts_json(found, checked, notes=[read.note] if read.note else []))
        return
    whole = listed
    if len(listed) == given.limit < MOST_LISTED:
        # The limit may have left out other conflicts of the last candidate.
        whole = curation.conflicts(limit=MOST_LISTED, everywhere=given.everywhere)
    if not listed:
        context.output.note("No conflicts are known here.")
    for place, conflict in enumerate(found):
        if place == len(listed):
            show_advice_heading(context.output, is_first=not place)
        elif place:
            context.output.say()
        show_conflict(context.output, conflict, checked, standing=_standing(conflict, whole))
    if read.note:
        context.output.note(Dim(with_advice(read.note)))


def _standing(conflict: Conflict, listed: Sequence[Conflict]) -> list[MemoryId]:
    """Return everything that the candidate of a conflict contradicts; advice is about one pair."""
    if conflict.suspicion.is_advice:
        return [conflict.standing.memory.id]
    name = conflict.candidate.memory.id
    return [one.standing.memory.id for one in listed if one.candidate.memory.id == name]


def _read_pairs(
    curation: Curation, given: Namespace, limit: int, context: CommandContext
) -> PairReadings:
    """Return what the model in the package suspects, as far as the limit leaves room for it."""
    if limit < 1:
        return PairReadings()
    with context.progress("reading pairs") as progress:
        return curation.read_pairs(limit=limit, everywhere=given.everywhere, progress=progress)


def _let_judge(curation: Curation, limit: int, context: CommandContext) -> JudgedConflicts:
    """Ask the judge, if one is set; if it fails, the findings of the rules are shown."""
    chosen = context.machine.judge()
    if chosen is None:
        return JudgedConflicts()
    try:
        return curation.judge(chosen, limit=limit)
    except UnavailableError as error:
        context.output.complain(Warn("not judged: "), *told(error))
        return JudgedConflicts()


def _checks(
    found: Sequence[Conflict], context: CommandContext
) -> dict[MemoryId, Sequence[Checked]]:
    records = {
        record.memory.id: record for one in found for record in (one.candidate, one.standing)
    }
    if not records or context.holdfast.verifier is None:
        return {}
    checks = context.holdfast.evidence.checks_of(list(records.values()))
    return {one.record.memory.id: one.evidence for one in checks}


def resolve(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Resolve a conflict between two claims. --keep-old rejects the newer claim; --supersede\n"
        "replaces the old claim with it; --keep-both accepts both, optionally with a text for\n"
        "where each holds; --merge replaces both with one claim. If a claim contradicts several\n"
        "memories, --keep-old and --supersede without OTHER decide about all of them; --keep-both\n"
        "and --merge need the id of one.",
        examples=(
            "holdfast resolve m_h6d2ww --supersede",
            'holdfast resolve m_j8e4xx --keep-both --scope-new "in tests"',
            'holdfast resolve m_l1f7yy --merge "Backups run at two, on Mondays at four." --json',
        ),
        does=_resolve,
    )
    add = command.add_argument
    add("id", metavar="ID", help="the candidate, or the newer memory")
    add(
        "other",
        metavar="OTHER",
        nargs="?",
        help="the memory it contradicts; for --keep-both, --merge",
    )
    add("--keep-old", action="store_true", help="keep the accepted one; reject the newer one")
    add("--supersede", action="store_true", help="the newer one replaces it")
    add("--keep-both", action="store_true", help="keep both")
    add("--merge", metavar="TEXT", help="replace both with this claim")
    add("--scope-new", metavar="WORDS", default="", help="with --keep-both: where the newer holds")
    add("--scope-old", metavar="WORDS", default="", help="with --keep-both: where the older holds")
    add("--reason", metavar="WORDS", default="", help="with --keep-old: why")
    add("--hash", metavar="HASH", help="only if its hash is this one")


def _resolve(given: Namespace, context: CommandContext) -> None:
    wish = Resolve(
        reference=given.id,
        other=given.other,
        by=context.user,
        way=_way(given),
        text=given.merge or "",
        scope_new=given.scope_new,
        scope_old=given.scope_old,
        reason=given.reason,
        shown_hash=given.hash,
    )
    decided = context.holdfast.review.resolve(wish)
    if context.output.as_json:
        context.output.json(decided_json(decided))
    else:
        _show(decided, context)
    follow_up(context)


def _way(given: Namespace) -> ResolutionWay:
    chosen = [
        way
        for way, is_so in (
            (ResolutionWay.KEEP_OLD, given.keep_old),
            (ResolutionWay.SUPERSEDE, given.supersede),
            (ResolutionWay.KEEP_BOTH, given.keep_both),
            (ResolutionWay.MERGE, given.merge is not None),
        )
        if is_so
    ]
    if len(chosen) != 1:
        raise UsageError(
            problem="Choose one of: --keep-old, --supersede, --keep-both or --merge TEXT."
        )
    if (given.scope_new or given.scope_old) and chosen[0] is not ResolutionWay.KEEP_BOTH:
        raise UsageError(problem="--scope-new and --scope-old go with --keep-both.")
    return chosen[0]


def _show(decided: Decided, context: CommandContext) -> None:
    show_decided(context.output, decided)
    for conflict in decided.left:
        context.output.note(
            Warn("still waiting: "),
            Name(conflict.candidate.memory.id),
            f" also contradicts {conflict.standing.memory.id}",
        )
