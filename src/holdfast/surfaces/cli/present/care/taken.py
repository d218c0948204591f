"""Print the result of an import of other tools' notes."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good, Warn
from holdfast.surfaces.cli.present.terminal.table import one_line, show_table
from holdfast.surfaces.wire.intake import counts_of
from holdfast.usecases.exchange.take_over import NoteOutcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.memory.entry import Flaw
    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.exchange.take_over import ImportedNote, TakenOver
    from holdfast.usecases.review.approve import Decided
    from holdfast.usecases.sessions.propose import Proposed
    from holdfast.usecases.sessions.saying import SaidTalk

_WORDS = {
    NoteOutcome.ADDED: ("added", "would be added"),
    NoteOutcome.STRENGTHENED: ("evidence offered", "would offer evidence"),
    NoteOutcome.KNOWN: ("known", "known"),
    NoteOutcome.LEFT: ("left out", "left out"),
}
_SHOWN_OUTDATED = 5
_SHOWN_FLAWS = 20
_SIGN_OF_A_SECRET = "holds a secret"  # noqa: S105 - the words of a reason
_STYLES = {
    NoteOutcome.ADDED: Good,
    NoteOutcome.STRENGTHENED: Good,
    NoteOutcome.KNOWN: Dim,
    NoteOutcome.LEFT: Warn,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationReport:
    """A conversation with the candidates proposed from it, or with the errors of reading it."""

    transcript: Transcript | None = None
    proposed: Proposed | None = None
    said: SaidTalk | None = None
    flaws: tuple[Flaw, ...] = ()
    differing: int = 0


class Detail(Enum):
    """Whether notes that were left out are listed or only counted."""

    COUNTED = auto()
    LISTED = auto()


def show_taken(
    taken: TakenOver,
    decided: Decided | None,
    *,
    is_dry: bool,
    output: Output,
    detail: Detail = Detail.COUNTED,
) -> None:
    """Write a row for every note, and a summary."""
    rows = [_row(one, is_dry=is_dry) for one in taken.taken]
    if detail is Detail.LISTED:
        rows += [
            [Warn("left out"), "", left.place, _reason(left.why, left.text)] for left in taken.left
        ]
    if rows:
        show_table(output, ("OUTCOME", "KIND", "PLACE", "CLAIM"), rows, is_wrapped=True)
    output.note(_summed(taken, is_dry=is_dry))
    if reasons := taken.left_by_reason():
        _show_reasons(reasons, output)
        if taken.left and detail is Detail.COUNTED:
            output.note(Dim("'--verbose' lists the notes that were left out."))
    _show_outdated(taken, is_dry=is_dry, output=output)
    if decided is not None:
        output.note(f"{len(decided.records)} accepted.")
        for conflict in decided.left:
            candidate, standing = conflict.candidate.memory.id, conflict.standing.memory.id
            output.note(Warn(f"{candidate} waits: it contradicts {standing}."))
    elif not is_dry and taken.with_fate(NoteOutcome.ADDED, NoteOutcome.STRENGTHENED):
        output.note(Dim("They wait for you: holdfast review"))


def _show_outdated(taken: TakenOver, *, is_dry: bool, output: Output) -> None:
    """Name the earlier candidates whose notes were changed."""
    if not taken.outdated:
        return
    many = len(taken.outdated)
    said = "1 earlier candidate" if many == 1 else f"{many:,} earlier candidates"
    verb = "would be" if is_dry else "is" if many == 1 else "are"
    output.note(Warn(f"{said} {verb} outdated, because the note was changed:"))
    for name in taken.outdated[:_SHOWN_OUTDATED]:
        output.note(f"  holdfast reject {name}")
    if many > _SHOWN_OUTDATED:
        output.note(Dim(f"  and {many - _SHOWN_OUTDATED:,} more"))


def _show_reasons(reasons: Mapping[str, int], output: Output) -> None:
    every = ", ".join(f"{many:,} × {why}" for why, many in reasons.items())
    output.note(Dim(f"left out: {every}"))
    if any(_SIGN_OF_A_SECRET in why for why in reasons):
        output.note(Dim("'--redact' takes notes in without the secrets in them."))


def _row(one: ImportedNote, *, is_dry: bool) -> list[str]:
    word = _STYLES[one.fate](_WORDS[one.fate][is_dry])
    return [word, one.note.kind.value, one.note.place, _reason(one.why, one.note.claim)]


def _reason(why: str, text: str) -> str:
    """Return a text after the reason; a text with a secret is not shown."""
    return ": ".join(part for part in (why, one_line(text)) if part)


def _summed(taken: TakenOver, *, is_dry: bool) -> str:
    counts = counts_of(taken)
    words = [
        (counts["added"], "would be added" if is_dry else "added"),
        (counts["known"], "known already"),
        (counts["left_out"], "left out"),
    ]
    said = [f"{count:,} {outcome}" for count, outcome in words if count]
    if not said:
        return "There was nothing to import."
    linked = f" {taken.links:,} linked." if taken.links else ""
    return f"{counts['read']:,} read: {', '.join(said)}.{linked}"


def show_talks(talks: Sequence[ConversationReport], *, is_dry: bool, output: Output) -> None:
    """Write a row for every conversation and every candidate."""
    heard = [talk for talk in talks if talk.transcript is not None and talk.proposed is not None]
    if not heard:
        if not any(talk.flaws for talk in talks):
            output.note("There was nothing new.")
        return
    rows: list[list[str]] = []
    for talk in heard:
        rows += _talk_rows(talk, is_dry=is_dry)
    if rows:
        show_table(output, ("OUTCOME", "KIND", "TURN", "CLAIM"), rows, is_wrapped=True)
    added = sum(len(talk.proposed.added) for talk in heard if talk.proposed)
    words = "would be proposed" if is_dry else "proposed"
    many = "1 conversation" if len(heard) == 1 else f"{len(heard):,} conversations"
    kept = sum(len(talk.said.kept) for talk in heard if talk.said is not None)
    turns = "1 turn kept" if kept == 1 else f"{kept:,} turns kept"
    changed = sum(talk.said.changed for talk in heard if talk.said is not None)
    turns += f", {changed:,} changed" if changed else ""
    turns = f", {turns}" if any(talk.said is not None for talk in heard) else ""
    output.note(f"{many} read, {added:,} {words}{turns}.")
    if added and not is_dry:
        output.note(Dim("They wait for you: holdfast review"))


def _talk_rows(talk: ConversationReport, *, is_dry: bool) -> list[list[str]]:
    transcript, proposed = talk.transcript, talk.proposed
    if transcript is None or proposed is None:
        return []
    head = f"{transcript.tool}:{transcript.session[:12]}"
    rows = [
        [
            _STYLES[fate](_WORDS[fate][is_dry]),
            kept.proposal.kind.value,
            f"{head}#{kept.proposal.turn}",
            one_line(kept.proposal.claim),
        ]
        for fate, every in (
            (NoteOutcome.ADDED, proposed.added),
            (NoteOutcome.STRENGTHENED, proposed.strengthened),
        )
        for kept in every
    ]
    rows += [
        [
            Warn("left out"),
            left.proposal.kind.value,
            f"{head}#{left.proposal.turn}",
            f"{left.reason} {one_line(left.proposal.claim)}",
        ]
        for left in proposed.left
    ]
    return rows


def show_flaws(flaws: Sequence[Flaw], output: Output) -> None:
    """Write what could not be read to stderr, each with its place."""
    if output.as_json:
        return
    for flaw in flaws[:_SHOWN_FLAWS]:
        place = f"{flaw.path}:{flaw.line}" if flaw.line else flaw.path
        output.complain(Warn(f"{place}: {flaw.problem}"))
    if rest := len(flaws[_SHOWN_FLAWS:]):
        output.complain(Warn(f"and {rest:,} more; '--json' lists them all"))
