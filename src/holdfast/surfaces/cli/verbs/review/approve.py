"""approve, reject: decide about candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.curation import Curation
from holdfast.domain.errors import ChangedSinceShownError
from holdfast.domain.memory.decision import Offered, offer_of
from holdfast.domain.review.review import Risk
from holdfast.domain.review.shown import is_shown
from holdfast.domain.review_errors import NotWhatWasShownError
from holdfast.domain.values import replace
from holdfast.surfaces.cli.follow_up import follow_up
from holdfast.surfaces.cli.person import agrees, is_at_terminal
from holdfast.surfaces.cli.present.review.decided import show_decided
from holdfast.surfaces.cli.present.review.queue import show_queue
from holdfast.surfaces.cli.present.review.review import pasteable_decisions
from holdfast.surfaces.cli.present.terminal.colour import Name, Warn
from holdfast.surfaces.cli.queue_options import add_filters, is_part, review_wish
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.review import decided_json, rehearsed_json
from holdfast.usecases.naming import MOST_LISTED
from holdfast.usecases.review.approve import Approve, Reject
from holdfast.usecases.review.queued import Review

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.review.approve import Decided
    from holdfast.usecases.review.queued import Queue, WaitingCandidate


def approve(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Accept candidates, all of them or none. --hash accepts a candidate only if it is what\n"
        "you were shown: give the hash of the claim, or the one that 'holdfast review' prints.\n"
        "The number of a row that 'holdfast review' showed in this terminal does the same.\n"
        "With --all, --shown does the same for the whole list. Conflicts with accepted memories\n"
        "are resolved first. Evidence that was offered for a memory is added to it. A proposal\n"
        "to forget a memory is carried out after a question, permanently; --all leaves such\n"
        "proposals out, and candidates whose evidence is gone: approve these by their ids.",
        examples=(
            "holdfast approve m_k4t9zz",
            "holdfast approve --all --kind gotcha --yes",
            "holdfast approve --all --max-risk low --dry-run",
        ),
        does=_approve,
    )
    add = command.add_argument
    add("ids", metavar="ID", nargs="*", help="candidates to accept")
    add("--all", action="store_true", help="every candidate that is visible here")
    add_filters(command)
    add("--hash", metavar="HASH", help="the hash that was shown; with one id")
    _add_consent(command)


def _approve(given: Namespace, context: CommandContext) -> int | None:
    _check_words(given)
    if given.hash is not None and len(given.ids) != 1:
        raise UsageError(problem="--hash goes with exactly one id.")
    curation = context.holdfast.review
    if given.ids and not given.dry_run:
        doomed = _proposed_to_forget(given.ids, curation)
        if doomed:
            return _forget(given, doomed, context)
    references: tuple[str, ...] = tuple(given.ids)
    shown: dict[str, str] = dict(given.rows_shown)
    if given.hash is not None:
        shown = {given.ids[0]: given.hash}
    if given.all or given.dry_run:
        whole = curation.review(review_wish(given, limit=MOST_LISTED, references=references))
        _check_shown(given, whole)
        queue = _without_left(whole, context) if given.all else whole
        is_asked = given.dry_run or queue.items or not whole.items
        if is_asked and not _is_agreed(given, queue, context, question="Accept {these}?"):
            return 0 if given.dry_run or not queue.items else 1
        shown = {str(item.record.memory.id): item.shown for item in queue.items}
        references = tuple(shown)
    wish = Approve(references=references, by=context.user, shown=shown, leaves_conflicts=given.all)
    _tell(curation.approve(wish), context)
    return None


def _proposed_to_forget(ids: Sequence[str], curation: Curation) -> list[WaitingCandidate]:
    """Return the candidates among these that propose to forget a memory."""
    wish = Review(references=tuple(ids), limit=MOST_LISTED)
    return [item for item in curation.review(wish).items if _is_to_forget(item)]


def _is_to_forget(item: WaitingCandidate) -> bool:
    offer = offer_of(item.record.memory)
    return offer is not None and offer.what is Offered.FORGETTING


def _without_left(queue: Queue, context: CommandContext) -> Queue:
    """Return the list without what --all leaves; each of those is named, and approved by its id.

    A proposal to forget cannot be undone, and a candidate whose evidence is gone has no basis.
    """
    kept = []
    for item in queue.items:
        if _is_to_forget(item):
            why = " proposes to forget a memory permanently"
        elif item.is_unfounded:
            why = ": its evidence is gone"
        else:
            kept.append(item)
            continue
        context.output.note(Warn("left for you: "), Name(item.record.memory.id), why)
    many = len(queue.items) - len(kept)
    return replace(queue, items=tuple(kept), total=queue.total - many)


def _forget(
    given: Namespace, doomed: list[WaitingCandidate], context: CommandContext
) -> int | None:
    """Forget the proposed memories in the same way as the verb ``forget``.

    Raises:
        UsageError: Other candidates are named too, and they need a different decision.
        ChangedSinceShownError: The proposal is not what was shown.
    """
    from holdfast.surfaces.cli.verbs.memory.forget import forget_all

    if len(doomed) != len(dict.fromkeys(given.ids)):
        raise UsageError(problem="Approve a proposal to forget separately: it cannot be undone.")
    for item in doomed:
        seen = given.hash or given.rows_shown.get(item.record.memory.id)
        if seen is not None and not is_shown(seen, item.shown):
            raise ChangedSinceShownError(item.record.memory.id)
    targets = [str(item.about.memory.id) for item in doomed if item.about is not None]
    given.reason = ", ".join(f"proposed by {item.record.memory.source}" for item in doomed)
    return forget_all(given, targets, context)


def reject(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Reject candidates, all of them or none. They stay readable with the reason, are never\n"
        "recalled, and no import or conversation proposes them again.",
        examples=(
            'holdfast reject m_k4t9zz --reason "out of date"',
            'holdfast reject --all --source run-2026-01-27-3 --yes --reason "wrong branch"',
        ),
        does=_reject,
    )
    add = command.add_argument
    add("ids", metavar="ID", nargs="*", help="candidates to reject")
    add("--all", action="store_true", help="every candidate that is visible here")
    add_filters(command)
    add("--reason", metavar="WORDS", default="", help="why")
    _add_consent(command)


def _reject(given: Namespace, context: CommandContext) -> int | None:
    _check_words(given)
    curation = context.holdfast.review
    references = tuple(given.ids)
    if given.all or given.dry_run:
        queue = curation.review(review_wish(given, limit=MOST_LISTED, references=references))
        _check_shown(given, queue)
        if not _is_agreed(given, queue, context, question="Reject {these}?"):
            return 0 if given.dry_run or not queue.items else 1
        references = tuple(item.record.memory.id for item in queue.items)
    _tell(
        curation.reject(Reject(references=references, by=context.user, reason=given.reason)),
        context,
    )
    return None


def _add_consent(command: Command) -> None:
    add = command.add_argument
    add("--shown", metavar="HASH", help="with --all: the hash of the list that was shown")
    add("-y", "--yes", action="store_true", help="do not ask: with --all, and to forget")
    add("--dry-run", action="store_true", help="show the candidates; change nothing")


def _check_words(given: Namespace) -> None:
    if given.all == bool(given.ids):
        raise UsageError(problem="Give the candidates' ids, or --all.")
    filters = {"--kind": given.kind, "--source": given.source, "--origin": given.origin}
    risk = None if given.max_risk is Risk.HIGH else given.max_risk
    for name, value in {**filters, "--max-risk": risk, "--shown": given.shown}.items():
        if value is not None and not given.all:
            raise UsageError(problem=f"{name} goes with --all.")


def _check_shown(given: Namespace, queue: Queue) -> None:
    """Return if the list is the one that a person saw, or if they name none.

    Raises:
        NotWhatWasShownError: The list differs.
    """
    if given.shown is not None and not is_shown(given.shown, queue.shown):
        raise NotWhatWasShownError(many=queue.total)


def _is_agreed(given: Namespace, queue: Queue, context: CommandContext, *, question: str) -> bool:
    """Return whether a person confirms deciding about all of these.

    Raises:
        UsageError: Nobody can be asked, and neither --shown nor --yes is given.
    """
    if given.dry_run or not queue.items:
        _show_meant(given, queue, context)
        return False
    if given.shown is not None or given.yes:
        return True
    if not is_at_terminal(context):
        raise UsageError(
            problem="--all needs --shown with the hash that 'holdfast review' prints, or --yes."
        )
    show_queue(context.output, queue, at=context.holdfast.now())
    many = len(queue.items)
    these = "this candidate" if many == 1 else f"these {many} candidates"
    is_yes = agrees(context, question.format(these=these))
    if not is_yes:
        context.output.note("Nothing was changed.")
    return is_yes


def _show_meant(given: Namespace, queue: Queue, context: CommandContext) -> None:
    if context.output.as_json:
        context.output.json(rehearsed_json(queue, commands=pasteable_decisions(context.output)))
    else:
        now = context.holdfast.now()
        show_queue(context.output, queue, at=now, is_part=is_part(given))


def _tell(decided: Decided, context: CommandContext) -> None:
    if context.output.as_json:
        context.output.json(decided_json(decided))
    else:
        show_decided(context.output, decided)
        for conflict in decided.left:
            context.output.note(
                Warn("left for you: "),
                Name(conflict.candidate.memory.id),
                f" contradicts {conflict.standing.memory.id}: holdfast conflicts",
            )
    if decided.records:
        follow_up(context)
