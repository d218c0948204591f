"""Running checks over real files, with real patterns and a real repository."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.adapters.git.checks.tree import LARGEST_CHECKED
from holdfast.adapters.patterns import linear
from holdfast.bootstrap.plugs.checks import check_ports
from holdfast.domain.checks.change import Change, ChangeRange
from holdfast.domain.checks.outcome import CheckState
from holdfast.domain.errors import UnavailableError
from holdfast.domain.lookup_errors import NoHistoryError, NoSuchRevisionError
from holdfast.domain.values import replace
from holdfast.usecases.checks.check_ports import CheckPorts
from holdfast.usecases.checks.evaluate import evaluate
from holdfast.usecases.checks.file_texts import Effort
from tests.requirements import requirement

FILES = {
    "src/a.py": 'import os\nfrom shop import adapters\n\ndef pay():\n    print("hi")\n',
    "src/b.py": "# SPDX\nclass Shop:\n    def pay(self): ...\n",
    "src/web.ts": "export function buy() {}\n",
    "src/plain.md": "print(1)\n",
    "pyproject.toml": '[project]\nname = "x"\ndependencies = ["requests>=2"]\n',
    "LICENSE": "x\n",
}


def git(folder: Path, *words: str, check: bool = True) -> None:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    command = ["git", "-C", str(folder), *who, *words]
    subprocess.run(command, check=check, capture_output=True)  # noqa: S603 - git, in a test


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    git(tmp_path, "init", "-q", "-b", "main", str(root))
    git(root, "add", "--all")
    git(root, "commit", "-q", "-m", "Begin")
    return root


def ports_of(root: Path) -> CheckPorts:
    state = str(root.parent / "state")
    return check_ports(root, repo=lambda: "r", state=state, seconds=lambda: 20.0)


def said(root: Path, text: str, change: Change | None = None) -> str:
    tools = ports_of(root).tools(change or Change(), has_commands=False)
    return evaluate([text], tools=tools)[text].words


@requirement("checks.built-in")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("must not match `print\\(` in src/**/*.py", "broken at src/a.py:5"),
        ("must not match `eval` in src/**/*.py", "holds"),
        ("must match `SPDX` in src/*.py", "broken at src/a.py"),
        ("must match `SPDX` in src/b.py", "holds"),
        ("must match `^import|^class` in src/*.py", "holds"),
        ("must not match `eval` in lost/**", "unknown: no file is in lost/**"),
        ("must not match `eval` in lost", "unknown: no file is in lost"),
        (
            "must not match `eval` in lost, src",
            "unknown: no file is in lost, src; did you mean src",
        ),
        ("must not match `(` in src/**", "unknown: the pattern cannot be read"),
        ("must not match `(?=x)` in src/**", "unknown: the pattern cannot be read"),
        ("src/** must not import shop.adapters", "broken at src/a.py:2"),
        ("src/*.py must not import shop.domain, os.path", "holds"),
        ("src/*.py must not import os", "broken at src/a.py:1"),
        ("src/** must not import react", "unknown: src/web.ts: imports are read in Python"),
        ("src/*.md must not import os", "unknown: no file is in src/*.md"),
        ("symbol Shop.pay must exist", "holds"),
        ("symbol pay must not exist in src/**", "broken at src/a.py:4, src/b.py:3"),
        ("symbol buy must exist in src/*.ts", "holds"),
        ("symbol lost must exist in src/**", "broken: nothing defines lost"),
        ("symbol lost must not exist in src/**", "holds"),
        ("symbol lost must exist in *.md", "unknown: no file is in *.md"),
        ("dependency requests must not appear", "broken at pyproject.toml:3"),
        ("dependency Requests must appear", "holds"),
        ("dependency flask must appear", "broken: no manifest lists flask"),
        ("dependency flask must not appear", "holds"),
        ("dependency flask must not appear in src/**", "unknown: there is no pyproject.toml"),
        ("file LICENSE must exist", "holds"),
        ("file LICENSE, COPYING must exist", "broken at COPYING: there is no such file"),
        ("file *.lock must exist", "broken: there is no such file"),
        ("file *.lock must not exist", "holds"),
        ("file src/*.py must not exist", "broken at src/a.py, src/b.py"),
        ("command: true", "unknown: a command runs only in 'verify'"),
        ("grammar of a later version", "unknown: this is no check"),
    ],
)
def test_built_in_checks(tree: Path, text: str, words: str) -> None:
    assert said(tree, text).startswith(words)


def test_checks_that_read_the_same_file_do_not_disturb_each_other(tree: Path) -> None:
    wanted = {
        "must not match `print` in src/a.py": "broken at src/a.py:5",
        "src/a.py must not import os": "broken at src/a.py:1",
        "symbol pay must exist in src/a.py": "holds",
        "dependency requests must not appear": "broken at pyproject.toml:3",
        "dependency flask must not appear": "holds",
        "dependency django must appear": "broken: no manifest lists django",
    }
    two_files = Effort(files=2, size=10_000, seconds=1.0)
    tools = replace(ports_of(tree).tools(Change(), has_commands=False), effort=two_files)

    found = evaluate(wanted, tools=tools)

    for text, words in wanted.items():
        assert found[text].words.startswith(words)


@requirement("checks.never-a-false-holds")
def test_without_the_package_for_patterns_their_checks_are_unknown(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "re2", None)

    assert said(tree, "must not match `eval` in src/*.py") == f"unknown: {linear.NOT_INSTALLED}"
    assert said(tree, "src/*.py must not import lost") == "holds"


@requirement("checks.bounded")
@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(a|a)*b", "(.*)*x", "(?:a?){30}a{30}b", "([a-z]+)*Z", "(x+x+)+y"]
)
def test_a_pattern_that_explodes_elsewhere_ends(tree: Path, pattern: str) -> None:
    (tree / "src" / "long.txt").write_text("a" * 200_000)

    assert said(tree, f"must not match `{pattern}` in src/long.txt").split()[0] in {
        "holds",
        "broken",
    }


@requirement("checks.bounded")
def test_many_patterns_that_keep_states_alive_are_given_up(tree: Path) -> None:
    letters = random.Random(1).choices("ab", k=200_000)  # noqa: S311 - no secret
    (tree / "src" / "long.txt").write_text("".join(letters))
    shape = "must not match `[ab]*a{letters}c{number}` in src/long.txt"
    texts = [shape.format(letters="[ab]" * (number % 20), number=number) for number in range(400)]

    found = ports_of(tree).brief(texts)

    assert {one.words for one in found.values()} == {
        "unknown: src/long.txt: the patterns take too long here"
    }


@requirement("checks.bounded")
def test_a_set_that_outgrows_its_memory_is_searched_one_by_one(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linear, "_SET_MEMORY", 4_096)
    texts = [f"must not match `[a-z]+{number}.*x` in src/a.py" for number in range(200)]
    texts.append("must not match `print` in src/a.py")

    found = evaluate(texts, tools=ports_of(tree).tools(Change(), has_commands=False))

    assert found[texts[-1]].words == "broken at src/a.py:5"
    assert {one.words for text, one in found.items() if text != texts[-1]} == {"holds"}


@requirement("checks.never-a-false-holds")
@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"a\0b", "it is binary"),
        (b"caf\xe9", "it is not UTF-8 text"),
        (b"x" * (LARGEST_CHECKED + 1), "it is larger than 1,024 KiB"),
    ],
)
def test_a_file_that_is_no_text_makes_the_outcome_unknown(
    tree: Path, content: bytes, why: str
) -> None:
    (tree / "src" / "odd.py").write_bytes(content)

    assert said(tree, "must not match `eval` in src/*.py") == f"unknown: src/odd.py: {why}"
    assert said(tree, "must not match `print` in src/*.py") == "broken at src/a.py:5"
    assert said(tree, "src/*.py must not import lost").startswith("unknown: src/odd.py")
    assert said(tree, "symbol lost must exist in src/*.py").startswith("unknown: src/odd.py")


@requirement("checks.never-a-false-holds")
@pytest.mark.parametrize("name", ["utf-7", "unicode_escape", "rot13"])
def test_a_file_that_python_decodes_otherwise_is_unknown(tree: Path, name: str) -> None:
    (tree / "src" / "c.py").write_text(f"# coding: {name}\nvzcbeg bf\n")

    why = f"unknown: src/c.py:1 declares the encoding {name}"
    assert said(tree, "src/c.py must not import os") == why
    assert said(tree, "must not match `import` in src/c.py") == why
    assert said(tree, "symbol os must not exist in src/c.py") == why


@requirement("checks.never-a-false-holds")
def test_a_language_without_a_parser_is_unknown_if_it_has_the_name(tree: Path) -> None:
    (tree / "src" / "a.zig").write_text("const evil = 1;\n")
    (tree / "src" / "logo.png").write_bytes(b"\0evil")
    (tree / "src" / "b.zig").write_text("const café = 1;\n", encoding="utf-8")

    text = "symbol {} must not exist in src/**"
    assert said(tree, text.format("good")) == "holds"
    why = "unknown: src/a.zig: its symbols could not be read"
    assert said(tree, text.format("evil")) == why


@requirement("checks.built-in")
def test_without_any_manifest_no_package_is_listed(tree: Path) -> None:
    for manifest in ("pyproject.toml", "package.json", "requirements.txt"):
        (tree / manifest).unlink(missing_ok=True)

    assert said(tree, "dependency flask must not appear") == "holds"
    outcome = "dependency flask must appear"
    assert said(tree, outcome).startswith("unknown: there is no pyproject.toml")
    (tree / "setup.py").write_text("setup(install_requires=['flask'])\n", encoding="utf-8")
    why = said(tree, "dependency flask must not appear")
    assert why.startswith("unknown: there is no pyproject.toml")
    assert why.endswith("and setup.py is not read")


@requirement("checks.never-a-false-holds")
def test_code_and_manifests_that_cannot_be_parsed_are_unknown(tree: Path) -> None:
    (tree / "src" / "odd.py").write_text("import lost\ndef (:\n")
    (tree / "package.json").write_text("{")

    why = "it is no Python that can be parsed"
    assert said(tree, "src/*.py must not import lost") == f"unknown: src/odd.py: {why}"
    assert said(tree, "symbol lost must exist in src/*.py") == f"unknown: src/odd.py: {why}"
    assert said(tree, "dependency flask must not appear").startswith("unknown: package.json")


@requirement("checks.never-a-false-holds")
@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("requirements.txt", "x\ngit+https://x.org/flask.git\n", "requirements.txt:2 mentions it"),
        ("package.json", '{"overrides": {"fl\\u0061sk": "1"}}', "package.json mentions it"),
        ("requirements.txt", "-r ../up.txt", "requirements.txt: it includes ../up.txt, which"),
        ("web/pyproject.toml", '[project]\ndynamic=["dependencies"]', "web/pyproject.toml: a bui"),
    ],
)
def test_a_package_that_may_come_otherwise_is_unknown(
    tree: Path, name: str, text: str, words: str
) -> None:
    (tree / name).parent.mkdir(exist_ok=True)
    (tree / name).write_text(text)

    assert said(tree, "dependency flask must not appear").startswith(f"unknown: {words}")
    assert said(tree, "dependency flask must appear").startswith(f"unknown: {words}")


def test_included_requirements_are_followed(tree: Path) -> None:
    (tree / "requirements.txt").write_text("-r deps/base.in\n")
    (tree / "deps").mkdir()
    (tree / "deps" / "base.in").write_text("-r ../requirements.txt\nattrs\nflask>=1\n")

    assert said(tree, "dependency flask must not appear") == "broken at deps/base.in:3"
    assert said(tree, "dependency lost must not appear") == "holds"


@requirement("checks.never-a-false-holds")
def test_links_are_not_followed(tree: Path) -> None:
    outside = tree.parent / "secret"
    outside.mkdir()
    (outside / "key.py").write_text("eval\n")
    (tree / "src" / "link.py").symlink_to(outside / "key.py")
    (tree / "linked").symlink_to(outside)
    git(tree, "add", "--all")

    link = "it is a symbolic link or no regular file"
    assert said(tree, "must not match `eval` in src/*.py") == f"unknown: src/link.py: {link}"
    folder = "unknown: linked: it is a link to a folder, which is not looked at"
    staged = Change(kind=ChangeRange.STAGED)
    for text in (
        "must not match `lost` in linked/**",
        "must not match `lost` in **/*.pyx, linked/*.py",
        "linked/*.py must not import lost",
        "file linked/key.py must not exist",
        "symbol lost must not exist in src/a.py, linked/**/*.py",
        "dependency lost must not appear",
    ):
        assert said(tree, text) == folder
    assert said(tree, "linked/*.py must not import lost", staged) == folder
    assert said(tree, "dependency lost must not appear in !linked/**") == "holds"
    assert said(tree, "src/a.py must not import lost") == "holds"
    assert said(tree, "file src/a.py, linked/** must exist") != folder


@requirement("checks.never-a-false-holds")
@pytest.mark.parametrize("is_added", [True, False])
def test_a_repository_within_the_repository_is_unknown(tree: Path, *, is_added: bool) -> None:
    git(tree, "init", "-q", str(tree / "src" / "own"))
    (tree / "src" / "own" / "x.py").write_text("import lost\n")
    git(tree / "src" / "own", "add", "--all")
    git(tree / "src" / "own", "commit", "-q", "-m", "Own")
    if is_added:
        git(tree, "add", "src/own")

    why = "unknown: src/own: it is a repository of its own, which is not looked at"
    assert said(tree, "src/**/*.py must not import lost") == why
    assert said(tree, "must not match `lost` in src/*/x.py") == why
    assert said(tree, "src/*.py must not import lost") == "holds"
    assert said(tree, "src/**/*.py, !src/own/** must not import lost") == "holds"
    kind = ChangeRange.STAGED if is_added else ChangeRange.CHANGED
    assert said(tree, "src/*/*.py must not import lost", Change(kind=kind)) == why


@requirement("checks.never-a-false-holds")
def test_a_file_that_disappears_or_is_too_much_is_unknown(tree: Path) -> None:
    (tree / "src" / "b.py").unlink()
    tools = ports_of(tree).tools(Change(), has_commands=False)
    few = replace(tools, effort=Effort(files=1, size=10, seconds=1.0))
    text = "must not match `eval` in src/*"

    assert said(tree, text) == "holds"
    assert "more than 1 files" in evaluate([text], tools=few)[text].why


def test_newlines_of_other_systems_are_lines(tree: Path) -> None:
    (tree / "src" / "dos.py").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\nthree\r\n")

    assert said(tree, "must not match `^two$` in src/dos.py") == "broken at src/dos.py:2"
    assert said(tree, "must not match `^one$` in src/dos.py") == "broken at src/dos.py:1"

    assert said(tree, "must not match `^$` in src/dos.py") == "holds"


@requirement("checks.never-a-false-holds")
@pytest.mark.parametrize(
    ("code", "check"),
    [
        ("im\\\nport os\n", "src/odd.py must not import os"),
        ("import o\\\ns\n", "src/odd.py must not import os"),
        ("def e\\\nvil(): ...\n", "symbol evil must not exist in src/odd.py"),
    ],
)
def test_a_name_that_a_backslash_parts_is_unknown(tree: Path, code: str, check: str) -> None:
    (tree / "src" / "odd.py").write_text(code, encoding="utf-8")

    assert said(tree, check).startswith("unknown: src/odd.py")


@requirement("checks.of-a-change")
def test_a_change_limits_what_is_read(tree: Path) -> None:
    changed = Change(kind=ChangeRange.CHANGED)
    text = "must not match `print` in src/**"

    assert said(tree, text, changed) == "not concerned"
    assert said(tree, "dependency requests must not appear", changed) == "not concerned"
    assert said(tree, "symbol lost must exist in src/*.py", changed) == "not concerned"

    (tree / "src" / "b.py").write_text("print\n")
    (tree / "src" / "new.py").write_text("print\n")

    assert said(tree, text, changed) == "broken at src/b.py:1, src/new.py:1"
    assert said(tree, "symbol Shop must exist in src/*.py", changed).startswith("broken")
    assert said(tree, "file NOTICE must exist", changed) == "not concerned"
    assert said(tree, "src/a.py must not import os", changed) == "not concerned"


@requirement("checks.of-a-change")
def test_a_removed_file_is_part_of_the_change(tree: Path) -> None:
    (tree / "LICENSE").unlink()

    words = said(tree, "file LICENSE must exist", Change(kind=ChangeRange.CHANGED))

    assert words == "broken at LICENSE: there is no such file"


@requirement("checks.of-a-change")
def test_staged_versions_are_read_from_the_index(tree: Path) -> None:
    staged = Change(kind=ChangeRange.STAGED)
    (tree / "src" / "b.py").write_text("print\n")
    git(tree, "add", "src/b.py")
    (tree / "src" / "b.py").write_text("clean\n")
    (tree / "src" / "new.py").write_text("print\n")

    assert said(tree, "must not match `print` in src/**", staged) == "broken at src/b.py:1"
    assert said(tree, "file src/new.py must not exist", staged) == "not concerned"
    assert said(tree, "file src/b.py must exist", staged) == "holds"
    assert said(tree, "symbol pay must exist in src/**", staged) == "holds"


@requirement("checks.of-a-change")
def test_staged_files_before_the_first_commit(tmp_path: Path) -> None:
    root = tmp_path / "new"
    git(tmp_path, "init", "-q", str(root))
    (root / "a.py").write_text("print\n")
    text = "must not match `print` in **"

    assert said(root, text, Change(kind=ChangeRange.CHANGED)) == "broken at a.py:1"

    git(root, "add", "--all")

    assert said(root, text, Change(kind=ChangeRange.STAGED)) == "broken at a.py:1"
    assert said(root, text, Change(kind=ChangeRange.CHANGED)) == "broken at a.py:1"


@requirement("checks.of-a-change")
def test_a_revision_begins_the_change(tree: Path) -> None:
    (tree / "src" / "b.py").write_text("print\n")
    git(tree, "mv", "src/plain.md", "src/moved.md")
    git(tree, "commit", "-q", "--all", "-m", "Print")
    since = Change(kind=ChangeRange.SINCE, since="HEAD~1")

    assert said(tree, "must not match `print` in src/*.py", since) == "broken at src/b.py:1"
    assert said(tree, "file src/plain.md must exist", since).startswith("broken")
    for odd in ("lost", "-x", "", "a\0b"):
        with pytest.raises(NoSuchRevisionError):
            said(tree, "file a must exist", Change(kind=ChangeRange.SINCE, since=odd))


@requirement("checks.never-a-false-holds")
def test_an_unmerged_file_is_unknown(tree: Path) -> None:
    git(tree, "checkout", "-q", "-b", "side")
    (tree / "src" / "b.py").write_text("one\n")
    git(tree, "commit", "-q", "--all", "-m", "One")
    git(tree, "checkout", "-q", "main")
    (tree / "src" / "b.py").write_text("two\n")
    git(tree, "commit", "-q", "--all", "-m", "Two")
    git(tree, "merge", "side", check=False)

    words = said(tree, "must not match `eval` in src/b.py", Change(kind=ChangeRange.STAGED))

    assert words == "unknown: src/b.py: a merge left several versions of it"


def test_a_brief_run_says_why_nothing_was_run(tree: Path, tmp_path: Path) -> None:
    bare = check_ports(None, repo=lambda: None, state=str(tmp_path), seconds=lambda: 1.0)

    assert bare.brief([]) == {}
    (found,) = bare.brief(["file a must exist"]).values()
    assert found.words == "unknown: there is no repository here"
    with pytest.raises(NoHistoryError):
        bare.tools(Change(), has_commands=False)


@requirement("checks.bounded")
def test_a_brief_run_for_some_files_leaves_the_others_aside(tree: Path) -> None:
    (tree / ".gitignore").write_text("built/\n")
    (tree / "built").mkdir()
    (tree / "built" / "app").write_text("x")
    wanted = {
        "must not match `print` in src/**": "holds",
        "file LICENSE must exist": "not concerned",
        "file src/b.py must not exist": "broken at src/b.py",
        "file src/b.py, built/app must exist": "holds",
    }

    found = ports_of(tree).brief(wanted, only={"src/b.py"})

    for text, words in wanted.items():
        assert found[text].words.startswith(words)


def test_only_a_nested_repository_within_its_paths_makes_a_check_unknown(tree: Path) -> None:
    git(tree, "init", "--quiet", "vendor")
    (tree / "vendor" / "a.py").write_text("print(1)\n", encoding="utf-8")
    git(tree / "vendor", "add", "a.py")
    git(tree / "vendor", "commit", "--quiet", "--message", "Begin")
    away, within = "file src/none.py must not exist", "file vendor/none.py must not exist"

    found = ports_of(tree).brief([away, within])

    assert (found[away].state, found[within].state) == (CheckState.HOLDS, CheckState.UNKNOWN)


def test_a_brief_run_survives_a_broken_repository(tree: Path) -> None:
    (tree / ".git" / "index").write_bytes(b"broken")

    (found,) = ports_of(tree).brief(["file a must exist"]).values()

    assert found.state is CheckState.UNKNOWN
    with pytest.raises(UnavailableError):
        said(tree, "file a must exist")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_rights_is_unknown(tree: Path) -> None:  # pragma: no cover
    (tree / "src" / "b.py").chmod(0)

    assert said(tree, "must not match `eval` in src/b.py").startswith("unknown")
