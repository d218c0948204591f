"""The rules of .gitignore files beside git itself."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from holdfast.domain.workspaces.ignoring import is_ignored, read_rules
from tests.requirements import requirement

PATTERNS = r"""
# a comment
*.log
!keep.log
/rooted
build/
docs/*.txt
**/deep
a/**/z
inner/**
\#odd
spaced\ 
trailing   
[ab]x
[!c]y
[z-a]q
[]w]v
broken[
te?t
\!bang
foo/*/bar
*.py[co]
back\\slash
three/***/stars
all/****
part**/x
"""
PATHS = [
    *("x.log", "keep.log", "d/keep.log", "d/x.log", "rooted", "d/rooted", "build/"),
    *("d/build/", "docs/a.txt", "docs/b/a.txt", "deep", "q/w/deep", "a/z", "a/b/c/z"),
    *("inner/x", "#odd", "spaced ", "spaced", "trailing", "ax", "cx", "by", "cy", "mq", "]v"),
    *("wv", "broken[", "test", "teest", "!bang", "foo/1/bar", "foo/1/2/bar", "m.pyc", "m.py"),
    *("back\\slash", "é.log", "d/", "plain"),
    *("three/stars", "three/1/stars", "three/1/2/stars", "three/1/2", "all/1/2", "all"),
    *("part/x", "part1/x", "part1/2/x", "part/1/2/x", "partx", "part1", "1part/x"),
]


@requirement("workspace.gitignore-respected")
def test_the_rules_ignore_what_git_ignores(tmp_path: Path) -> None:
    a_repository(tmp_path)
    for path in PATHS:
        if path.endswith("/"):
            (tmp_path / path).mkdir(parents=True, exist_ok=True)

    assert ignored_here(PATTERNS, PATHS) == ignored_by_git(tmp_path, PATTERNS, PATHS)


@requirement("workspace.gitignore-respected")
def test_patterns_of_many_stars_ignore_what_git_ignores(tmp_path: Path) -> None:
    a_repository(tmp_path)
    chance = Random(20)  # noqa: S311 - test data
    marks = ("a", "b", "*", "?", "**", "[ab]", "[!a]", ".")
    names = ("a", "b", "ab", "ba", "aab", "a.b", "b.a.b", "abab")
    for _ in range(60):
        patterns = "\n".join(
            "/".join(
                "*" * chance.randint(2, 4)
                if chance.random() < 0.3
                else "".join(chance.choices(marks, k=3))
                for _ in range(chance.randint(1, 5))
            )
            for _ in range(2)
        )
        paths = sorted({"/".join(chance.choices(names, k=chance.randint(1, 5))) for _ in range(40)})

        found = ignored_here(patterns, paths)

        assert found == ignored_by_git(tmp_path, patterns, paths), patterns


@requirement("workspace.gitignore-respected")
@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*_" * 30 + "*.log", "_" * 250),
        ("[_]*" * 30 + ".log", "_" * 250),
        ("**/a/" * 30 + "b", "a/" * 500 + "c"),
        ("**/*a*/" * 30 + "b", "a/" * 500 + "c"),
        ("*a" * 20 + "/" + "*b" * 20, "a" * 250 + "/" + "b" * 250 + "c"),
    ],
)
def test_a_hostile_pattern_that_nearly_matches_ends(pattern: str, path: str) -> None:
    assert ignored_here(pattern, [path]) == []


def a_repository(folder: Path) -> None:
    subprocess.run(["git", "init", "-q", str(folder)], check=True)  # noqa: S603, S607 - of the PATH


def ignored_here(patterns: str, paths: Sequence[str]) -> list[str]:
    """Return the paths that are ignored, or that are beneath a folder that is."""
    rules = read_rules(patterns)
    return [path for path in paths if any(is_ignored((rules,), *one) for one in with_above(path))]


def with_above(path: str) -> Iterator[tuple[str, str]]:
    """Return the folders of a path and the path, each with its name; a folder ends with /."""
    is_folder = path.endswith("/")
    names = path.rstrip("/").split("/")
    for end, name in enumerate(names, 1):
        sign = "/" if end < len(names) or is_folder else ""
        yield "/".join(names[:end]) + sign, name + sign


def ignored_by_git(folder: Path, patterns: str, paths: Sequence[str]) -> list[str]:
    (folder / ".gitignore").write_text(patterns, encoding="utf-8")
    said = subprocess.run(  # noqa: S603 - git from the PATH
        ["git", "-C", str(folder), "check-ignore", "--no-index", "-z", "--stdin"],  # noqa: S607
        input="\0".join(paths).encode(),
        capture_output=True,
        check=False,
    ).stdout.decode()
    theirs = {path for path in said.split("\0") if path}
    return [path for path in paths if path in theirs]
