"""The settings in a repository's own file, which is untrusted input."""

from __future__ import annotations

import re
import tomllib
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.files.pages import HOME
from holdfast.adapters.files.places import UnreadableError, open_folder, read_file
from holdfast.domain.memory.entry import Flaw

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

NAME = "config.toml"
_PATH = f"{HOME}/{NAME}"
_ALLOWED: dict[str, Callable[[object], bool]] = {"files": lambda value: isinstance(value, bool)}
_LINE = re.compile(r"at line ([0-9]+)")
_ADVICE = (
    "It was ignored. A repository may say only: files = true. Commands, addresses, keys and"
    " hooks are a person's own settings ('holdfast config')."
)


class FileRepositorySettings:
    """The file ``.holdfast/config.toml`` of one clone."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def value(self, name: str) -> str | None:
        """Return a setting that a repository may set, if it does."""
        found = self._read[0].get(name)
        return None if found is None else str(found).lower()

    def flaws(self) -> Sequence[Flaw]:
        """Return the settings that are not allowed or not readable, with their lines."""
        return self._read[1]

    @cached_property
    def _read(self) -> tuple[dict[str, object], tuple[Flaw, ...]]:
        try:
            text = self._text()
            given = tomllib.loads(text)
        except UnreadableError as error:
            return {}, (Flaw(path=_PATH, line=1, problem=str(error), advice="It was ignored."),)
        except (ValueError, RecursionError) as error:
            line = _LINE.search(str(error))
            return {}, (
                Flaw(
                    path=_PATH,
                    line=int(line[1]) if line else 1,
                    problem="It is not TOML.",
                    advice="It was ignored; mend it, or delete it.",
                ),
            )
        kept = {name: value for name, value in given.items() if _may(name, value)}
        refused = [name for name in given if name not in kept]
        return kept, tuple(_refusal(name, text) for name in refused)

    def _text(self) -> str:
        with open_folder(self._root, HOME) as folder:
            content = None if folder is None else read_file(folder, NAME)
        return "" if content is None else content.decode("utf-8")


def _may(name: str, value: object) -> bool:
    return name in _ALLOWED and _ALLOWED[name](value)


def _refusal(name: str, text: str) -> Flaw:
    said = re.compile(rf"\s*\[*\s*[\"']?{re.escape(name)}\b")
    lines = enumerate(text.splitlines(), start=1)
    line = next((number for number, words in lines if said.match(words)), 1)
    shown = name.encode("unicode_escape").decode()[:60]
    return Flaw(path=_PATH, line=line, problem=f"'{shown}' may not be set there.", advice=_ADVICE)
