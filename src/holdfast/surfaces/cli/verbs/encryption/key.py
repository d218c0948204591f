"""key create, add, list, use, rotate, remove, check: the keys of sensitive memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.encryption.errors import StoreLockedError
from holdfast.domain.encryption.keys import KeyPlace, KeySource
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good, Name, Warn
from holdfast.surfaces.cli.present.terminal.table import show_table
from holdfast.surfaces.wire.encryption import (
    created_key_json,
    key_check_json,
    key_json,
    keys_json,
    removed_key_json,
    rotated_json,
)

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from holdfast.domain.encryption.keys import EncryptionKey
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.encryption.keys import KeyState

_HEADS = ("ID", "USE", "RECORDS", "PLACE")
UNREADABLE = 1


def create(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Make an encryption key. The first one encrypts what is remembered with --sensitive.\n"
        "It becomes a file that only you can read, in ~/.config/holdfast/keys or HOLDFAST_KEYS,\n"
        "which is not the folder of the store. Without the key nobody reads what it encrypted:\n"
        "keep a copy of it where you keep passwords.",
        examples=(
            "holdfast key create",
            "holdfast key create --file ~/vault.key --json",
            "holdfast key create --env VAULT_KEY",
        ),
        does=_create,
        creates_store=True,
    )
    _add_places(command, "put it into")


def _add_places(command: Command, what: str) -> None:
    group = command.add_mutually_exclusive_group()
    group.add_argument(
        "--file", metavar="PATH", help=f"{what} this file, outside of every repository"
    )
    group.add_argument(
        "--keyring", nargs="?", const="", metavar="NAME", help="the keyring of this system"
    )
    group.add_argument(
        "--env", metavar="NAME", help="the environment variable of that name, which you set"
    )


def _source(given: Namespace) -> KeySource | None:
    if given.file is not None:
        return KeySource(place=KeyPlace.FILE, name=given.file)
    if given.keyring is not None:
        return KeySource(place=KeyPlace.KEYRING, name=given.keyring)
    if given.env is not None:
        return KeySource(place=KeyPlace.ENVIRONMENT, name=given.env)
    return None


def _create(given: Namespace, context: CommandContext) -> None:
    made, text = context.holdfast.encryption.create(_source(given))
    if context.output.as_json:
        context.output.json(created_key_json(made, text))
        return
    context.output.say(Good("created"), "  ", *_line(made))
    if made.source.place is KeyPlace.ENVIRONMENT:
        context.output.say(f"{made.source.name}={text}")
        context.output.note(Warn("set it now: "), "the key is not shown again")
    context.output.note(Dim("keep a copy of it; without it, what it encrypted is lost"))


def add(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Make a key known that exists, for example on another machine. A key in the variable\n"
        "HOLDFAST_ENCRYPTION_KEY is known without this.",
        examples=(
            "holdfast key add --file ~/vault.key",
            "holdfast key add --file ~/vault.key --json",
        ),
        does=_add,
        creates_store=True,
    )
    _add_places(command, "read it from")


def _add(given: Namespace, context: CommandContext) -> None:
    source = _source(given)
    if source is None:
        from holdfast.surfaces.cli.values import UsageError

        raise UsageError(problem="Where is the key? Give --file, --keyring or --env.")
    try:
        added = context.holdfast.encryption.add(source)
    except StoreLockedError:
        added = context.machine.beside_store.add_key(source)
    _tell(added, "known", context)


def listing(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "List the encryption keys that are known here, and those that memories of this space\n"
        "need, with the number of records that each one reads.",
        examples=("holdfast key list", "holdfast key list --json"),
        does=_list,
    )


def _list(_given: Namespace, context: CommandContext) -> None:
    try:
        states = context.holdfast.encryption.known_keys()
    except StoreLockedError as locked:
        states = context.machine.beside_store.keys_of_locked(locked.key_id)
        context.output.note(Warn("locked: "), locked.message)
    if context.output.as_json:
        context.output.json(keys_json(states))
    elif states:
        _show(states, context)
    else:
        context.output.note("No encryption keys yet. 'holdfast key create' makes one.")


def _show(states: Sequence[KeyState], context: CommandContext) -> None:
    show_table(context.output, _HEADS, [_row(one) for one in states])
    for one in states:
        if one.problem:
            context.output.note(Warn(f"{one.id}: "), one.problem)


def _row(state: KeyState) -> tuple[str, ...]:
    key = state.key
    use = "missing" if key is None else "current" if key.is_current else "reads"
    use = "unreadable" if key is not None and state.problem else use
    use = f"{use}, whole store" if state.reads_store else use
    records = "" if state.records is None else f"{state.records:,}"
    return (Name(state.id), use, records, "" if key is None else str(key.source))


def use(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Encrypt what is sensitive with another key from now on. Existing records stay as\n"
        "they are; 'holdfast key rotate' encrypts them again.",
        examples=("holdfast key use k_3f8a", "holdfast key use k_3f8a --json"),
        does=_use,
    )
    command.add_argument("key", metavar="KEY", help="its id (k_…), or the start of it")


def _use(given: Namespace, context: CommandContext) -> None:
    _tell(context.holdfast.encryption.use(given.key), "in use", context)


def rotate(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Encrypt every sensitive record again with a new key, or with the one that is given.\n"
        "If it is stopped, every record is readable by one of the two keys, and the same command\n"
        "goes on. The old key stays until 'holdfast key remove'. A store that is encrypted as a\n"
        "whole stays so with its key; then run 'holdfast key encrypt-store'.",
        examples=("holdfast key rotate", "holdfast key rotate --to k_3f8a --json"),
        does=_rotate,
    )
    command.add_argument("--to", metavar="KEY", help="a known key; else a new one is made")


def _rotate(given: Namespace, context: CommandContext) -> int | None:
    done = context.holdfast.encryption.rotate(given.to)
    if context.output.as_json:
        context.output.json(rotated_json(done))
    else:
        to = "to the new key" if done.is_new else "to the key"
        noun = "record" if done.records == 1 else "records"
        words = f"  {done.records:,} {noun} {to} "
        context.output.say(Good("rotated"), words, *_line(done.key))
        for record in done.damaged:
            context.output.complain(f"{record} cannot be decrypted; it stays as it is.")
        if done.not_yet:
            context.output.note(Warn("not yet: "), done.not_yet)
        if done.store_key is not None:
            words = f"the whole store is still encrypted with {done.store_key}; to change that:"
            context.output.note(Warn("not rotated: "), f"{words} holdfast key encrypt-store")
    return UNREADABLE if done.damaged else None


def remove(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Remove a key that no record needs from the list of known keys. Its file, or its entry in\n"
        "the keyring, stays where it is, because exports and copies from before may need it;\n"
        "--delete deletes it there too. A key that records still need is refused.",
        examples=(
            "holdfast key remove k_3f8a",
            "holdfast key remove k_9c1d --delete --json",
        ),
        does=_remove,
    )
    command.add_argument("key", metavar="KEY", help="its id (k_…), or the start of it")
    command.add_argument(
        "--delete",
        action="store_true",
        help="delete the key itself too; nobody reads older exports and copies without it",
    )


def _remove(given: Namespace, context: CommandContext) -> None:
    removed = context.holdfast.encryption.remove(given.key, delete=given.delete)
    is_deleted = given.delete and removed.source.place is not KeyPlace.ENVIRONMENT
    if context.output.as_json:
        context.output.json(removed_key_json(removed, is_deleted=is_deleted))
        return
    context.output.say(Good("deleted" if is_deleted else "removed"), "  ", *_line(removed))
    if not is_deleted:
        words = f"the key itself is still in {removed.source}; exports and copies may need it"
        context.output.note(Dim(words))


def check(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Decrypt every sensitive record, and say which cannot be read; no text is shown. The exit\n"
        "code is 1 if one cannot be read.",
        examples=("holdfast key check", "holdfast key check --json"),
        does=_check,
    )


def _check(_given: Namespace, context: CommandContext) -> int | None:
    found = context.holdfast.encryption.check()
    if context.output.as_json:
        context.output.json(key_check_json(found))
    else:
        if found.keys:
            _show(found.keys, context)
        context.output.say(Good(f"{found.read:,} readable"), f", {len(found.unreadable):,} not")
        for problem in found.unreadable.values():
            context.output.complain(problem)
    return UNREADABLE if found.unreadable else None


def _tell(key: EncryptionKey, what: str, context: CommandContext) -> None:
    if context.output.as_json:
        context.output.json(key_json(key))
    else:
        context.output.say(Good(what), "  ", *_line(key))


def _line(key: EncryptionKey) -> tuple[str, ...]:
    return (Name(key.id), f"  {key.source}{', in use' if key.is_current else ''}")
