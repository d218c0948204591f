"""Operations that change files, as people and tools do between two commits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from torture.git_editing import Spot, spots_of
from torture.git_lines import (
    Change,
    Drop,
    Insert,
    Page,
    Patch,
    Put,
    Rename,
    Tree,
    applied,
    carried,
)
from torture.git_site import Site

Operation = Callable[[Site], None]


def busy_spots(site: Site, number: int) -> list[Spot]:
    """Return blocks, cited ones first; the first block of a file is never moved."""
    lines = {line.id for kept in site.kept for line in kept.lines}
    heads = {page.lines[0] for page in site.tree.values() if page.lines}
    spots = [spot for spot in spots_of(site.tree) if spot.lines[0] not in heads]
    site.author.chance.shuffle(spots)
    spots.sort(key=lambda spot: not any(line.id in lines for line in spot.lines))
    return spots[:number]


def busy_files(site: Site, number: int) -> list[str]:
    """Return files, cited ones first."""
    paths = list(site.tree)
    site.author.chance.shuffle(paths)
    busy = {kept.place.path for kept in site.kept}
    paths.sort(key=lambda path: path not in busy)
    return paths[:number]


def commit(site: Site) -> None:
    site.commit("another", site.some(number=12))


def edit_only(site: Site) -> None:
    site.edit(site.some(number=12))


def rename_and_edit(site: Site) -> None:
    patch: Patch = ()
    for number, path in enumerate(busy_files(site, 4)):
        new = f"renamed/part {number}{path[path.rindex('.') :]}"
        patch = (*patch, Rename(path, new), *_two_changes(site, path))
    site.commit("rename and edit", patch)


def _two_changes(site: Site, path: str) -> Patch:
    lines = site.author.chance.sample(site.tree[path].lines, 2)
    return (Change({line.id: site.author.other(line.text) for line in lines}),)


def function_moves(site: Site) -> None:
    """Move functions from their files to the end of others."""
    patch: Patch = ()
    for spot in busy_spots(site, 5):
        now = applied(patch, site.tree)
        ending = spot.path[spot.path.rindex(".") :]
        others = [path for path in now if path.endswith(ending) and path != spot.path]
        if not others or not now[spot.path].lines:
            continue
        target = site.author.chance.choice(others)
        last = now[target].lines[-1].id if now[target].lines else None
        patch = (*patch, *carried(spot.lines, last, target))
    site.commit("move functions", patch)


def file_splits(site: Site) -> None:
    patch: Patch = ()
    for number, path in enumerate(busy_files(site, 3)):
        blocks = site.tree[path].blocks()
        half = [line for block in blocks[len(blocks) // 2 :] for line in block]
        new = f"{path[: path.rindex('.')]}_{number}{path[path.rindex('.') :]}"
        header = site.author.copy(blocks[0])
        patch = (
            *patch,
            Put(new, replace(site.tree[path], lines=header)),
            *carried(half, header[-1].id),
        )
    site.commit("split files", patch)


def folder_moves(site: Site) -> None:
    moved = [path for path in site.tree if path.startswith(("src/", "web/"))]
    site.commit("move folders", tuple(Rename(path, f"lib/all/{path}") for path in moved))


def files_go(site: Site) -> None:
    site.commit("remove files", tuple(Drop(path) for path in busy_files(site, 3)))


def line_ends(site: Site) -> None:
    site.commit("other line ends", _ends(site.tree, lambda end: "\n" if end != "\n" else "\r\n"))


def renormalised(site: Site) -> None:
    """Let git check out every file with CRLF and store it with LF."""
    (site.root / ".gitattributes").write_text("* text eol=crlf\n")
    site.git("add", "--renormalize", ".")
    site.git("add", ".gitattributes")
    site.git("commit", "-q", "-m", "renormalise")
    for path in site.tree:
        (site.root / path).unlink()
    site.git("checkout", "-q", "--", ".")
    site.tree = applied(_ends(site.tree, lambda _: "\r\n"), site.tree)


def _ends(tree: Tree, other: Callable[[str], str]) -> Patch:
    return tuple(Put(path, replace(page, end=other(page.end))) for path, page in tree.items())


def white_space(site: Site) -> None:
    """Change the indentation, as a formatter would."""
    texts = {
        line.id: _indented(line.text)
        for path in busy_files(site, 6)
        for line in site.tree[path].lines
    }
    site.commit("reformat", (Change(texts),))


def _indented(text: str) -> str:
    bare = text.lstrip()
    depth = len(text) - len(bare)
    return "\t" * depth + bare if text.startswith("\t") else " " * (2 * depth) + bare


def functions_copied(site: Site) -> None:
    """Put a copy above the original, and another copy into another file."""
    patch: Patch = ()
    for spot in busy_spots(site, 4):
        page = site.tree[spot.path]
        first = page.lines.index(spot.lines[0])
        above = page.lines[first - 1].id if first else None
        patch = (*patch, Insert(site.author.copy(spot.lines), above, spot.path))
        patch = (*patch, *_copied_away(site, spot))
    site.commit("copy functions", patch)


def _copied_away(site: Site, spot: Spot) -> Patch:
    ending = spot.path[spot.path.rindex(".") :]
    others = [path for path in site.tree if path.endswith(ending) and path != spot.path]
    if not others or site.author.chance.random() < 0.5:
        return ()
    page = site.tree[site.author.chance.choice(others)]
    return (Insert(site.author.copy(spot.lines), page.lines[-1].id),)


def functions_swapped(site: Site) -> None:
    """Reorder the functions in some files."""
    patch: Patch = ()
    for path in busy_files(site, 4):
        header, *blocks = site.tree[path].blocks()
        site.author.chance.shuffle(blocks)
        lines = tuple(line for block in (header, *blocks) for line in block)
        patch = (*patch, Put(path, replace(site.tree[path], lines=lines)))
    site.commit("reorder functions", patch)


def twins_take_places(site: Site) -> None:
    """Shift files so that an equal line is at the place of a remembered one."""
    patch: Patch = ()
    seen: set[str] = set()
    for kept in site.kept:
        page = site.tree.get(kept.place.path)
        if page is None or kept.place.path in seen:
            continue
        above = _equal_above(page, kept.place.first, [line.text for line in kept.lines])
        if above:
            seen.add(kept.place.path)
            texts = [site.author.statement(kept.place.path).strip() for _ in range(above)]
            lines = site.author.lines(texts, page.lines[0].block)
            patch = (*patch, Insert(lines, None, kept.place.path))
    site.commit("shift", patch or site.some(number=2))


def _equal_above(page: Page, first: int, texts: list[str]) -> int:
    """Return how many lines above a place the same text occurs; 0 if it does not."""
    all_texts = [line.text for line in page.lines]
    for distance in range(1, first):
        start = first - 1 - distance
        if all_texts[start : start + len(texts)] == texts:
            return distance
    return 0


def functions_moved_and_edited(site: Site) -> None:
    """Move functions to other files, and change some of the moved lines."""
    patch: Patch = ()
    spots = busy_spots(site, 3)
    for spot in spots:
        others = [path for path in site.tree if path not in {spot.path for spot in spots}]
        target = site.tree[site.author.chance.choice(others)]
        patch = (*patch, *carried(spot.lines, target.lines[-1].id))
    changed = [site.author.chance.choice(spot.inner) for spot in spots]
    texts = {line.id: site.author.other(line.text) for line in changed}
    site.commit("move and edit", (*patch, Change(texts)))
