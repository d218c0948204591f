"""key encrypt-store, key decrypt-store: the encryption of the whole store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.cli.present.terminal.colour import Dim, Good, Name, Warn
from holdfast.surfaces.wire.encryption import store_encryption_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.encryption.whole import StoreEncryption


def encrypt(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Encrypt the whole store in SQLCipher's format: every memory, session, task and index.\n"
        "An exact copy is written, compared row by row, and put in the place of the store.\n"
        "It needs the package apsw-sqlite3mc in the place of apsw. Again with another key, it is\n"
        "encrypted with that one. Pages in repositories, exports, snapshots of workspaces and the\n"
        "index of code stay in clear.",
        examples=("holdfast key encrypt-store", "holdfast key encrypt-store k_3f8a --json"),
        does=_encrypt,
        creates_store=True,
    )
    command.add_argument(
        "key", nargs="?", metavar="KEY", help="its id (k_…), or the start; else the current key"
    )


def _encrypt(given: Namespace, context: CommandContext) -> None:
    done = context.holdfast.encryption.encrypt_store(given.key)
    if context.output.as_json:
        context.output.json(store_encryption_json(done))
        return
    _say("encrypted", done, context)
    if done.is_changed:
        words = "the old file is deleted, but its blocks may stay on the disk until overwritten"
        context.output.note(Warn("before: "), words)
        context.output.note(Dim("keep a copy of the key; without it, the whole store is lost"))


def decrypt(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Write the whole store in clear again, as an exact copy that is compared row by row.\n"
        "Sensitive memories stay encrypted.",
        examples=("holdfast key decrypt-store", "holdfast key decrypt-store --json"),
        does=_decrypt,
    )


def _decrypt(_given: Namespace, context: CommandContext) -> None:
    done = context.holdfast.encryption.decrypt_store()
    if context.output.as_json:
        context.output.json(store_encryption_json(done))
    else:
        _say("in clear", done, context)


def _say(what: str, done: StoreEncryption, context: CommandContext) -> None:
    key = "" if done.key_id is None else f"  the whole store with {Name(done.key_id)}"
    unchanged = "" if done.is_changed else "  (nothing had to be done)"
    context.output.say(Good(what), f"{key}{unchanged}")
