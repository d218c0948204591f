"""import of other tools' rules, memories and transcripts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.memory.entry import Flaw
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.person import agrees, is_at_terminal
from holdfast.surfaces.cli.present.care.taken import (
    Detail,
    show_flaws,
    show_taken,
    show_talks,
)
from holdfast.surfaces.cli.present.terminal.colour import Dim, Warn
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.intake import taken_json, talks_json
from holdfast.usecases.screening import SecretPolicy

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from holdfast.domain.exchange.foreign import FoundNotes
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.surfaces.cli.present.care.taken import ConversationReport
    from holdfast.usecases.exchange.take_over import TakenOver, TakeOver
    from holdfast.usecases.review.approve import Decided

_CLAUDE_MEM = "claude-mem"
_KEEPS, _ON = "session.said", "on"
_FLAWED = 2
_NOT_OF_TOOL = "No conversation of {tool} is in this file."
_DECLINED = 1


def notes(given: Namespace, context: CommandContext) -> int:
    """Import other tools' notes as candidates, or show what would be imported."""
    from holdfast.domain.values import replace

    if given.since is not None or given.again or given.turns:
        option = "--again" if given.again else "--turns" if given.turns else "--since"
        raise UsageError(problem=f"{option} goes with 'holdfast import transcripts'.")
    if given.all and given.file != _CLAUDE_MEM:
        raise UsageError(problem=f"--all goes with 'holdfast import {_CLAUDE_MEM}'.")
    paths = [Path(path) for path in given.paths]
    found = context.machine.sources.notes(given.file, paths, is_everywhere=given.all)
    wish = _wish(given, found)
    taking = context.holdfast.intake
    if given.accept and not given.dry_run and not given.yes:
        plan = taking.take_over(replace(wish, dry_run=True))
        if not _is_confirmed(plan, context):
            context.output.note("Nothing was changed.")
            return _DECLINED
    taken = taking.take_over(wish)
    decided = _accepted(taken, context) if given.accept and not given.dry_run else None
    if context.output.as_json:
        context.output.json(taken_json(taken, decided, found.flaws, is_dry=given.dry_run))
    else:
        detail = Detail.LISTED if given.verbose else Detail.COUNTED
        show_taken(taken, decided, is_dry=given.dry_run, output=context.output, detail=detail)
    show_flaws(found.flaws, context.output)
    return _FLAWED if found.flaws else 0


def _wish(given: Namespace, found: FoundNotes) -> TakeOver:
    from holdfast.usecases.exchange.take_over import TakeOver

    policy = SecretPolicy.REFUSE
    if given.redact or given.allow_secret:
        policy = SecretPolicy.REDACT if given.redact else SecretPolicy.ALLOW
    return TakeOver(
        notes=found.notes,
        left=found.left,
        scope=given.scope,
        dry_run=given.dry_run,
        secrets=policy,
    )


def _is_confirmed(plan: TakenOver, context: CommandContext) -> bool:
    """Show a person what would be imported and ask; only a person can accept in this way."""
    if not is_at_terminal(context):
        raise UsageError(
            problem="--accept asks at a terminal, and there is none; add --yes to accept without"
            " a question."
        )
    show_taken(plan, None, is_dry=True, output=context.output)
    return agrees(context, "Import and accept these?")


def _accepted(taken: TakenOver, context: CommandContext) -> Decided | None:
    """Accept the imported candidates, each only as it was shown; conflicts wait for review."""
    from holdfast.usecases.exchange.take_over import NoteOutcome
    from holdfast.usecases.review.approve import Approve

    waiting: dict[str, str] = {
        one.record.memory.id: one.record.memory.content_hash
        for one in taken.with_fate(NoteOutcome.ADDED)
        if one.record is not None and one.record.standing.status is Status.CANDIDATE
    }
    if not waiting:
        return None
    return context.holdfast.review.approve(
        Approve(references=tuple(waiting), by=context.user, shown=waiting, leaves_conflicts=True)
    )


def transcripts(given: Namespace, context: CommandContext) -> int:
    """Propose candidates from transcripts, from where the last import stopped."""
    if given.accept or given.yes or given.scope or given.redact or given.allow_secret:
        raise UsageError(
            problem="Transcripts only give candidates; decide about them with 'holdfast review'."
        )
    if given.all:
        raise UsageError(
            problem="Transcripts of another project belong there: run this in its folder."
        )
    talks: list[ConversationReport] = []
    files = list(_files(given, context))
    with context.progress("reading transcripts") as progress:
        for talk in _talks(files, given, context):
            talks.append(talk)
            progress(len(talks), 0)
    if context.output.as_json:
        heard = [
            (talk.transcript, talk.proposed, talk.said)
            for talk in talks
            if talk.transcript is not None and talk.proposed is not None
        ]
        every = [flaw for talk in talks for flaw in talk.flaws]
        context.output.json(talks_json(heard, every, is_dry=given.dry_run))
    elif files:
        show_talks(talks, is_dry=given.dry_run, output=context.output)
    else:
        context.output.note("No transcript of this project was found; give its PATH.")
    flaws = tuple(flaw for talk in talks for flaw in talk.flaws)
    show_flaws(flaws, context.output)
    _show_beside(talks, context, is_empty=bool(files) and not talks and not given.again)
    return _FLAWED if flaws else 0


