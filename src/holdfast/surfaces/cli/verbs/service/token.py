"""token create, list, revoke: the tokens of programs that use this space over HTTP."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.choices import choose
from holdfast.domain.memory.callers import Operation, PrincipalKind
from holdfast.domain.memory.lifetime import read_lifetime
from holdfast.surfaces.cli.named_files import to_file
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good, Name, Warn, WholeName
from holdfast.surfaces.cli.present.terminal.table import one_line, show_table
from holdfast.surfaces.cli.values import UnusableFileError
from holdfast.surfaces.wire.service import created_token_json, token_json, tokens_json
from holdfast.usecases.service.tokens import CreateToken

if TYPE_CHECKING:
    from argparse import Namespace
    from datetime import datetime

    from holdfast.domain.service.tokens import AccessToken
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.service.tokens import CreatedToken

_HEADS = ("ID", "NAME", "KIND", "STATE", "EXPIRES", "SCOPES")


def create(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Create a token with which a program uses this space through 'holdfast serve'. The text\n"
        "of the token is printed once, or written to a file that only you can read; the store\n"
        "holds only a hash of it. The kind says who the bearer is: what an agent, a tool or a\n"
        "service sends becomes a candidate, and only a person decides.",
        examples=(
            "holdfast token create ci --kind service --ttl 30d",
            "holdfast token create reader --scope read --json",
            "holdfast token create ada --kind person --space team --write ada.token",
        ),
        does=_create,
        creates_store=True,
    )
    add = command.add_argument
    add("name", metavar="NAME", help="a name for the list, and for what its bearer writes")
    add(
        "--kind",
        type=lambda word: choose(PrincipalKind, word, what="kind of caller"),
        choices=tuple(PrincipalKind),
        default=PrincipalKind.AGENT,
        metavar="KIND",
        help=f"who the bearer is: {', '.join(PrincipalKind)} (agent)",
    )
    add(
        "--scope",
        action="append",
        type=lambda word: choose(Operation, word, what="scope"),
        choices=tuple(Operation),
        metavar="SCOPE",
        help=f"what it may do, one of {', '.join(Operation)}; all that the kind may, if none",
    )
    add("--ttl", metavar="TIME", default="90d", help="how long it is valid; 'never' for ever (90d)")
    add("--write", metavar="FILE", help="write its text to a file that only you can read")


def _create(given: Namespace, context: CommandContext) -> None:
    wish = CreateToken(
        name=given.name,
        kind=given.kind,
        tenant=context.machine.database.tenant(),
        may=None if given.scope is None else frozenset(given.scope),
        keep_for=read_lifetime(given.ttl),
    )
    path = None if given.write is None else _new_file(given.write)
    made = context.holdfast.access.create(wish)
    if path is not None:
        _write(made, path, context)
    if context.output.as_json:
        text, now = None if given.write is not None else str(made.text), context.holdfast.now()
        context.output.json(created_token_json(made.token, text=text, space=context.space, at=now))
        return
    if given.write is None:
        context.output.say(str(made.text))
    until = (
        "never expires"
        if made.token.expires_at is None
        else (f"expires on {made.token.expires_at:%Y-%m-%d}")
    )
    context.output.note(Dim(f"{made.token.id}, {made.token.kind.value}, {until}"))
    if path is None:
        context.output.note(Warn("store it now: "), "the text is not shown again")
    else:
        context.output.note(f"its text is in {one_line(str(path))}")


def _new_file(name: str) -> Path:
    """Return the path for the text of a token.

    Raises:
        UnusableFileError: Something is there already; it may be another token, or a link.
    """
    path = Path(name).expanduser()
    if os.path.lexists(path):
        raise UnusableFileError(path=name, problem="it exists already", done="written")
    return path


def _write(made: CreatedToken, path: Path, context: CommandContext) -> None:
    """Write the text of a token to a file; a token whose text would be lost is revoked.

    Raises:
        UnusableFileError: The file cannot be written.
    """
    try:
        to_file([str(made.text)], path)
    except UnusableFileError:
        context.holdfast.access.revoke(made.token.id)
        raise


def listing(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "List the tokens of this space, oldest first. Their texts are not stored.",
        examples=("holdfast token list", "holdfast token list --space team --json"),
        does=_list,
    )


def _list(_given: Namespace, context: CommandContext) -> None:
    found, now = context.holdfast.access.tokens(), context.holdfast.now()
    if context.output.as_json:
        context.output.json(tokens_json(found, space=context.space, at=now))
    elif found:
        show_table(context.output, _HEADS, [_row(one, now) for one in found])
    else:
        context.output.note("No tokens yet. 'holdfast token create' makes one.")


def _row(token: AccessToken, now: datetime) -> tuple[str, ...]:
    state = "valid" if token.is_valid_at(now) else "expired"
    state = state if token.revoked_at is None else "revoked"
    return (
        Name(token.id),
        token.name,
        token.kind.value,
        state,
        "never" if token.expires_at is None else f"{token.expires_at:%Y-%m-%d}",
        ",".join(sorted(one.value for one in token.may)),
    )


def revoke(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Revoke a token; servers refuse it from the next request on. It cannot be undone.",
        examples=("holdfast token revoke ci", "holdfast token revoke ci --json"),
        does=_revoke,
    )
    command.add_argument(
        "token", metavar="TOKEN", help="its id (t_…), whole or in short, or its name"
    )


def _revoke(given: Namespace, context: CommandContext) -> None:
    token = context.holdfast.access.revoke(given.token)
    if context.output.as_json:
        now = context.holdfast.now()
        context.output.json(token_json(token, space=context.space, at=now))
    else:
        context.output.say(Good("revoked"), "  ", WholeName(token.id), f"  {token.name}")
