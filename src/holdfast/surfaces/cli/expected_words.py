"""Verbs and options that people expect from other programs, and what does their work here."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

_SYNONYMS = {
    "accept": ("approve",),
    "add": ("remember",),
    "ask": ("recall",),
    "cat": ("show",),
    "deny": ("reject",),
    "find": ("recall",),
    "get": ("show",),
    "info": ("status",),
    "ls": ("list",),
    "query": ("recall",),
    "remove": ("forget", "delete", "revoke"),
    "repair": ("doctor",),
    "rm": ("forget", "delete", "remove", "revoke"),
    "delete": ("forget", "remove", "revoke"),
    "save": ("remember",),
    "search": ("recall",),
    "setup": ("init",),
    "stats": ("status",),
    "why": ("explain",),
    "--expires": ("--ttl",),
    "--note": ("--notes", "--because"),
    "--reason": ("--because",),
    "--text": ("--claim",),
    "--why": ("--because", "--reason"),
}
"""For each word those that may be meant; the first that exists in its place is suggested."""

_CLEANING = (
    "'holdfast curate' finds what is stale or double, 'holdfast prune' removes what is old and"
    " unused."
)
_EVENTS = (
    "'holdfast journal' shows a day, 'holdfast explain ID' the history of a memory, and"
    " 'holdfast undo --list' the decisions."
)
_SPACES = (
    "--space NAME goes with every verb; each space is a folder in 'spaces' beside the default"
    " store, which 'holdfast status' names."
)
_PLACES = (
    "A file that was renamed or moved needs nothing: 'holdfast verify' follows its lines. 'holdfast"
    " edit ID' rewords a claim, and 'holdfast pin ID --label LABEL' gives a memory another label."
)
_SAID_AGAIN = (
    "A memory never changes: say its claim again with 'holdfast remember' and the option, and the"
    " new version replaces it."
)
_UPGRADING = (
    "An older store is upgraded when a newer Holdfast opens it; 'holdfast db upgrade' is for a"
    " database on a server."
)
_INSTEAD = {
    "backup": "'holdfast store copy' copies the store to a folder, 'holdfast export' writes it to a"
    " file as JSON lines.",
    "clean": _CLEANING,
    "cleanup": _CLEANING,
    "gc": _CLEANING,
    "history": _EVENTS,
    "label": "'holdfast pin ID --label LABEL' gives a memory a label, and pins it; 'holdfast"
    " remember --label LABEL' with the same claim only labels it.",
    "log": _EVENTS,
    "merge": "'holdfast resolve ID ID --merge TEXT' makes one claim of two.",
    "move": _PLACES,
    "rename": _PLACES,
    "replace": "'holdfast remember' with the same --key replaces a claim, 'holdfast edit' rewords"
    " it.",
    "restore": "'holdfast import' brings an export in, and a copy of a store is used with"
    " --home DIR.",
    "space": _SPACES,
    "spaces": _SPACES,
    "supersede": "'holdfast remember' with the same --key supersedes a claim, 'holdfast resolve ID"
    " ID --supersede' one without a key.",
    "tag": "'holdfast remember --tag TAG' with the same claim adds a tag to the memory.",
    "update": _UPGRADING,
    "upgrade": _UPGRADING,
    "version": "'holdfast --version' prints the version.",
}


_OPTIONS_INSTEAD = {
    ("edit", "--importance"): _SAID_AGAIN,
    ("edit", "--kind"): _SAID_AGAIN,
    ("edit", "--tag"): _SAID_AGAIN,
    ("edit", "--ttl"): _SAID_AGAIN,
    ("edit", "--weight"): _SAID_AGAIN,
    ("edit", "--key"): "A key is given when a claim is remembered. Remember the claim with --key,"
    " and 'holdfast resolve NEW OLD --supersede' replaces the one without it.",
    ("edit", "--label"): "'holdfast pin ID --label LABEL' gives a memory another label.",
    ("recall", "--all"): "A recall asks the memories of one repository and the global ones. Run it"
    " inside the repository, or with -C DIR; 'holdfast list --all' lists the memories of all.",
}
"""What does the work of an option that people expect of a verb."""


def synonym(word: str, known: Collection[str]) -> str | None:
    """Return the known word that is meant by a word of other programs, if there is one."""
    return next((one for one in _SYNONYMS.get(word, ()) if one in known), None)


def instead_of_option(option: str, *, help_with: str) -> str:
    """Return what does the work of an option that people expect; empty if nothing is known.

    ``help_with`` is the command that prints the help of the verb.
    """
    verb = help_with.removeprefix("holdfast ").removesuffix(" --help")
    return _OPTIONS_INSTEAD.get((verb, option), "")


def instead_of(verb: str) -> str:
    """Return what does the work of a verb that people expect; empty if nothing is known."""
    return _INSTEAD.get(verb, "")
