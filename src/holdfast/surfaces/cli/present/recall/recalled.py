"""Print an answer: the same text for agents and people, with colours on a terminal.

Print a kept answer beside today's answer to the same question.

Print an explained answer: its items and why, what was left out, and what to ask next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.recall.rendering import headline, no_items, notes_of, why
from holdfast.surfaces.cli.advising.note_advice import with_advice
from holdfast.surfaces.cli.present.terminal.colour import Bad, Bold, Dim, Good, Name, Quoted, Warn
from holdfast.surfaces.cli.present.terminal.table import one_line, show_table, wrapped
from holdfast.surfaces.wire.recall import left_out_by_reason, replay_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.recall.bundle import Bundle
    from holdfast.domain.recall.rendering import Recalled
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.recall.recall import Replay


def show_recalled(recalled: Recalled, output: Output) -> None:
    """Write an answer for people; a pipe gets exactly the Markdown."""
    if not output.is_terminal:
        output.text(recalled.markdown())
        return
    for line in recalled.markdown().splitlines():
        before = line[: len(line) - len(line.lstrip())]
        more = "" if before else "   "
        for piece in wrapped(line.lstrip(), indent=before, more=more, is_terminal=True):
            output.say(*_coloured(f"{before}{piece}"))


def show_advice(recalled: Recalled, output: Output, *, is_remote: bool) -> None:
    """Write what a person can do about the notes of an answer.

    The note that no embedding model is in use applies to every answer, so its advice is written on
    a terminal only. A server embeds its memories itself, so a client has nothing to do about them.
    """
    bundle = recalled.bundle
    has_items = bool(bundle.items or bundle.passages)
    notes = notes_of(bundle.notes, bundle.shortage, has_items=has_items)
    said = [] if has_items else [no_items(bundle)]
    if not (said or notes):
        return
    from holdfast.surfaces.cli.advising.note_advice import advice_on
    from holdfast.usecases.recall.recalled_memories import NOT_CAUGHT_UP, WORDS_ONLY

    unsaid = set() if output.is_terminal else {WORDS_ONLY}
    if is_remote:
        unsaid.add(NOT_CAUGHT_UP)
    told = [note for note in (*said, *notes) if note not in unsaid]
    for advice in dict.fromkeys(advice_on(note) for note in told):
        if advice:
            output.note(Dim(advice))


def show_nearest(recalled: Recalled, output: Output, *, shown: Callable[[str], Recalled]) -> None:
    """Name the memories that came nearest, where an answer has no items.

    These are lines for people beside the answer: a program or an agent gets the ids with it.
    """
    from holdfast.domain.ids import short
    from holdfast.domain.recall.sifting import NEARLY_ENOUGH, TOO_LITTLE, nearest

    bundle = recalled.bundle
    if bundle.items or bundle.passages:
        return
    near = nearest(bundle)
    known = shown(bundle.id) if near else recalled
    for place, name in enumerate(near):
        said = "nearest" if place == 0 else "also near"
        words = Dim(f"{said}, but not sure to answer: {short(name)}  ")
        output.note(words, Quoted(_claim(known, name)))
    if any(one.why.startswith((NEARLY_ENOUGH, TOO_LITTLE)) for one in bundle.left_out):
        output.note(Dim(f"'holdfast explain {bundle.id}' shows what came nearest"))


def _coloured(line: str) -> list[str]:
    if line.startswith("# "):
        return [Bold(line)]
    if line.startswith(("[memory ", "[/memory ", "   evidence: ", "note: ")):
        return [Dim(line)]
    head, bracket, rest = line.partition(" [m_")
    if bracket and not line.startswith(" "):
        name, closing, why = rest.partition("]")
        return [Bold(head), " [", Name(f"m_{name}"), closing, Dim(why)]
    return [line]


def show_replay(replay: Replay, output: Output) -> None:
    """Write today's answer to a question, and its differences from the kept answer."""
    if output.as_json:
        output.json(replay_json(replay))
        return
    bundle = replay.before.bundle
    output.say(Name(bundle.id), f"  {bundle.asked_at:%Y-%m-%d %H:%M} UTC  ", bundle.question.text)
    if replay.is_same:
        count = len(bundle.items)
        output.say(Good("same"), f"  {count} item{'s' if count != 1 else ''}, in the same order")
        return
    for name in replay.lost:
        output.say(Bad("- "), Name(name), "  ", _words(name, replay.before))
    for name in replay.gained:
        output.say(Good("+ "), Name(name), "  ", _words(name, replay.now))
    if replay.reordered:
        output.say(Warn("~ "), "the memories in both answers come in another order")
        for name in (item.memory_id for item in replay.now.bundle.items):
            output.say(Dim("  "), Name(name))


def _words(name: str, recalled: Recalled) -> str:
    for memory_id, record in recalled.records.items():
        if memory_id == name:
            return one_line(record.memory.claim)
    return "forgotten since; its text is gone"


_SHOWN_LEFT_OUT = 10


def show_explained(recalled: Recalled, output: Output) -> None:
    """Write the items of an answer in order, then what was left out, by reason and best first."""
    bundle = recalled.bundle
    output.say_folded(Bold(_headline(bundle)))
    output.say_folded("  asked: ", one_line(bundle.question.text))
    given = [
        (str(rank), Name(item.memory_id), f"{item.score:.4f}", why(item.reasons))
        + (_claim(recalled, item.memory_id),)
        for rank, item in enumerate(bundle.items, start=1)
    ]
    given += [
        ("-", Name(item.reference), f"{item.score:.4f}", why(item.reasons), item.title)
        for item in bundle.passages
    ]
    if given:
        show_table(output, ("RANK", "GIVEN", "SCORE", "WHY", "CLAIM"), given, is_wrapped=True)
    for reason, count in left_out_by_reason(bundle).items():
        output.say_folded(f"  left out: {count:,} ", output.named(reason))
    left = [
        (Name(item.memory_id), f"{item.score:.4f}", item.why, _claim(recalled, item.memory_id))
        for item in bundle.left_out[:_SHOWN_LEFT_OUT]
    ]
    if left:
        show_table(output, ("LEFT OUT", "SCORE", "REASON", "CLAIM"), left, is_wrapped=True)
    for note in notes_of(bundle.notes, bundle.shortage, has_items=bool(given)):
        output.say_folded("  note: ", output.named(with_advice(note)))
    command = Name(f"holdfast explain {bundle.id} m_…")
    output.say_folded("every part of one score: ", command)


def _headline(bundle: Bundle) -> str:
    return headline(
        bundle.id,
        tokens=bundle.tokens,
        budget=bundle.question.budget,
        items=len(bundle.items) + len(bundle.passages),
        left_out=len(bundle.left_out) + len(bundle.passages_left_out),
    ).removeprefix("# ")


def _claim(recalled: Recalled, memory_id: MemoryId) -> str:
    record = recalled.records.get(memory_id)
    claim = recalled.near.get(memory_id, "") if record is None else record.memory.claim
    return one_line(claim) if claim else "forgotten since"
