"""propose: extract decisions from a conversation, as candidates for a person."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good, Name, Quoted, Warn
from holdfast.surfaces.cli.present.terminal.table import one_line, show_table
from holdfast.surfaces.cli.values import MissingFileError, UnusableFileError, UsageError
from holdfast.surfaces.wire.intake import proposed_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.domain.sessions.session import Proposal
    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.sessions.propose import KeptProposal, Proposed

_PLAIN = "text"
_LARGEST_PAGE = 5 * 1024 * 1024


def propose(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Find decisions, rules, corrections and failed attempts in a conversation, and store\n"
        "them as candidates: nothing is recalled before you accept it. Rules about language\n"
        "find them; a model is used only if you set one (propose.using). Texts that contain a\n"
        "secret, are known, were rejected or are in the repository's own pages are left out,\n"
        "with the reason.",
        examples=(
            "holdfast propose --dry-run --from README.md",
            "holdfast propose - --json < README.md",
        ),
        does=_propose,
        creates_store=True,
    )
    add = command.add_argument
    add("path", metavar="PATH", nargs="?", help="a tool's transcript, or text; - reads stdin")
    add("--tool", metavar="TOOL", help="the tool of the transcript; detected if not given")
    add("--run", metavar="RUN", help="the run this belongs to; alone: read its summary")
    add("--from", dest="page", metavar="FILE", help="a summary or notes, read as one page")
    add("--using", metavar="NAME", help="rules, openai, anthropic or a plug-in, for this call")
    add(
        "--limit",
        type=values.whole("limit"),
        default=5,
        metavar="N",
        help="at most N (5)",
    )
    add("--dry-run", action="store_true", help="only show what would be stored")


def _propose(given: Namespace, context: CommandContext) -> None:
    from holdfast.usecases.sessions.propose import Propose

    if given.path is not None and given.page is not None:
        raise UsageError(problem="Give a transcript or --from, not both.")
    _check_tool(given.tool)
    talk = _page(given, context) if given.path is None else _transcript(given, context)
    wish = Propose(transcript=talk, dry_run=given.dry_run, run=given.run, limit=given.limit)
    proposed = context.holdfast.intake_using(given.using).propose(wish)
    _show(proposed, context, is_dry=given.dry_run)


def _check_tool(tool: str | None) -> None:
    from holdfast.bootstrap.sessions.transcripts import TOOLS
    from holdfast.domain.errors import UnknownChoiceError

    if tool is not None and tool not in {*TOOLS, _PLAIN}:
        raise UnknownChoiceError(what="tool", value=tool, choices=(*TOOLS, _PLAIN))


def _transcript(given: Namespace, context: CommandContext) -> Transcript:
    if given.path == "-":
        from holdfast.surfaces.cli.standard_input import piped_text

        return _plain(piped_text(what="conversation", is_kept=False), name="stdin")
    path = _file(given.path)
    tool = given.tool or context.machine.sources.tool_of(path)
    if tool in {None, _PLAIN}:
        return _plain(_read(path), name=str(path))
    return context.machine.sources.transcript(str(tool), path)


def _file(name: str) -> Path:
    """Return the path of a file; a folder, a pipe or a device is none."""
    path = Path(name).expanduser()
    if not path.is_file():
        if path.exists():
            raise UnusableFileError(path=name, problem="it is not a regular file")
        raise MissingFileError(name)
    return path


def _page(given: Namespace, context: CommandContext) -> Transcript:
    """Return the page that was named, or the summary of the run."""
    if given.page is not None:
        path = _file(given.page)
        return _plain(_body(_read(path)), name=str(path), tool="page")
    if given.run is None:
        raise UsageError(problem="Give a transcript, --from FILE or --run RUN.")
    return _summary_of(given.run, context)


def _summary_of(run: str, context: CommandContext) -> Transcript:
    """Return the summary of a run: its page, which a person may have edited, else as stored."""
    from holdfast.domain.sessions.run import as_transcript

    page = context.machine.project.run_page(run)
    if page is not None:
        return _plain(_body(_read(page)), name=str(page), tool="run")
    return as_transcript(context.holdfast.runs.show(run))


def _plain(text: str, *, name: str, tool: str = _PLAIN) -> Transcript:
    """Return a text as a conversation: a turn for each label of a speaker, or one turn.

    The session id is a hash of the text, so the same text twice is the same conversation.
    """
    from hashlib import sha256

    from holdfast.domain.sessions.labelled_text import one_turn, turns_of
    from holdfast.domain.sessions.transcript import Transcript

    digest = sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
    turns = turns_of(text) if tool == _PLAIN else one_turn(text)
    return Transcript(tool=tool, session=digest, turns=turns, source=name)


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST_PAGE + 1)
    except OSError as error:
        raise UnusableFileError(path=str(path), problem=error.strerror) from error
    if len(content) > _LARGEST_PAGE:
        raise UnusableFileError(path=str(path), problem="it is larger than 5 MiB")
    return content.decode("utf-8-sig", "replace")


def _body(text: str) -> str:
    """Return a page without its frontmatter."""
    if not text.startswith("---\n"):
        return text
    _, closed, body = text[4:].partition("\n---\n")
    return body if closed else text


def _show(proposed: Proposed, context: CommandContext, *, is_dry: bool) -> None:
    for note in proposed.notes:
        context.output.note(Warn(note))
    if context.output.as_json:
        context.output.json(proposed_json(proposed, is_dry=is_dry))
        return
    added, named = "would be added" if is_dry else "added", context.output.named
    rows = [_row(kept.proposal, named(_named(kept, added))) for kept in proposed.added]
    rows += [
        _row(kept.proposal, named(_named(kept, "evidence offered for")))
        for kept in proposed.strengthened
    ]
    if rows:
        show_table(
            context.output, ("KIND", "TURN", "RULE", "OUTCOME", "CLAIM"), rows, is_wrapped=True
        )
    for kept in proposed.added:
        for conflict in kept.conflicts:
            standing = conflict.standing.memory
            context.output.note(
                Warn("contradicts "), Name(standing.id), f"  {conflict.suspicion.reason}"
            )
    for left in proposed.left:
        words = one_line(left.proposal.claim) or "(not shown)"
        context.output.note(
            Dim(f"left out, turn {left.proposal.turn}: {left.reason} "), Quoted(words)
        )
    if not rows and not proposed.left:
        context.output.note("It contains nothing to remember.")


def _row(proposal: Proposal, outcome: str) -> tuple[str, ...]:
    turn = str(proposal.turn)
    return (proposal.kind.value, turn, proposal.rule, outcome, one_line(proposal.claim))


def _named(kept: KeptProposal, outcome: str) -> str:
    if kept.record is None:
        return Good(outcome)
    return Good(f"{outcome} {kept.record.memory.id}")
