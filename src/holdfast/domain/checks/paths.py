"""Paths of a check: globs of files beneath the root of a repository.

Globs come from repositories that nobody reviewed, so no glob may take more than quadratic time in
the length of a path. The usual globs need no regular expression at all.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.domain.text.globs import (
    EVERYTHING,
    glob_expression,
    glob_problem,
    is_any_folders,
    separated_globs,
)
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

MOST_GLOBS = 16
_WILD = frozenset("*?")


@dataclass(frozen=True, slots=True, kw_only=True)
class PathChoice:
    """The files that a check reads: those that one of the globs takes and no other excludes."""

    taken: tuple[str, ...]
    excluded: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The globs as a person writes them."""
        return ", ".join((*self.taken, *(f"!{glob}" for glob in self.excluded)))

    @property
    def literal(self) -> tuple[str, ...]:
        """The globs that name one file each."""
        return tuple(glob for glob in self.taken if _WILD.isdisjoint(glob))

    @property
    def names_places(self) -> bool:
        """Tell whether a person wrote which paths are meant, rather than all."""
        return self.taken != (EVERYTHING,)

    def takes(self, path: str) -> bool:
        """Tell whether the choice contains a path."""
        return any(matcher(glob)(path) for glob in self.taken) and not any(
            matcher(glob)(path) for glob in self.excluded
        )

    def reaches(self, folder: str) -> bool:
        """Tell whether the choice may contain a file beneath a folder."""
        inside = f"{folder}/x"
        if any(glob.endswith(EVERYTHING) and matcher(glob)(inside) for glob in self.excluded):
            return False
        return any(_reaches(glob.split("/"), folder.split("/")) for glob in self.taken)

    def among(self, paths: Iterable[str]) -> Sequence[str]:
        """Return the paths that the choice contains, in their order."""
        taken = [matcher(glob) for glob in self.taken]
        excluded = [matcher(glob) for glob in self.excluded]
        found = [path for path in paths if any(one(path) for one in taken)]
        if not excluded:
            return found
        return [path for path in found if not any(one(path) for one in excluded)]


def read_paths(text: str) -> PathChoice:
    """Read a list of globs: ``src/**, tests/*.py, !src/old/**``.

    Raises:
        BadFieldError: A glob leads out of the repository, or is not one.
    """
    globs = separated_globs(text)
    if not globs or len(globs) > MOST_GLOBS:
        raise BadFieldError(field="check", problem=f"needs 1 to {MOST_GLOBS} paths.")
    taken = tuple(_plain(one) for one in globs if not one.startswith("!"))
    excluded = tuple(_plain(one[1:]) for one in globs if one.startswith("!"))
    return PathChoice(taken=taken or (EVERYTHING,), excluded=excluded)


def _plain(glob: str) -> str:
    plain = glob.strip().removeprefix("./")
    if plain.endswith("/"):
        plain += EVERYTHING
    if (problem := glob_problem(plain)) is not None:
        raise BadFieldError(field="check", problem=problem)
    return plain


def _reaches(glob: Sequence[str], folder: Sequence[str]) -> bool:
    """Return whether a part of the glob is left when the names of the folder are used up."""
    places = {0}
    for name in folder:
        places = {after for place in places for after in _after(glob, place, name)}
    return any(place < len(glob) for place in places)


def _after(glob: Sequence[str], place: int, name: str) -> Iterator[int]:
    """Return the places in a glob that may follow when one name is used up."""
    while place < len(glob) and is_any_folders(glob[place]):
        yield place
        place += 1
    if place < len(glob) and matcher(glob[place])(name):
        yield place + 1


@lru_cache(maxsize=4_096)
def matcher(glob: str) -> Callable[[str], bool]:
    """Return the function that tells whether a glob takes a path."""
    if _WILD.isdisjoint(glob):
        return glob.__eq__
    if glob == EVERYTHING:
        return lambda _path: True
    head, _, tail = glob.partition("**")
    if _WILD.isdisjoint(head) and head.endswith("/") and not tail:
        return lambda path: path.startswith(head)
    ending = tail.removeprefix("/*")
    if tail.startswith("/*") and _WILD.isdisjoint(ending) and "/" not in ending:
        if not head:
            return lambda path: path.endswith(ending)
        if _WILD.isdisjoint(head) and head.endswith("/"):
            # The file name needs no letter before its ending, but the folder may not be its part.
            return lambda path: (
                path.startswith(head) and path.endswith(ending) and len(path) >= len(head + ending)
            )
    found = re.compile(glob_expression(glob), re.DOTALL).fullmatch
    return lambda path: found(path) is not None
