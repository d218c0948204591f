"""list: memories, newest first, or best first with search words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, Origin, Scope, Status
from holdfast.domain.memory.lifetime import in_words
from holdfast.domain.memory.link import alone_on
from holdfast.domain.text.outside import name_outside
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.present.memory.memory_lines import lifetime, status_word
from holdfast.surfaces.cli.present.terminal.colour import Dim, Name
from holdfast.surfaces.cli.present.terminal.table import show_table
from holdfast.surfaces.cli.rows import keep_rows
from holdfast.surfaces.wire.requests import read_browse, said

if TYPE_CHECKING:
    from argparse import Namespace
    from datetime import datetime

    from holdfast.domain.memory.memory import Memory, MemoryRecord
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.memory.browse import MemoryListing

_HEADS = ("ID", "STATUS", "KIND", "SCOPE", "KEY", "AGE", "LIFETIME", "CLAIM")
_NAMED_BRANCHES = 3
_SHOWN_OF_REPOSITORY = len("repo_") + 8
_STANDING = (Status.ACCEPTED, Status.CANDIDATE)


def browse(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "List the memories that are visible in this checkout: accepted memories and candidates,\n"
        "unless --status is given. A memory that was written on a branch shows it after the scope\n"
        "until the branch is merged: repo:feature. The next command in the same terminal reads\n"
        "the number of a row as an id: 'holdfast show 2'. In a pipe every line has these fields,\n"
        "with tabs between them: id, status, kind, scope, key, age, lifetime, claim. With --all\n"
        "a column shows the repository; in a pipe it is the last one.",
        examples=(
            "holdfast list",
            "holdfast list --branch feature",
            'holdfast list -w "refresh tokens" --all --json',
        ),
        does=_run,
    )
    add = command.add_argument
    add(
        "-w",
        "--words",
        "--q",
        dest="words",
        metavar="WORDS",
        default="",
        help="only with these words, best first",
    )
    closed = (
        ("--kind", values.kind, tuple(Kind), "only this kind"),
        ("--scope", values.scope, tuple(Scope), "only this scope"),
        ("--status", values.status, tuple(Status), "only this status"),
        ("--origin", values.origin, tuple(Origin), "only from this origin"),
    )
    for name, reader, choices, meaning in closed:
        add(name, action="append", type=reader, choices=choices, metavar=name[2:].upper(),
            default=[], help=f"{meaning}; may be repeated")  # fmt: skip
    add("--tag", action="append", metavar="TAG", default=[], help="only with this tag")
    add("--key", metavar="KEY", help="only with this key")
    add("--label", metavar="LABEL", help="only with this label")
    add("--source", metavar="NAME", help="only from this tool")
    pins = command.add_mutually_exclusive_group()
    pins.add_argument("--pinned", action="store_true", default=None, help="only pinned ones")
    pins.add_argument(
        "--not-pinned", dest="pinned", action="store_false", default=None, help="only unpinned ones"
    )
    add("--expired", action="store_true", default=None, help="only expired ones")
    add("--branch", metavar="NAME", help="only those written on this branch")
    add("--all", action="store_true", help="from all repositories and branches")
    add("--limit", type=values.whole("limit"), default=50, metavar="N", help="at most N (50)")
    add("--oldest-first", action="store_true", help="oldest first")


def _run(given: Namespace, context: CommandContext) -> None:
    memory = context.holdfast
    now = memory.clock.now()
    request = said(
        q=given.words,
        kinds=given.kind,
        scopes=given.scope,
        statuses=given.status or list(_STANDING),
        origins=given.origin,
        tags=given.tag,
        key=given.key,
        labels=None if given.label is None else [given.label],
        source=given.source,
        pinned=given.pinned,
        expired=given.expired,
        branch=given.branch,
        limit=given.limit,
        oldest_first=given.oldest_first,
    )
    place = None if given.all else memory.place()
    listing = memory.memories.browse(read_browse(request, place=place, now=now, noun="command"))
    if context.output.as_json:
        from holdfast.surfaces.wire.memory import listing_json

        context.output.json(listing_json(listing))
        return
    if listing.records:
        _show_listing(listing, context, at=now, is_everywhere=given.all)
    else:
        context.output.note(_nothing(given))
        _tell_branches(listing, context)


def _nothing(given: Namespace) -> str:
    """Write that nothing was found, and where else to look."""
    words = given.words.strip()
    here = "" if given.all else " here"
    found = f"No memory{here} has these words: {words}." if words else f"No memories{here}."
    if given.all:
        return found
    from shlex import quote

    more = f" -w {quote(words)}" if words else ""
    return f"{found} 'holdfast list --all{more}' looks everywhere."


def _show_listing(
    listing: MemoryListing, context: CommandContext, *, at: datetime, is_everywhere: bool
) -> None:
    """Write a listing as a table, and how many memories it leaves out."""
    heads = list(_HEADS)
    rows = [
        [
            Name(record.memory.id),
            *_row(record, at=at, is_merged=record.memory.id in listing.merged),
        ]
        for record in listing.records
    ]
    if is_everywhere:
        # Scripts cut fields by their number, so the new one is the last one in a pipe.
        is_terminal = context.output.is_terminal
        place = heads.index("CLAIM") if is_terminal else len(heads)
        most = _SHOWN_OF_REPOSITORY if is_terminal else None
        heads.insert(place, "REPOSITORY")
        for row, record in zip(rows, listing.records, strict=True):
            row.insert(place, Dim((record.memory.repo or "")[:most]))
    show_table(context.output, heads, rows, is_numbered=True)
    keep_rows(context, (record.memory.id for record in listing.records))
    _tell_branches(listing, context)
    if listing.total > len(listing.records):
        context.output.note(Dim(f"{len(listing.records)} of {listing.total:,}; --limit shows more"))


def _tell_branches(listing: MemoryListing, context: CommandContext) -> None:
    """Write which branches have memories that this checkout does not see."""
    if listing.left_out:
        context.output.note(
            Dim(f"without {_named(listing.left_out)}; --branch NAME lists the memories of one")
        )


def _named(branches: tuple[str, ...]) -> str:
    """Return the names of a few branches, and how many more there are."""
    more = len(branches) - _NAMED_BRANCHES
    shown = ", ".join(map(name_outside, branches[:_NAMED_BRANCHES]))
    return f"{shown} and {more} more" if more > 0 else shown


def _scope(memory: Memory, *, is_merged: bool) -> str:
    """Return the scope, and the branch if it is not the main one and not merged here."""
    branch = None if is_merged else alone_on(memory)
    return memory.scope.value if branch is None else f"{memory.scope.value}:{branch}"


def _row(record: MemoryRecord, *, at: datetime, is_merged: bool) -> tuple[str, ...]:
    memory = record.memory
    age = max(at - memory.created_at, at - at)
    return (
        status_word(record.standing.status),
        memory.kind.value,
        _scope(memory, is_merged=is_merged),
        memory.key or "",
        Dim(in_words(age)),
        Dim(lifetime(record, at=at)),
        memory.claim,
    )
