"""show: print the memory, bundle, span, run or session with an id."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.errors import NoSuchError
from holdfast.domain.memory.callers import Operation
from holdfast.domain.memory.evidence import Span
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.pages.run_page import run_page
from holdfast.domain.recall.bundle import Bundle
from holdfast.domain.sessions.run import Run
from holdfast.surfaces.cli.present.memory.kept_sessions import show_said
from holdfast.surfaces.cli.present.memory.memory_lines import memory_page
from holdfast.surfaces.cli.present.memory.provenance import span_page
from holdfast.surfaces.cli.present.memory.sessions import session_page
from holdfast.surfaces.cli.present.recall.recalled import show_recalled
from holdfast.surfaces.cli.present.terminal.colour import Dim
from holdfast.surfaces.wire.recall import (
    shown_bundle_json,
    shown_memory_json,
    shown_run_json,
    shown_session_json,
    shown_span_json,
)
from holdfast.surfaces.wire.session_cache import shown_said_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.memory.browse import SessionPage

_TURN = re.compile(r"(i_[0-9a-z]+)/([1-9][0-9]{0,8})")


def show(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show a memory (m_…), a bundle (c_…), a span (s_…), a session (i_…), what was said in one\n"
        "of its turns (i_…/2) or a run (r_…). The start of an id is enough if no other id starts\n"
        "with it. A person sees the text of a sensitive memory, if its key is here.",
        examples=(
            "holdfast show m_3f8k2q",
            "holdfast show c_20251021T1030Z --json",
            "holdfast show s_def456",
        ),
        does=_run,
    )
    command.add_argument("id", metavar="ID", help="an id, or the start of one")


def _run(given: Namespace, context: CommandContext) -> None:
    if found := _TURN.fullmatch(given.id):
        _show_turn(found[1], int(found[2]), context)
        return
    thing = context.holdfast.memories.show(given.id)
    if isinstance(thing, MemoryRecord) and is_sensitive(thing.memory):
        thing = _revealed(thing, context)
    if context.output.as_json:
        context.output.json(_answer(thing, context))
        return
    match thing:
        case MemoryRecord():
            (checked,) = context.holdfast.evidence.checks_of([thing])
            now = context.holdfast.now()
            memory_page(context.output, thing, at=now, checked=checked.evidence)
        case Bundle():
            show_recalled(context.holdfast.answers.shown(thing.id), context.output)
        case Span():
            span_page(context.output, thing, context.holdfast.evidence.sight(thing))
        case Run():
            context.output.say(run_page(thing).rstrip("\n"))
        case _:
            session_page(context.output, thing)


def _show_turn(session: str, number: int, context: CommandContext) -> None:
    """Write what was said in one turn.

    Raises:
        NoSuchError: Nothing of it is kept.
    """
    turns = [one for one in context.holdfast.session_cache.said(session) if one.number == number]
    if not turns:
        raise NoSuchError(noun="turn", reference=f"{session}/{number}")
    if context.output.as_json:
        context.output.json(shown_said_json(turns[0]))
    else:
        show_said(context.output, turns)


def _revealed(record: MemoryRecord, context: CommandContext) -> MemoryRecord:
    """Return a sensitive memory with its text to a person; others see the placeholder."""
    # A server decrypts over HTTP on demand; what a client reads from it is kept in a cache.
    is_elsewhere = context.holdfast.carrier is not None
    if is_elsewhere or Operation.REVEAL not in context.principal.may:
        context.output.note(Dim("its text is encrypted; a person reads it where its key is"))
        return record
    return context.holdfast.encryption.reveal(record)


def _answer(
    thing: MemoryRecord | Bundle | Span | Run | SessionPage, context: CommandContext
) -> dict[str, object]:
    match thing:
        case MemoryRecord():
            (checked,) = context.holdfast.evidence.checks_of([thing])
            return shown_memory_json(thing, checked.evidence)
        case Bundle():
            return shown_bundle_json(context.holdfast.answers.shown(thing.id))
        case Span():
            return shown_span_json(thing, context.holdfast.evidence.sight(thing))
        case Run():
            return shown_run_json(thing)
        case _:
            return shown_session_json(thing)
