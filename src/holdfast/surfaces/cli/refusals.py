"""Errors of the command line only: unknown words, unusable files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import InvalidError, NotFoundError, UnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterable


class UsageError(InvalidError, code="usage"):
    """The command has wrong or missing words or options."""

    def __init__(self, *, problem: str) -> None:
        super().__init__(problem)


class EndlessInputError(InvalidError, code="endless-input"):
    """Standard input is larger than the limit."""

    def __init__(self, *, what: str, most: int) -> None:
        super().__init__(
            f"The {what} on standard input has more than {most:,} bytes. Nothing was changed;"
            " pass a smaller part of it.",
            what=what,
            most=most,
        )


class UnknownWordError(InvalidError, code="unknown-word"):
    """A verb or an option does not exist."""

    def __init__(self, *, what: str, word: str, known: Iterable[str], help_with: str) -> None:
        near = closest(word, known)
        meant = f" Did you mean '{near}'?" if near else ""
        super().__init__(
            f"There is no {what} '{word}'.{meant} See '{help_with}'.",
            what=what,
            word=word,
            meant=near,
        )


class MissingFileError(NotFoundError, code="missing-file"):
    """A file or folder does not exist."""

    def __init__(self, path: str, *, noun: str = "file") -> None:
        super().__init__(f"There is no {noun} {path}.", noun=noun, path=path)


class UnusableFileError(UnavailableError, code="unusable-file"):
    """A file cannot be read or written."""

    def __init__(self, *, path: str, problem: str | None, done: str = "used") -> None:
        super().__init__(
            f"{path} cannot be {done}: {problem or 'the system does not say why'}.",
            path=path,
            problem=problem,
        )


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most similar to this one, if any is."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word[:80], list(known), n=1)), None)
