"""Find the aliases that a command defines, for a shell or for git."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from holdfast.domain.sessions.program_name import program_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_GIT_ALIAS = re.compile(r"alias\.[\w.-]+", re.IGNORECASE)
_GIT_VALUED = frozenset({"-c", "-C", "--git-dir", "--work-tree", "--namespace", "--config-env"})
"""The options of git before its verb that have a value of their own."""
_GIT_READING = re.compile(r"(?:get|unset|--(?:get|unset).*)")
"""What stands before the name of a setting that git only reads or removes."""


def defined_aliases(words: Sequence[str]) -> Iterator[str]:
    """Yield the texts of aliases that a command defines; whoever defines one means to use it."""
    name = program_name(words[0])
    if name == "alias":
        yield from (word.partition("=")[2] for word in words[1:] if "=" in word)
    elif name == "git":
        for alias, meant, given in _git_aliases(words):
            text = meant[1:] if meant.startswith("!") else f"git {meant}"
            is_used = given[:1] == [alias]
            yield " ".join([text, *map(_quoted, given[1:])]) if is_used else text


def _git_aliases(words: Sequence[str]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the aliases that git is given, and what follows its own options.

    Only a value of ``-c`` or a written setting defines one; a commit message may look the same.
    """
    place, values = 1, list[str]()
    while place < len(words) and words[place].startswith("-"):
        values += words[place + 1 : place + 2] if words[place] == "-c" else []
        place += 2 if words[place] in _GIT_VALUED else 1
    given = list(words[place:])
    if given[:1] == ["clone"]:
        values += [after for before, after in pairwise(given) if before in {"-c", "--config"}]
        values += [word[len("--config=") :] for word in given if word.startswith("--config=")]
    elif given[:1] == ["config"]:
        values += _written_setting(given[1:])
    for name, _, meant in (value.partition("=") for value in values):
        if _GIT_ALIAS.fullmatch(name) and meant:
            yield name.partition(".")[2], meant, given


def _written_setting(given: Sequence[str]) -> list[str]:
    """Return the alias that ``git config`` writes, as a name and its value; or nothing."""
    place = next((n for n, word in enumerate(given) if _GIT_ALIAS.fullmatch(word)), len(given))
    if any(_GIT_READING.fullmatch(word) for word in given[:place]):
        return []
    return ["=".join(given[place : place + 2])]


def _quoted(word: str) -> str:
    """Return a word so that it is read as this one word again."""
    return "'" + word.replace("'", "'\\''") + "'"
