"""Print what sessions keep for the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.sessions.cache import short, summarised
from holdfast.surfaces.cli.present.memory.sessions import session_line
from holdfast.surfaces.cli.present.terminal.colour import Dim, Name
from holdfast.surfaces.cli.present.terminal.measuring import columns, terminal_width
from holdfast.surfaces.cli.present.terminal.table import folded, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.sessions.cache import CachedTurn, CacheNote
    from holdfast.domain.sessions.said import SaidTurn
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.sessions.rewinding import KeptSession

_WIDTH = 60
_SHORT = 7
_NUMBER = 4
_NARROWEST = 40


def note_line(note: CacheNote) -> list[str]:
    """Return a note on one line."""
    state = "" if note.is_open else "  done"
    if note.is_proposed:
        would = "close" if note.closes else "change"
        state += f"  proposed, would {would} {note.changes}" if note.changes else "  proposed"
    state += f"  ({note.author})" if note.author else ""
    words = one_line(short(note.text, _WIDTH))
    return [Name(note.id), f"  {note.kind.value}  ", words, Dim(state)]


def kept_turn_line(turn: CachedTurn) -> list[str]:
    """Return a turn on one line."""
    words = one_line(short(turn.asked or summarised(turn) or "-", _WIDTH - 25))
    done = summarised(turn) if turn.asked else ""
    commit = "" if turn.point is None else f"  {turn.point.head[:_SHORT]}"
    said = f"  {one_line(short(done, _WIDTH - 35))}" if done else ""
    by = f"  ({turn.recorder})" if turn.recorder else ""
    return [f"{turn.number:>4}", Dim(f"  {turn.at:%Y-%m-%d %H:%M}{commit}  "), words, said, Dim(by)]


def show_said(output: Output, turns: Iterable[SaidTurn]) -> None:
    """Write what was said, whole, in lines that fit the terminal."""
    for turn in turns:
        when, who = f"  {turn.at:%Y-%m-%d %H:%M}  ", one_line(turn.speaker)
        before = _NUMBER + len(when) + columns(who) + 2
        room, indent = terminal_width() - before, before
        if room < _NARROWEST:
            room, indent = max(_NARROWEST, terminal_width() - _NUMBER), _NUMBER
        first, *more = (
            part for line in turn.text.splitlines() for part in folded(one_line(line), room)
        )
        output.say(f"{turn.number:>{_NUMBER}}", Dim(when), f"{who}  ", first)
        for line in more:
            output.say(" " * indent, line)


def show_kept(output: Output, kept: KeptSession) -> None:
    """Write a session with its turns and notes."""
    output.say(*session_line(kept.session))
    if kept.cache.forked_from is not None:
        session, number = kept.cache.forked_from
        output.say(Dim("forked from "), Name(session), Dim(f" at turn {number}"))
    for turn in kept.turns:
        output.say(*kept_turn_line(turn))
    for note in kept.cache.notes:
        output.say("  ", *note_line(note))
    if kept.hidden:
        many = "1 turn is" if kept.hidden == 1 else f"{kept.hidden} turns are"
        output.note(Dim(f"{many} hidden by a rewind; --undo shows them again"))
