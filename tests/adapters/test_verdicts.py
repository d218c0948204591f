"""Verdicts that are kept, and given again only while nothing changed."""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holdfast.adapters.disk.json_files import read_sealed, write_sealed
from holdfast.adapters.git.anchors import verdict_cache
from holdfast.domain.memory.anchor import Verdict
from tests.adapters.test_repository import git
from tests.adapters.test_verifier import (
    APP,
    FRESH,
    ROTATE,
    a_project,
    committed,
    moved,
    read,
    seen,
    told,
    verifier,
    written,
)
from tests.requirements import requirement
from tests.unit.places import FILE


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return a_project(tmp_path / "app")


def old(path: Path) -> None:
    """Let a file look as if it had been written long ago; a young one is not trusted."""
    os.utime(path, ns=(1_700_000_000_000_000_000, 1_700_000_000_000_000_000))


@requirement("verdict.cache-is-safe")
def test_what_was_seen_is_kept_while_the_files_stay_as_they_are(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    span = read(root)
    written(root / APP, ["# A new first line.", *FILE])
    old(root / APP)
    first = seen(root, span)
    monkeypatch.setattr("holdfast.adapters.git.anchors.views.read_content", None)
    monkeypatch.setattr("holdfast.adapters.processes.running.run_program", None)

    assert seen(root, span) == first


@requirement("verdict.cache-is-safe")
def test_a_file_that_changed_is_looked_at_again(root: Path) -> None:
    span = read(root)
    old(root / APP)
    assert told(seen(root, span)) == FRESH

    written(root / APP, [line.replace("rotate_now", "rotate_one") for line in FILE])
    old(root / APP)

    assert seen(root, span).verdict is Verdict.DRIFTED


@requirement("verdict.cache-is-safe")
def test_a_file_that_the_lines_moved_to_counts_too(root: Path) -> None:
    span = read(root)
    git(root, "mv", APP, "renamed.py")
    old(root / "renamed.py")
    assert told(seen(root, span)) == moved("renamed.py")

    (root / "renamed.py").unlink()

    assert seen(root, span).verdict is Verdict.ORPHANED


@requirement("verdict.cache-is-safe")
@pytest.mark.parametrize("is_tracked", [False, True])
def test_a_copy_that_comes_later_leaves_no_single_place_to_move_to(
    root: Path, *, is_tracked: bool
) -> None:
    span = read(root)
    git(root, "mv", APP, "renamed.py")
    committed(root)
    assert told(seen(root, span)) == moved("renamed.py")

    written(root / "copy.py", FILE)
    if is_tracked:
        git(root, "add", "copy.py")

    sighting = seen(root, span)
    assert sighting.verdict is Verdict.DRIFTED
    assert {place.path for place in sighting.places} == {"copy.py", "renamed.py"}


@requirement("verdict.cache-is-safe")
def test_a_copy_in_a_file_that_was_there_leaves_no_single_place_either(root: Path) -> None:
    written(root / "other.py", ["# Another file."])
    committed(root)
    span = read(root)
    git(root, "mv", APP, "renamed.py")
    assert told(seen(root, span)) == moved("renamed.py")

    written(root / "other.py", ["# Another file.", *FILE])

    assert seen(root, span).verdict is Verdict.DRIFTED


@requirement("verdict.cache-is-safe")
def test_a_change_through_a_memory_map_is_seen(root: Path) -> None:
    """A page that is dirty already can change without any trace in what the disk notes."""
    path = root / APP
    span = read(root)
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as page:
        at = page.find(b"rotate_now")
        page[at : at + 1] = b"r"
        old(path)
        assert told(seen(root, span)) == FRESH

        page[at : at + 10] = b"rotate_one"

        assert seen(root, span).verdict is Verdict.DRIFTED


@requirement("verdict.cache-is-safe")
def test_a_change_that_keeps_size_and_times_is_seen(root: Path) -> None:
    span = read(root)
    old(root / APP)
    assert told(seen(root, span)) == FRESH
    before = (root / APP).stat()

    text = (root / APP).read_text().replace("rotate_now", "rotate_one")
    (root / APP).write_text(text)
    os.utime(root / APP, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert seen(root, span).verdict is Verdict.DRIFTED


def spoiled(kept: Any, **changes: object) -> str:
    """What was kept, of the one span another thing."""
    (entry,) = kept["verdicts"].values()
    return json.dumps({**kept, "verdicts": {"s_1": {**entry, **changes}}})


@requirement("verdict.cache-is-safe")
@pytest.mark.parametrize(
    "spoil",
    [
        lambda _: "not JSON",
        lambda _: "[]",
        lambda kept: json.dumps({**kept, "version": 0}),
        lambda kept: json.dumps({**kept, "verdicts": []}),
        lambda kept: json.dumps({**kept, "verdicts": {"s_1": 3}}),
        lambda kept: spoiled(kept, files=1),
        lambda kept: spoiled(kept, text="another"),
        lambda kept: spoiled(kept, sighting=1),
        lambda kept: spoiled(kept, sighting=["?", [], "", []]),
    ],
)
def test_spoiled_verdicts_are_made_anew(root: Path, spoil: Callable[[object], str]) -> None:
    span = read(root)
    old(root / APP)
    seen(root, span)
    (cache,) = (root.parent / "verdicts").iterdir()
    write_sealed(cache, spoil(read_sealed(cache)).encode())

    assert told(seen(root, span)) == FRESH


@requirement("verdict.cache-is-safe")
def test_a_verdict_without_a_valid_checksum_is_made_anew(root: Path) -> None:
    span = read(root)
    old(root / APP)
    seen(root, span)
    (cache,) = (root.parent / "verdicts").iterdir()
    (entry,) = read_sealed(cache)["verdicts"].values()
    _, _, text = cache.read_bytes().partition(b"\n")
    cache.write_bytes(b"0" * 64 + b"\n" + text.replace(b'"fresh"', b'"drifted"'))
    assert entry["sighting"][0] == "fresh"

    assert told(seen(root, span)) == FRESH


@requirement("verdict.cache-is-safe")
def test_a_folder_that_cannot_be_written_is_no_reason_to_stop(root: Path) -> None:
    old(root / APP)
    (root.parent / "verdicts").write_text("a file in the way")

    assert told(seen(root, read(root))) == FRESH


def test_only_so_many_verdicts_are_kept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdict_cache, "_MOST_KEPT", 2)
    old(root / APP)

    verifier(root).examine([read(root, ROTATE, f"s_{number}") for number in range(4)])

    (cache,) = (root.parent / "verdicts").iterdir()
    assert list(read_sealed(cache)["verdicts"]) == ["s_2", "s_3"]
