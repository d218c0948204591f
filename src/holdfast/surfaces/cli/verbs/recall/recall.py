"""recall: answer a question from memory, with reasons, inside a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, Scope
from holdfast.domain.errors import BadFieldError
from holdfast.domain.recall.question import INCLUDABLE, Question
from holdfast.domain.recall.rendering import NOTHING_ANSWERS, no_items
from holdfast.domain.values import replace
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.present.recall.recalled import show_advice, show_nearest, show_recalled
from holdfast.surfaces.cli.present.terminal.colour import Dim
from holdfast.surfaces.cli.rows import keep_rows
from holdfast.surfaces.cli.standard_input import piped_text
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.requests import read_question, said

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.domain.recall.rendering import Recalled
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext


def recall(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Answer a question from memory: the items, the reason for each, and what was left out.\n"
        "The answer is stored as a bundle (c_…) that can be shown, rated and replayed.",
        examples=(
            'holdfast recall --q "rotate refresh tokens" --budget 2000 --include memory,code --md',
            'holdfast recall --as-of v1.2 "where do sessions live"',
            "holdfast recall --replay c_20251021T1030Z",
        ),
        does=_run,
    )
    add = command.add_argument
    add("question", metavar="QUESTION", nargs="*", help="what you want to know; '-' reads stdin")
    add("--q", metavar="QUESTION", help="the same, as an option")
    add("--budget", type=values.whole("budget"), metavar="TOKENS", help="at most N tokens (2000)")
    add("--limit", type=values.whole("limit"), metavar="N", help="at most N items (20)")
    add(
        "--include",
        type=values.parts,
        metavar="PARTS",
        default=("memory",),
        help=f"what to search, with commas: {','.join(INCLUDABLE)}",
    )
    kinds, scopes = tuple(Kind), tuple(Scope)
    add("--kind", action="append", type=values.kind, choices=kinds, metavar="KIND", default=[],
        help="only this kind; may be repeated")  # fmt: skip
    add("--scope", action="append", type=values.scope, choices=scopes, metavar="SCOPE", default=[],
        help="only this scope; may be repeated")  # fmt: skip
    add("--tag", action="append", metavar="TAG", default=[], help="only with this tag")
    add(
        "--as-of",
        metavar="REVISION",
        help="what was valid at a commit, a tag, a branch or the end of a day",
    )
    add("--all-branches", action="store_true", help="also memories of other branches")
    add("--deep", action="store_true", default=None,
        help="read the nearest again with small models: slower, finds more")  # fmt: skip
    add("--verbose", action="store_true", help="whole ids, and the reasons of each item")
    add("--md", action="store_true", help="plain Markdown, exactly as an agent gets it")
    add("--tokens", choices=("estimate", "exact"), metavar="HOW", help="estimate or exact")
    add("--session", metavar="SESSION", help="record this as a turn of a session (i_…)")
    add("--replay", metavar="BUNDLE", help="ask a bundle's question again and compare")


def _run(given: Namespace, context: CommandContext) -> int | None:
    context.tokens = given.tokens or context.setting("recall.tokens")
    if given.replay is not None:
        from holdfast.surfaces.cli.present.recall.recalled import show_replay

        if given.question or given.q is not None:
            raise UsageError(problem="--replay asks the bundle's own question; give none here.")
        # A replay counts tokens as its bundle did, not as the setting says now.
        counted = given.tokens or context.holdfast.answers.shown(given.replay).bundle.counter
        alike = replace(context.holdfast, counter=context.machine.counter(counted))
        show_replay(alike.answers.replay(given.replay), context.output)
        return None
    question = _question(given, context)
    if given.session is not None:
        _require_session(given.session, context)
    recalled = context.holdfast.answers.recall(question)
    if given.session is not None:
        _record_turn(given.session, question.text, recalled.bundle.id, context)
    if context.output.as_json:
        from holdfast.surfaces.wire.recall import recalled_json

        context.output.json(recalled_json(recalled))
    elif given.md:
        from holdfast.surfaces.wire.recall import agents_markdown

        context.output.text(agents_markdown(recalled, count=context.holdfast.counter.count))
    else:
        show_recalled(recalled, context.output)
        context.told |= set(recalled.bundle.notes)
        show_advice(recalled, context.output, is_remote=context.machine.is_remote())
        show_nearest(recalled, context.output, shown=context.holdfast.answers.shown)
        _tell_of_repositories(recalled, context)
        keep_rows(context, (item.memory_id for item in recalled.bundle.items))
    return None


def _tell_of_repositories(recalled: Recalled, context: CommandContext) -> None:
    """Write how many memories a question outside every repository did not reach."""
    bundle = recalled.bundle
    is_silent = not (bundle.items or bundle.passages) and no_items(bundle) == NOTHING_ANSWERS
    if not is_silent or context.holdfast.place().repo is not None:
        return
    if many := context.holdfast.upkeep.status().elsewhere:
        told = "1 memory belongs" if many == 1 else f"{many:,} memories belong"
        context.output.note(
            Dim(f"{told} to repositories; ask in the folder of one, or with -C DIR")
        )


def _question(given: Namespace, context: CommandContext) -> Question:
    if given.q is not None and given.question:
        raise UsageError(problem="The question is given twice: once with --q and once without.")
    text = given.q if given.q is not None else " ".join(given.question)
    if text == "-":
        text = piped_text(what="question")
    if not text.strip():
        raise BadFieldError(field="question", problem='is blank; write: holdfast recall --q "…"')
    budget = context.setting("recall.budget") if given.budget is None else given.budget
    limit = context.setting("recall.limit") if given.limit is None else given.limit
    request = said(
        q=text,
        budget=int(budget),
        limit=int(limit),
        include=list(given.include),
        kinds=given.kind,
        scopes=given.scope,
        tags=given.tag,
        as_of=given.as_of,
        all_branches=given.all_branches,
        verbose=given.verbose,
        deep=given.deep,
    )
    return read_question(request, Question(text=""), noun="command")


def _require_session(reference: str, context: CommandContext) -> None:
    """Refuse a session that does not exist, before anything is stored."""
    from holdfast.domain.errors import NoSuchError

    if not reference.startswith("i_"):
        raise NoSuchError(noun="session", reference=reference)
    context.holdfast.memories.show(reference)


def _record_turn(reference: str, query: str, bundle: str, context: CommandContext) -> None:
    from holdfast.domain.ids import BundleId, SessionId
    from holdfast.domain.sessions.session import Interaction

    turn = Interaction(
        id=0,
        session_id=SessionId(reference),
        at=context.holdfast.now(),
        query=query,
        bundle_id=BundleId(bundle),
    )
    context.holdfast.sessions.add_turn(reference, turn)
