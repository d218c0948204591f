"""remote add, list, use, test, push, retry, drop, remove: servers that hold the memory."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING

from holdfast.bootstrap.machine.remotes import AddRemote
from holdfast.surfaces.cli.person import is_at_terminal
from holdfast.surfaces.cli.present.terminal.colour import Bad, Dim, Good, Name, Warn
from holdfast.surfaces.cli.present.terminal.table import show_table
from holdfast.surfaces.cli.values import MissingFileError, UnusableFileError, UsageError
from holdfast.surfaces.wire.remotes import (
    chosen_json,
    claim_beginning,
    pushed_json,
    remote_json,
    remotes_json,
)

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.domain.service.remotes import RemoteState, WaitingWrite
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext

_HEADS = ("NAME", "URL", "DEFAULT", "TOKEN", "WAITING", "REFUSED")
_OF_OTHERS = 0o044
_LARGEST_TOKEN_FILE = 4_096
_REFUSED = 4
_AWAY = 6
_SOME_WAIT = 7


def add(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Add a Holdfast server, so that --store NAME uses its memory instead of a store here. The\n"
        "token is read from a file, from HOLDFAST_TOKEN, or asked for on the terminal; it is kept\n"
        "in a file that only you can read, and never shown. A name that is taken is refused,\n"
        "unless --replace is given and no writes wait.",
        examples=(
            "holdfast remote add https://memory.example.com --name team --token-file team.token",
            "holdfast remote add https://memory.example.com --default",
            "holdfast remote add http://127.0.0.1:8750 --no-token",
        ),
        does=_add,
    )
    add = command.add_argument
    add("url", metavar="URL", help="the address of the server")
    add("--name", metavar="NAME", help="a short name (the host)")
    token = command.add_mutually_exclusive_group()
    token.add_argument("--token-file", metavar="FILE", help="read the token from a file")
    token.add_argument("--no-token", action="store_true", help="the server asks for none")
    add("--default", action="store_true", help="use it wherever no store is named")
    add("--replace", action="store_true", help="change the remote that has the name")
    add(
        "--insecure-http",
        action="store_true",
        help="allow http:// to another machine; everybody on the way reads the token",
    )


def _add(given: Namespace, context: CommandContext) -> int:
    wish = AddRemote(
        url=given.url,
        name=given.name,
        token=None if given.no_token else _token(given, context),
        is_default=given.default,
        allows_plain=given.insecure_http,
        replaces=given.replace,
    )
    state = context.machine.remotes.add(wish)
    code = _tell(state, context)
    if state.problem and not context.output.as_json:
        name = state.remote.name
        context.output.note(
            f"It is kept as {name} all the same; 'holdfast remote remove {name}' removes it."
        )
    return code


def _token(given: Namespace, context: CommandContext) -> str:
    """Return the token; it is never an argument, because every user sees those."""
    if given.token_file is not None:
        return _read(Path(given.token_file).expanduser(), context)
    if found := os.environ.get("HOLDFAST_TOKEN", "").strip():
        return found
    if not is_at_terminal(context):
        problem = "A token is needed: use --token-file FILE, HOLDFAST_TOKEN, or --no-token."
        raise UsageError(problem=problem)
    from getpass import getpass

    return getpass("token: ")


def _read(path: Path, context: CommandContext) -> str:
    from holdfast.bootstrap.machine.named_file import open_named

    try:
        with open_named(path) as file:
            rights = os.fstat(file.fileno()).st_mode
            text = file.read(_LARGEST_TOKEN_FILE).decode("ascii", "replace")
    except FileNotFoundError as error:
        raise MissingFileError(str(path)) from error
    except OSError as error:
        raise UnusableFileError(path=str(path), problem=error.strerror) from error
    if S_ISREG(rights) and rights & _OF_OTHERS:
        context.output.note(
            Warn("not private: "),
            f"others on this machine can read {path}; to change that: ",
            Name(shlex.join(["chmod", "600", str(path)])),
        )
    return text


def listing(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "List the servers of this machine, and how many writes wait for each. None is asked.",
        examples=("holdfast remote list", "holdfast remote list --json"),
        does=_list,
    )


def _list(_given: Namespace, context: CommandContext) -> None:
    found = context.machine.remotes.all()
    if context.output.as_json:
        context.output.json(remotes_json(found))
    elif found:
        show_table(context.output, _HEADS, [_row(one) for one in found])
    else:
        context.output.note("No remotes yet. 'holdfast remote add URL' adds one.")


def _row(state: RemoteState) -> tuple[str, ...]:
    return (
        Name(state.remote.name),
        state.remote.url,
        "yes" if state.remote.is_default else "",
        "yes" if state.has_token else "none",
        f"{len(state.waiting):,}",
        f"{len(state.refused) + len(state.damaged):,}",
    )


def use(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Choose the server whose memory is used wherever no store is named; 'local' is the store\n"
        "of this machine. --store and HOLDFAST_STORE still choose another one.",
        examples=("holdfast remote use team", "holdfast remote use local"),
        does=_use,
    )
    command.add_argument("name", metavar="NAME", help="the name of a remote, or 'local'")


def _use(given: Namespace, context: CommandContext) -> None:
    name = None if given.name == "local" else given.name
    context.machine.remotes.use(name)
    if context.output.as_json:
        context.output.json(chosen_json(name))
    else:
        where = "the store of this machine" if name is None else f"the remote {name}"
        context.output.say(f"Commands use {where} now.")


def status(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Ask a server whether it answers and takes the token, and show the writes that wait for\n"
        "it here and those that it refused. Exit code 6 if it cannot be used.",
        examples=("holdfast remote status", "holdfast remote status team --json"),
        does=_status,
    )
    _add_name(command)


def _add_name(command: Command) -> None:
    command.add_argument("name", metavar="NAME", nargs="?", help="a remote (the one in use)")


def _status(given: Namespace, context: CommandContext) -> int:
    return _tell(context.machine.remotes.test(given.name), context)


def _tell(state: RemoteState, context: CommandContext) -> int:
    output = context.output
    code = _AWAY if state.problem else 0
    if output.as_json:
        output.json(remote_json(state))
        return code
    output.say(Name(state.remote.name), f"  {state.remote.url}")
    if state.problem:
        output.say(Bad("cannot be used: "), state.problem)
    else:
        output.say(Good("answers"), f"  version {state.version}{_other(state.version)}")
    for write in state.waiting:
        output.note(Warn("waits: "), _line(write))
    for write in state.refused:
        output.note(Bad("refused: "), f"{_line(write)}: {write.problem}")
        named = f"{write.key[:8]} --name {state.remote.name}"
        output.note(Dim(f"holdfast remote retry {named}  or  holdfast remote drop {named}"))
    for path in state.damaged:
        output.note(Bad("damaged: "), path)
    return code


def _other(version: str) -> str:
    from holdfast import __version__

    return "" if version == __version__ else f"; this is version {__version__}"


def _line(write: WaitingWrite) -> str:
    what = claim_beginning(write) or write.request.words
    return f"{write.key[:8]}  {write.at:%Y-%m-%d %H:%M}  {what}"


def push(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Send the writes that wait for a server, in order. Every command that reaches the server\n"
        "does this first. Exit code 7 if some still wait, else 4 if the server has refused some.",
        examples=("holdfast remote push", "holdfast remote push team --json"),
        does=_push,
    )
    _add_name(command)


def _push(given: Namespace, context: CommandContext) -> int:
    pushed = context.machine.remotes.push(given.name)
    if context.output.as_json:
        context.output.json(pushed_json(pushed))
    else:
        context.output.say(
            f"{pushed.sent:,} sent, {pushed.refused:,} refused, {pushed.waiting:,} waiting"
        )
        if pushed.stopped:
            context.output.note(Warn("stopped: "), f"the server {pushed.stopped}")
        if pushed.refused:
            named = f" {given.name}" if given.name else ""
            context.output.note(Dim(f"to see why: holdfast remote status{named}"))
    if pushed.waiting:
        return _SOME_WAIT
    return _REFUSED if pushed.refused else 0


def retry(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Let a write that the server refused wait again, behind the others.",
        examples=("holdfast remote retry 3f8a1c02", "holdfast remote retry 9b20d7e4 --name team"),
        does=_retry,
    )
    _add_write(command)


def _add_write(command: Command) -> None:
    command.add_argument("key", metavar="KEY", help="the key of the write, or its start")
    command.add_argument("--name", metavar="NAME", help="a remote (the one in use)")


def _retry(given: Namespace, context: CommandContext) -> None:
    write = context.machine.remotes.retry(given.key, name=given.name)
    _tell_write("waits again", write, context)


def drop(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Remove a write that waits, or that the server refused. It is lost, unless it has arrived.",
        examples=("holdfast remote drop 3f8a1c02", "holdfast remote drop 9b20d7e4 --json"),
        does=_drop,
    )
    _add_write(command)


def _drop(given: Namespace, context: CommandContext) -> None:
    write = context.machine.remotes.drop(given.key, name=given.name)
    _tell_write("dropped", write, context)
    if write.sent_at is not None and not write.problem:
        context.output.note("The server may have stored it all the same.")


def _tell_write(what: str, write: WaitingWrite, context: CommandContext) -> None:
    if context.output.as_json:
        from holdfast.surfaces.wire.remotes import write_json

        context.output.json(write_json(write))
    else:
        context.output.say(Good(what), f"  {_line(write)}")


def remove(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Remove a server from this machine, with its token and its cached answers. It is refused\n"
        "while writes wait for it, unless --drop-waiting is given. The server is not changed.",
        examples=("holdfast remote remove team", "holdfast remote remove lab --drop-waiting"),
        does=_remove,
    )
    command.add_argument("name", metavar="NAME", help="the name of a remote")
    command.add_argument(
        "--drop-waiting", action="store_true", help="lose the writes that wait for it"
    )


def _remove(given: Namespace, context: CommandContext) -> None:
    state = context.machine.remotes.remove(given.name, drops_waiting=given.drop_waiting)
    if context.output.as_json:
        context.output.json(remote_json(state))
    else:
        context.output.say(Good("removed"), "  ", Name(state.remote.name))
