"""The rules of .gitignore files beside git itself."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from holdfast.adapters.git.reading.ignored import git_rules
from holdfast.adapters.workspaces.folder import DiskFolder
from holdfast.domain.workspaces.ignoring import is_ignored, read_rules
from holdfast.domain.workspaces.snapshot import TreeRules
from holdfast.domain.workspaces.tree import EntryKind
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
back\\\\ 
never\
[[:digit:]]k
[^[:alpha:]_]l
[[:nosuch:]]m
[[:]n
[n\]]o
[p-]p
foo//
***/stars/***
"""
PATHS = [
    *("x.log", "keep.log", "d/keep.log", "d/x.log", "rooted", "d/rooted", "build/"),
    *("d/build/", "docs/a.txt", "docs/b/a.txt", "deep", "q/w/deep", "a/z", "a/b/c/z"),
    *("inner/x", "#odd", "spaced ", "spaced", "trailing", "ax", "cx", "by", "cy", "mq", "]v"),
    *("wv", "broken[", "test", "teest", "!bang", "foo/1/bar", "foo/1/2/bar", "m.pyc", "m.py"),
    *("back\\slash", "é.log", "d/", "plain"),
    *("three/stars", "three/1/stars", "three/1/2/stars", "three/1/2", "all/1/2", "all"),
    *("part/x", "part1/x", "part1/2/x", "part/1/2/x", "partx", "part1", "1part/x"),
    *("back\\", "never", "never\\", "zq", "aq", "5k", "k", "xk", "1l", "al", "[m", "[n"),
    *("]o", "no", "-p", "foo", "x/stars/y", "x/y/stars/y/z", "line\u2028separator"),
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
    "pattern",
    [
        *("a[a/b]", "[a/b]/c", "[!/]b", "a\\/b", "[a\\/b]c", "\\/a", "a\\/", "[a/", "[]/a]b/c"),
        *("**\\/b", "a/**\\/b", "a**\\/b", "**\\/**\\/c", "?**\\/b", "a\\/**"),
    ],
)
def test_a_slash_in_a_set_or_behind_a_backslash_is_read_as_git_reads_it(
    tmp_path: Path, pattern: str
) -> None:
    a_repository(tmp_path)
    names = ("a", "b", "c", "ab", "aa", "ac")
    paths = [*names, *(f"{one}/{other}" for one in names for other in names)]
    paths += [f"{one}/{path}" for one in ("a", "b") for path in paths[len(names) :]]

    assert ignored_here(pattern, paths) == ignored_by_git(tmp_path, pattern, paths)


@requirement("workspace.gitignore-respected")
def test_patterns_of_many_slashes_ignore_what_git_ignores(tmp_path: Path) -> None:
    a_repository(tmp_path)
    chance = Random(22)  # noqa: S311 - test data
    marks = (
        *("a", "b", "c", "/", "/", r"\/", r"\/", "*", "**", "?", "[a/b]", "[!a/]", "[/]"),
        *("[^/b]", r"[a\/b]", "[]/a]", "[", "]", r"\a", r"\\", "[a-c]"),
    )
    names = ("a", "b", "ab", "a.b", "aa", "abc", "c")
    paths = [*names, *(f"{one}/{other}" for one in names for other in names)]
    paths += [f"{one}/{path}" for one in ("a", "ab") for path in paths[len(names) :]]
    for _ in range(150):
        pattern = "".join(chance.choices(marks, k=chance.randint(1, 6)))

        found = ignored_here(pattern, paths)

        assert found == ignored_by_git(tmp_path, pattern, paths), pattern


@requirement("workspace.gitignore-respected")
@pytest.mark.parametrize(
    ("patterns", "kept"),
    [
        (".vscode/*\n!.vscode/settings.json", ".vscode/settings.json"),
        ("/foo/*\n!/foo/bar", "foo/bar"),
        ("logs/*\n!logs/.gitkeep", "logs/.gitkeep"),
        ("deep/*\n!deep/keep/", "deep/keep/file"),
        ("a/*/*\n!a/b/c", "a/b/c"),
        ("foo/**\n!foo/bar", "foo/bar"),
        ("/*\n!/foo", "foo/bar"),
    ],
)
def test_a_file_of_a_folder_stays_if_the_rest_of_the_folder_is_ignored(
    tmp_path: Path, patterns: str, kept: str
) -> None:
    a_repository(tmp_path)
    other = f"{kept.partition('/')[0]}/other/file"
    for path in (kept, other):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("text", encoding="utf-8")
    (tmp_path / ".gitignore").write_text(patterns, encoding="utf-8")

    assert kept in scanned(tmp_path)
    assert scanned(tmp_path) == kept_by_git(tmp_path)


