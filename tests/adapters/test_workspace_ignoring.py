"""The rules of .gitignore files beside git itself."""

from __future__ import annotations

import subprocess
from pathlib import Path

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
"""
PATHS = [
    *("x.log", "keep.log", "d/keep.log", "d/x.log", "rooted", "d/rooted", "build/"),
    *("d/build/", "docs/a.txt", "docs/b/a.txt", "deep", "q/w/deep", "a/z", "a/b/c/z"),
    *("inner/x", "#odd", "spaced ", "spaced", "trailing", "ax", "cx", "by", "cy", "mq", "]v"),
    *("wv", "broken[", "test", "teest", "!bang", "foo/1/bar", "foo/1/2/bar", "m.pyc", "m.py"),
    *("back\\slash", "é.log", "d/", "plain"),
]


@requirement("workspace.gitignore-respected")
def test_the_rules_ignore_what_git_ignores(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text(PATTERNS, encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)  # noqa: S603, S607 - of the PATH
    for path in PATHS:
        if path.endswith("/"):
            (tmp_path / path).mkdir(parents=True, exist_ok=True)
    rules = read_rules(PATTERNS)

    ours = [
        path
        for path in PATHS
        if is_ignored((rules,), path, path.rstrip("/").rpartition("/")[2] + "/" * (path[-1] == "/"))
    ]

    said = subprocess.run(  # noqa: S603 - git from the PATH
        ["git", "-C", str(tmp_path), "check-ignore", "--no-index", "-z", "--stdin"],  # noqa: S607
        input="\0".join(PATHS).encode(),
        capture_output=True,
        check=False,
    ).stdout.decode()
    theirs = [path for path in said.split("\0") if path]
    assert sorted(ours) == sorted(theirs)
