"""Random changes, as people make them to files from one commit to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from torture.git_lines import Change, Delete, Edit, Insert, Line, Patch, Tree, applied
from torture.git_writing import SIDES, Author

_SMALLEST_BLOCK = 6
_MARGIN = 2
_AIMED = 0.5


@dataclass(frozen=True, slots=True)
class Spot:
    """A block of a file that may be edited."""

    path: str
    lines: tuple[Line, ...]

    @property
    def inner(self) -> tuple[Line, ...]:
        """The lines that are not next to another block: changes there never conflict."""
        return self.lines[_MARGIN:-_MARGIN]


def some_edits(
    author: Author,
    tree: Tree,
    busy: frozenset[int] = frozenset(),
    *,
    side: int | None = None,
    number: int = 5,
) -> Patch:
    """Return a change, half of it in the busy lines.

    Changes of different sides touch different blocks, so they commute.
    """
    patch: list[Edit] = []
    for _ in range(number):
        spots = spots_of(tree, side)
        if author.chance.random() < _AIMED:
            paths = {spot.path for spot in spots if any(line.id in busy for line in spot.lines)}
            spots = [spot for spot in spots if spot.path in paths] or spots
        spot = author.chance.choice(spots)
        edit = author.chance.choice(_KINDS)(author, spot, side)
        patch.append(edit)
        tree = applied([edit], tree)
    return tuple(patch)


def spots_of(tree: Tree, side: int | None = None) -> list[Spot]:
    """Return the blocks of a side that are large enough to be edited."""
    return [
        Spot(path, block)
        for path, page in tree.items()
        for block in page.blocks()
        if len(block) >= _SMALLEST_BLOCK and (side is None or block[0].block % SIDES == side)
    ]


def twins(tree: Tree) -> list[Spot]:
    """Return the blocks that occur in the files more than once."""
    seen: dict[tuple[str, ...], int] = {}
    spots = spots_of(tree)
    for spot in spots:
        texts = tuple(line.text for line in spot.lines)
        seen[texts] = seen.get(texts, 0) + 1
    return [spot for spot in spots if seen[tuple(line.text for line in spot.lines)] > 1]


def _change(author: Author, spot: Spot, _side: int | None) -> Edit:
    line = author.chance.choice(spot.inner)
    return Change({line.id: author.other(line.text)})


def _more_lines(author: Author, spot: Spot, _side: int | None) -> Edit:
    after = author.chance.choice(spot.inner[:-1] or spot.inner)
    texts = [author.statement(spot.path) for _ in range(author.chance.randint(1, 3))]
    return Insert(author.lines(texts, after.block), after.id)


def _fewer_lines(author: Author, spot: Spot, _side: int | None) -> Edit:
    first = author.chance.randrange(len(spot.inner))
    gone = spot.inner[first : first + author.chance.randint(1, 2)]
    return Delete(frozenset(line.id for line in gone))


def _new_block(author: Author, spot: Spot, side: int | None) -> Edit:
    return Insert(author.block(spot.path, side), spot.lines[-1].id)


def _copied_block(author: Author, spot: Spot, side: int | None) -> Edit:
    return Insert(author.copy(spot.lines, side), spot.lines[-1].id)


def _no_block(_author: Author, spot: Spot, side: int | None) -> Edit:
    # Whole blocks are deleted only if nobody else edits: the neighbouring lines would conflict.
    gone = spot.lines if side is None else spot.inner
    return Delete(frozenset(line.id for line in gone))


_Kind = Callable[[Author, Spot, int | None], Edit]
_KINDS: tuple[_Kind, ...] = (
    _change,
    _change,
    _change,
    _more_lines,
    _more_lines,
    _fewer_lines,
    _new_block,
    _new_block,
    _copied_block,
    _no_block,
)