def _show_beside(
    talks: Sequence[ConversationReport], context: CommandContext, *, is_empty: bool
) -> None:
    """Write what was noticed beside the new conversations, and what can be done about it."""
    every = [note for talk in talks if talk.proposed is not None for note in talk.proposed.notes]
    for note in dict.fromkeys(every):
        context.output.note(Warn(note))
    differing = sum(talk.differing for talk in talks)
    if differing:
        many = "1 turn that was read before has" if differing == 1 else None
        many = many or f"{differing:,} turns that were read before have"
        context.output.note(
            f"{many} another text now. '--again' reads everything again;"
            " with '--turns', what was said gets the text of now."
        )
    elif is_empty:
        context.output.note(Dim("'--again' reads everything again."))
    odd = sum(talk.transcript.odd_times for talk in talks if talk.transcript is not None)
    if odd:
        many = "1 message names" if odd == 1 else f"{odd:,} messages name"
        context.output.note(f"{many} a time that cannot be; the time of the import counts instead.")


def _talks(
    files: Sequence[tuple[str, tuple[str, ...]]], given: Namespace, context: CommandContext
) -> Iterator[ConversationReport]:
    from holdfast.surfaces.cli.present.care.taken import ConversationReport
    from holdfast.usecases.sessions.propose import Propose
    from holdfast.usecases.sessions.sessions import ReadTranscripts

    sources, proposing = context.machine.sources, context.holdfast.intake
    marks = sources.bookmarks()
    is_wanted = given.turns or context.setting(_KEEPS) == _ON
    keeps = is_wanted and not given.dry_run
    # A transcript that is named is read, whichever project it belongs to.
    named = {(context.folder / path.expanduser()).resolve() for path in _paths(given)}
    folder = "" if named else str(context.machine.project.root())
    since = values.since(given.since, context.holdfast.now)
    for tool, paths in files:
        wish = ReadTranscripts(files=paths, folder=folder, since=since, again=given.again)
        for heard in proposing.read_on(wish, reader=sources.reader(tool), bookmarks=marks):
            flaws = heard.flaws
            if heard.is_empty and Path(heard.path).resolve() in named:
                flaws = (Flaw(path=heard.path, line=0, problem=_NOT_OF_TOOL.format(tool=tool)),)
            if flaws or heard.differing:
                yield ConversationReport(flaws=flaws, differing=heard.differing)
            for transcript in heard.new:
                proposed = proposing.propose(Propose(transcript=transcript, dry_run=given.dry_run))
                cache = context.holdfast.session_cache
                said = cache.say_talk(transcript, replaces=given.again) if keeps else None
                yield ConversationReport(transcript=transcript, proposed=proposed, said=said)
            if heard.new and heard.bookmark is not None and not given.dry_run:
                marks.put(heard.path, heard.bookmark)


def _paths(given: Namespace) -> list[Path]:
    from holdfast.bootstrap.sessions.transcripts import TOOLS

    words: list[str] = given.paths
    return [Path(word) for word in (words[1:] if words and words[0] in TOOLS else words)]


def _files(given: Namespace, context: CommandContext) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return the transcripts of the named tool, or of every tool that has some."""
    from holdfast.bootstrap.sessions.transcripts import TOOLS
    from holdfast.domain.refusals import NothingToImportError, UnreadableSourceError

    paths = [context.folder / path.expanduser() for path in _paths(given)]
    named = given.paths[0] if given.paths and given.paths[0] in TOOLS else None
    if named is not None:
        found = context.machine.sources.transcripts(named, paths)
        yield named, tuple(found)
        return
    for path in paths:
        if path.is_dir():
            names = ", ".join(TOOLS)
            raise UsageError(problem=f"Whose transcripts are in {path}? Name one of: {names}.")
        tool = context.machine.sources.tool_of(path)
        if tool is None:
            raise UnreadableSourceError(str(path), "it is not a transcript of a known tool.")
        yield tool, (str(path.absolute()),)
    for tool in () if paths else TOOLS:
        try:
            found = context.machine.sources.transcripts(tool, [])
        except NothingToImportError:
            continue
        yield tool, tuple(found)