@requirement("workspace.gitignore-respected")
def test_a_file_that_git_tracks_is_not_ignored(tmp_path: Path) -> None:
    root = tmp_path / "root"
    a_repository(root)
    for path in ("a.log", "important.log", "sub/out/a/kept", "sub/out/a/other", "sub/out/b/other"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("text", encoding="utf-8")
    (root / ".gitignore").write_text("*.log\nout/\n", encoding="utf-8")
    # Git reads no rules in an ignored folder.
    (root / "sub/out/.gitignore").write_text("!*\n", encoding="utf-8")
    add = ["git", "-C", str(root), "add", "-f", "important.log", "sub/out/a/kept"]
    subprocess.run(add, check=True)  # noqa: S603 - of the PATH

    assert scanned(root) == {".gitignore", "important.log", "sub/out/a/kept"}
    assert scanned(root) == kept_by_git(root)
    assert scanned(root / "sub") == {"out/a/kept"}
    (root / ".git/index").write_bytes(b"damaged")
    assert scanned(root) == {".gitignore"}
    (root / ".git/HEAD").unlink()
    assert scanned(root) == {".gitignore"}


@requirement("workspace.gitignore-respected")
@pytest.mark.parametrize("setting", [None, "", "~/mine", "relative", "{home}/mine", "missing"])
def test_the_ignore_file_of_a_person_counts_as_in_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: str | None
) -> None:
    root, home = tmp_path / "root", tmp_path / "home"
    a_repository(root)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    files = {
        home / ".config/git/ignore": "*.usual\n*.weak\n",
        home / "mine": "*.mine\n*.weak\n",
        root / "relative": "*.relative\n",
        root / ".git/info/exclude": "*.info\n!keep.weak\n",
        root / ".gitignore": "!keep.info\n",
    }
    for ending in ("usual", "weak", "mine", "relative", "info"):
        files |= {root / f"sub/a.{ending}": "text", root / f"keep.{ending}": "text"}
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if setting is not None:
        configure(root, "core.excludesFile", setting.format(home=home))

    assert scanned(root) == kept_by_git(root)
    assert {"keep.weak", "keep.info"} <= scanned(root)
    assert {f"sub/{path}" for path in scanned(root / "sub")} == {
        path for path in kept_by_git(root) if path.startswith("sub/")
    }


@requirement("workspace.gitignore-respected")
def test_a_worktree_shares_what_its_repository_excludes(tmp_path: Path) -> None:
    root, beside = tmp_path / "root", tmp_path / "beside"
    a_repository(root)
    who = ("-c", "user.name=x", "-c", "user.email=x@x.example")
    said(root, *who, "commit", "-q", "--allow-empty", "-m", "first")
    said(root, "worktree", "add", "-q", str(beside))
    (root / ".git/info/exclude").write_text("*.log\n", encoding="utf-8")
    for name in ("a.log", "a.txt"):
        (beside / name).write_text("text", encoding="utf-8")

    assert scanned(beside) - {".git"} == kept_by_git(beside) == {"a.txt"}


@requirement("workspace.gitignore-respected")
@pytest.mark.parametrize("setting", ["true", "yes", "on", "1", "10", "false", "0", "no", "off"])
def test_case_counts_as_git_is_set_up(tmp_path: Path, setting: str) -> None:
    a_repository(tmp_path)
    configure(tmp_path, "core.ignorecase", setting)
    chance = Random(23)  # noqa: S311 - test data
    marks = ("a", "B", "[A-b]", "[Z-a]", "[!a]", "[Bb]", "[[:upper:]]", "*", "?", r"\a")
    names = [one + other for one in "aAbBz" for other in ("", "a", "B")]
    for name in names:
        (tmp_path / f"{name}x").mkdir()
        (tmp_path / f"{name}x" / name).write_text("text", encoding="utf-8")
    (tmp_path / "école.b").write_text("text", encoding="utf-8")
    patterns = ["".join(chance.choices(marks, k=chance.randint(1, 3))) for _ in range(10)]
    for pattern in (*patterns, "École.*", "école.B"):
        (tmp_path / ".gitignore").write_text(pattern, encoding="utf-8")

        assert scanned(tmp_path) == kept_by_git(tmp_path), pattern


