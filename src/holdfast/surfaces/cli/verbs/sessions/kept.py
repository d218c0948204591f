"""hydrate, session show, did, note, resume, rewind, fork, reconcile: go on where work stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.sessions.cache import USUAL_TOKENS
from holdfast.domain.sessions.reconciling import ReconcileChoice
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.present.memory.kept_sessions import (
    kept_turn_line,
    note_line,
    show_kept,
)
from holdfast.surfaces.cli.present.terminal.colour import Dim, Name
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.session_cache import (
    hydrated_json,
    kept_session_json,
    one_kept_turn_json,
    one_note_json,
    read_choice,
    read_keep_note,
    reconciled_json,
    told_turn,
)
from holdfast.usecases.sessions.caching import KeepTurn
from holdfast.usecases.sessions.hydrating import Hydrate

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from holdfast.domain.sessions.cache import CacheNote
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.sessions.rewinding import KeptSession, Reconciled

_SESSION = "a session (i_…)"
_SETTING = "session.reconcile"
_SHOWN_PROPOSALS = 10
_UNDECIDED = 4
"""The exit code of a conflict."""
_DONE = {
    ReconcileChoice.REBASE: ("counts here now", "count here now"),
    ReconcileChoice.FORK: ("was copied into it", "were copied into it"),
    ReconcileChoice.FRESH: ("is set aside", "are set aside"),
}
_KINDS = ("note", "subtask", "approval", "goal", "question", "artefact")


def hydrate(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show what a new session in this checkout is told: the branch and what happened to it,\n"
        "the last turns, goals, the next milestone, open subtasks and approvals. Only work that\n"
        "is part of the checkout counts.",
        examples=("holdfast hydrate --budget 400", "holdfast hydrate --branch main --json"),
        does=_hydrate,
    )
    option = command.add_argument
    option(
        "--budget",
        type=values.whole("budget"),
        default=USUAL_TOKENS,
        metavar="N",
        help=f"at most N tokens ({USUAL_TOKENS})",
    )
    option("--branch", metavar="NAME", help="as another branch would be told")


def _hydrate(given: Namespace, context: CommandContext) -> None:
    wish = Hydrate(tokens=given.budget, branch=given.branch)
    found = context.holdfast.session_cache.hydrate(wish)
    if context.output.as_json:
        context.output.json(hydrated_json(found))
        return
    if found.text:
        context.output.say(found.text)
    else:
        context.output.note("Nothing to tell here yet.")
    if found.note:
        context.output.note(Dim(found.note))
    _show_proposed(found.standing.proposed, context)


def _show_proposed(notes: Sequence[CacheNote], context: CommandContext) -> None:
    """Show a person what waits for them; the text for agents does not contain it."""
    for note in notes[:_SHOWN_PROPOSALS]:
        context.output.note(*note_line(note))
    if notes:
        more = len(notes) - _SHOWN_PROPOSALS
        rest = f"; {more} more: --json" if more > 0 else ""
        how = "accept one with 'holdfast session note --id NAME', refuse it with --done"
        context.output.note(Dim(f"proposed, and not told: {how}{rest}"))


def show(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show a session with what it keeps for the next one: turns in short form, and notes.",
        examples=("holdfast session show i_7h2m4x", "holdfast session show i_7h2m4x --json"),
        does=lambda given, context: _show(
            context.holdfast.session_cache.show(given.session), context
        ),
    )
    command.add_argument("session", metavar="SESSION", help=_SESSION)


def did(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Keep a turn of a session: what was done, with which commands and files. The hooks of\n"
        "coding tools do this by themselves.",
        examples=(
            'holdfast session did i_7h2m4x "added a cache" --ran "make test" --changed src/a.py',
            'holdfast session did i_7h2m4x "wrote the docs" --asked "document it" --json',
        ),
        does=_did,
    )
    option = command.add_argument
    option("session", metavar="SESSION", help=_SESSION)
    option("summary", metavar="WORDS", help="what was done")
    option("--asked", metavar="WORDS", default="", help="what was asked for")
    option("--ran", action="append", default=[], metavar="COMMAND", help="a command that ran")
    option("--changed", action="append", default=[], metavar="PATH", help="a file that changed")
    option("--key", metavar="NAME", default="", help="a turn with a known key is kept once")


def _did(given: Namespace, context: CommandContext) -> None:
    wish = KeepTurn(
        asked=given.asked,
        summary=given.summary,
        commands=tuple(given.ran),
        paths=tuple(given.changed),
        key=given.key,
    )
    turn = context.holdfast.session_cache.keep_turn(given.session, told_turn(wish))
    texts = (wish.asked, wish.summary, *wish.commands)
    context.output.note_removed(*texts)
    if context.output.as_json:
        context.output.json(one_kept_turn_json(turn, texts=texts))
    else:
        context.output.say(*kept_turn_line(turn))


def note(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Keep a note: of a session (note, subtask, approval), or of the repository (goal,\n"
        "question, artefact). Without --session it is the open session that was changed last.\n"
        "--id changes a known note, --done closes it. What a person wrote, an agent only\n"
        "proposes to change; a person accepts a proposal with its --id, or refuses it with\n"
        "--done.",
        examples=(
            'holdfast session note "the tests need a database" --session i_7h2m4x',
            'holdfast session note "ship 1.2" --kind goal',
        ),
        does=_note,
    )
    option = command.add_argument
    option("text", metavar="WORDS", nargs="?", default="", help="the note")
    option("--session", metavar="SESSION", default="", help=_SESSION)
    option(
        "--kind",
        choices=_KINDS,
        metavar="KIND",
        default="note",
        help="note, subtask, approval, goal, question or artefact (note)",
    )
    option("--id", metavar="NAME", default="", help="a note that exists")
    option("--done", action="store_true", help="it is done")


def _note(given: Namespace, context: CommandContext) -> None:
    shape = {
        "text": given.text,
        "kind": given.kind,
        "session": given.session,
        "id": given.id,
        "done": given.done,
    }
    if given.done and not given.id and not given.text.strip():
        raise UsageError(
            problem="Which note is done? Name it with --id; 'holdfast session show SESSION' and"
            " 'holdfast hydrate' show the names."
        )
    wish = read_keep_note(shape, noun="note")
    kept = context.holdfast.session_cache.note(wish)
    context.output.note_removed(given.text)
    if context.output.as_json:
        context.output.json(one_note_json(kept, text=given.text))
    else:
        context.output.say(*note_line(kept))
    if kept.changes and kept.is_proposed:
        told = f"a person wrote {kept.changes}, so this waits until a person accepts it"
        context.output.note(Dim(told))


def resume(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Open an ended session again, so that it takes turns.",
        examples=("holdfast session resume i_7h2m4x", "holdfast session resume i_7h2m4x --json"),
        does=lambda given, context: _show(
            context.holdfast.session_cache.resume(given.session), context
        ),
    )
    command.add_argument("session", metavar="SESSION", help=_SESSION)


def rewind(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Hide the turns after one; nothing is deleted. --undo takes the last rewind back.",
        examples=(
            "holdfast session rewind i_7h2m4x --to-turn 0",
            "holdfast session rewind i_7h2m4x --undo",
        ),
        does=_rewind,
    )
    option = command.add_argument
    option("session", metavar="SESSION", help=_SESSION)
    option("--to-turn", type=values.whole("to-turn"), metavar="N", help="the last turn to show")
    option("--undo", action="store_true", help="show again what the last rewind hid")


def _rewind(given: Namespace, context: CommandContext) -> None:
    if (given.to_turn is None) != bool(given.undo):
        raise UsageError(problem="Write --to-turn N, or --undo.")
    _show(context.holdfast.session_cache.rewind(given.session, to=given.to_turn), context)


def fork(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Start a session in this checkout with copies of another one's turns and open notes.",
        examples=(
            "holdfast session fork i_7h2m4x",
            "holdfast session fork i_7h2m4x --to-turn 0 --json",
        ),
        does=lambda given, context: _show(
            context.holdfast.session_cache.fork(given.session, to=given.to_turn), context
        ),
    )
    option = command.add_argument
    option("session", metavar="SESSION", help=_SESSION)
    option("--to-turn", type=values.whole("to-turn"), metavar="N", help="the last turn to copy")


def reconcile(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Say what git did to the branch since a session's last turn, and what can be done:\n"
        "rebase ties its turns to this checkout, fork copies them into a new session, fresh\n"
        "sets those aside whose commit is not here. Without --as, the setting\n"
        "session.reconcile decides; 'ask' only says it, and the exit code is 4 if somebody must\n"
        "choose.",
        examples=(
            "holdfast session reconcile",
            "holdfast session reconcile i_7h2m4x --as fork --json",
        ),
        does=_reconcile,
    )
    option = command.add_argument
    option("session", metavar="SESSION", nargs="?", help=_SESSION)
    option(
        "--as",
        dest="choice",
        choices=("rebase", "fork", "fresh", "continue", "ask"),
        help="what to do",
    )
    option("--dry-run", action="store_true", help="only say what happened")


def _reconcile(given: Namespace, context: CommandContext) -> int:
    cache = context.holdfast.session_cache
    choice = wanted = read_choice(given.choice)
    done = cache.reconcile(given.session, wanted=choice, dry_run=given.dry_run)
    if done.choice is ReconcileChoice.ASK and choice is None and not given.dry_run:
        wanted = read_choice(context.settings.value(_SETTING)[0])
        if wanted in done.found.choices:
            done = cache.reconcile(given.session, wanted=wanted)
    if context.output.as_json:
        context.output.json(reconciled_json(done))
    else:
        _say_reconciled(done, context, is_chosen=wanted is done.choice)
    is_open = done.choice is ReconcileChoice.ASK and done.found.is_stale
    if is_open and not given.dry_run:
        context.output.note(Dim(f"choose with --as {'|'.join(done.found.choices)}"))
        return _UNDECIDED
    # A rebase that somebody chose ties what is lost to this checkout.
    is_left = done.choice is ReconcileChoice.CONTINUE or (
        done.choice is ReconcileChoice.REBASE and wanted is None
    )
    if done.found.lost and is_left:
        lost = "set what is lost aside with --as fresh, or count it here with --as rebase"
        context.output.note(Dim(lost))
    return 0


def _say_reconciled(done: Reconciled, context: CommandContext, *, is_chosen: bool) -> None:
    """Say what was done if somebody chose it, and what was found; else the other way round."""
    found = f"{done.found.happened.value}: {done.found.words}"
    if is_chosen and done.turns and done.choice in _DONE:
        one, several = _DONE[done.choice]
        turns = f"  1 turn {one}" if done.turns == 1 else f"  {done.turns:,} turns {several}"
        context.output.say(Dim(f"{done.choice.value}: "), Name(done.session or ""), turns)
        context.output.say(Dim(f"before: {found}"))
        return
    context.output.say(found)
    if done.session is not None:
        context.output.say(Dim(f"{done.choice.value}: "), Name(done.session))


def _show(kept: KeptSession, context: CommandContext) -> None:
    if context.output.as_json:
        context.output.json(kept_session_json(kept))
    else:
        show_kept(context.output, kept)