@requirement("workspace.gitignore-respected")
@pytest.mark.parametrize("ignores_case", [False, True])
def test_many_patterns_ignore_what_git_ignores(tmp_path: Path, *, ignores_case: bool) -> None:
    a_repository(tmp_path)
    configure(tmp_path, "core.ignorecase", str(ignores_case).lower())
    chance = Random(24)  # noqa: S311 - test data
    marks = (
        *("a", "b", "A", "B", "/", "/", "//", r"\/", "*", "**", "***", "?", "!", ".", "[", "]"),
        *("[a/b]", "[!a/]", "[A]", "[!A]", "[Ab]", "[^B]", "[Z-a]", "[A-b]", "[A-A]", "[B-A]"),
        *("[[:upper:]]", "[[:lower:]]", "[[:upper:]A]", r"[\A]", r"\A", r"\a", r"\\"),
    )
    known = ["a**//", "a***//", "a**//b", r"a**/\/b", "a**//**/b", "[A]", "[!A]", r"\A", "x/[B]"]
    drawn = ["".join(chance.choices(marks, k=chance.randint(1, 6))) for _ in range(400)]
    names = ("a", "b", "A", "B", "ab", "aB", "AA", ".a")
    paths = [*names, *(f"{one}/{other}" for one in names for other in names)]
    paths += [f"{one}/{path}" for one in ("a", "B") for path in paths[len(names) :]]

    # Each pattern gets a folder, so that one process of git answers for all.
    patterns = {f"{number}/": pattern for number, pattern in enumerate((*known, *drawn))}
    for folder, pattern in patterns.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / ".gitignore").write_text(pattern, encoding="utf-8")
    theirs = set(asked_git(tmp_path, [folder + path for folder in patterns for path in paths]))

    differing = {
        pattern
        for folder, pattern in patterns.items()
        if ignored_here(pattern, paths, ignores_case=ignores_case)
        != [path for path in paths if folder + path in theirs]
    }
    assert differing == set()


@requirement("workspace.gitignore-respected")
def test_a_scan_reads_the_files_that_git_does_not_ignore(tmp_path: Path) -> None:
    chance = Random(21)  # noqa: S311 - test data
    names = ("a", "b", "ab", "keep", ".x")

    def pattern() -> str:
        sign = chance.choice(("", "", "!"))
        start, end = chance.choice(("", "", "/")), chance.choice(("", "", "/"))
        parts = chance.choices(
            (*names, "*", "**", "?", "[[:alpha:]]", "k*"), k=chance.randint(1, 2)
        )
        return sign + start + "/".join([*parts, *chance.choice(([], ["*"]))]) + end

    for number in range(40):
        root = tmp_path / str(number)
        a_repository(root)
        for _ in range(20):
            *folders, name = chance.choices(names, k=chance.randint(1, 4))
            folder = root.joinpath(*folders)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{name}.").write_text("text", encoding="utf-8")
        patterns = "\n".join(pattern() for _ in range(4))
        (root / ".gitignore").write_text(patterns, encoding="utf-8")

        assert scanned(root) == kept_by_git(root), patterns


@requirement("workspace.gitignore-respected")
@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*_" * 30 + "*.log", "_" * 250),
        ("[_]*" * 30 + ".log", "_" * 250),
        ("**/a/" * 30 + "b", "a/" * 500 + "c"),
        ("**/*a*/" * 30 + "b", "a/" * 500 + "c"),
        ("*a" * 20 + "/" + "*b" * 20, "a" * 250 + "/" + "b" * 250 + "c"),
        ("**\\/" * 30 + "b", "a/" * 500 + "c"),
        ("[a/]*" * 30 + "\\/b", "a" * 250 + "/c"),
    ],
)
def test_a_hostile_pattern_that_nearly_matches_ends(pattern: str, path: str) -> None:
    assert ignored_here(pattern, [path]) == []


def a_repository(folder: Path) -> None:
    subprocess.run(["git", "init", "-q", str(folder)], check=True)  # noqa: S603, S607 - of the PATH


def configure(folder: Path, name: str, value: str) -> None:
    said(folder, "config", name, value)


def said(folder: Path, *words: str) -> str:
    """Return what git says about a folder."""
    command = ["git", "-C", str(folder), *words]
    done = subprocess.run(command, capture_output=True, check=True)  # noqa: S603 - of the PATH
    return done.stdout.decode()


def scanned(folder: Path) -> set[str]:
    """Return the files that a snapshot of a folder contains."""
    disk = DiskFolder(folder, state=folder.parent / "state", git=git_rules)
    found = disk.scan(TreeRules(), progress=lambda *_: None)
    return {entry.path for entry in found.entries if entry.kind == EntryKind.FILE.value}


def kept_by_git(folder: Path) -> set[str]:
    answer = said(folder, "ls-files", "-coz", "--exclude-standard")
    return {path for path in answer.split("\0") if path}


def ignored_here(patterns: str, paths: Sequence[str], *, ignores_case: bool = False) -> list[str]:
    """Return the paths that are ignored, or that are beneath a folder that is."""
    rules = read_rules(patterns, ignores_case=ignores_case)
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
    return asked_git(folder, paths)


def asked_git(folder: Path, paths: Sequence[str]) -> list[str]:
    """Return the paths that git ignores."""
    said = subprocess.run(  # noqa: S603 - git from the PATH
        ["git", "-C", str(folder), "check-ignore", "--no-index", "-z", "--stdin"],  # noqa: S607
        input="\0".join(paths).encode(),
        capture_output=True,
        check=False,
    ).stdout.decode()
    theirs = {path for path in said.split("\0") if path}
    return [path for path in paths if path in theirs]
