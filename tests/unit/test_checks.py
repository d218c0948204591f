"""Checks: how their texts, paths, manifests and code are read."""

from __future__ import annotations

import pytest

from holdfast.domain.checks.check import (
    FORMS,
    checks_in,
    concerned,
    is_command,
    read_check,
    read_checks,
    with_checks,
)
from holdfast.domain.checks.kinds import (
    CommandCheck,
    DependencyCheck,
    FileCheck,
    ImportCheck,
    PatternCheck,
    SymbolCheck,
)
from holdfast.domain.checks.manifests import is_manifest, listed
from holdfast.domain.checks.mentions import included, leaves_open, mentions, words_of
from holdfast.domain.checks.outcome import Breach, aside, broken, holds, unknown
from holdfast.domain.checks.paths import matcher, read_paths
from holdfast.domain.checks.python_code import (
    imports_of,
    is_named,
    may_import,
    odd_encoding,
    symbols_of,
    tree_of,
)
from holdfast.domain.errors import BadFieldError
from tests.requirements import requirement

READABLE = {
    "must not match `print\\(` in src/**/*.py, !src/old/**": PatternCheck,
    "must match SPDX in src/": PatternCheck,
    'must not match "a`b" in **': PatternCheck,
    "symbol App.run must exist": SymbolCheck,
    "symbol a::b must not exist in src/**": SymbolCheck,
    "src/domain/** must not import shop.adapters, requests": ImportCheck,
    "dependency left-pad must not appear": DependencyCheck,
    "dependency @types/node must appear in web/**": DependencyCheck,
    "file setup.py must not exist": FileCheck,
    "file LICENSE, README.md must exist": FileCheck,
    "command: make lint && make types": CommandCheck,
    "command in src/**: make lint": CommandCheck,
}
UNREADABLE = (
    "",
    "make lint",
    "must not match `x`",
    "must not match `x` in ../secrets/**",
    "must not match `x` in /etc/passwd",
    "must not match `x` in src//a",
    "must not match `x` in a[b].py",
    "must match in src/**",
    "symbol  must exist",
    "src/** must not import a b",
    "dependency must not appear",
    "file must exist",
    "command:",
    "command:   ",
    "COMMAND: ls",
    "must not match `x` in a\nb",
    "must not match `" + "x" * 501 + "` in **",
    "command: " + "x" * 1_000,
    "src/** must not import " + "," * 500,
    "must not match `x` in " + ", ".join(["a"] * 17),
)


@requirement("checks.readable-text")
@pytest.mark.parametrize(("text", "kind"), READABLE.items())
def test_a_check_is_one_line_that_people_write(text: str, kind: type) -> None:
    check = read_check(f"  {text} ")

    assert type(check) is kind
    assert check.text == text


@requirement("checks.readable-text")
@pytest.mark.parametrize("text", UNREADABLE)
def test_a_text_that_is_no_check_is_refused(text: str) -> None:
    with pytest.raises(BadFieldError, match="check"):
        read_check(text)


def test_every_form_of_the_help_has_a_reader() -> None:
    words = {"PATTERN": "x", "PATHS": "src/**", "NAME": "x", "MODULE, …": "x", "TEXT": "ls"}
    for form in FORMS:
        text = form.replace("[not] ", "").replace("[in PATHS]", "in PATHS")
        text = text.replace("[at run time]", "at run time")
        for name, word in words.items():
            text = text.replace(name, word)
        assert read_check(text).text == text


def test_checks_of_a_memory_are_few_and_distinct() -> None:
    assert read_checks(["file a must exist", " file a must exist"]) == ("file a must exist",)
    with pytest.raises(BadFieldError, match="9 times"):
        read_checks([f"file {number} must exist" for number in range(9)])


def test_checks_are_kept_beside_other_metadata() -> None:
    kept = with_checks({"a": 1}, ["file a must exist"])

    assert checks_in(kept) == ("file a must exist",)
    assert with_checks(kept, ()) == {"a": 1}
    assert checks_in({"holdfast.checks": "no list"}) == ()
    assert checks_in({"holdfast.checks": [1, "x"]}) == ("x",)


def test_a_change_concerns_the_checks_of_its_files() -> None:
    assert concerned("must not match `x` in src/**", ["src/a.py"])
    assert not concerned("must not match `x` in src/**", ["docs/a.md"])
    assert not concerned("command: make", ["src/a.py"])
    assert concerned("command in src/**: make", ["src/a.py"])
    assert not concerned("dependency x must appear", ["src/a.py"])
    assert concerned("dependency x must appear", ["go.mod"])
    assert not concerned("nonsense", ["src/a.py"])


def test_a_command_is_recognised_however_it_is_written() -> None:
    assert is_command("  Command : ls")
    assert is_command("command at night: ls")
    assert not is_command("file a must exist")
    assert not is_command("commands/** must not import os")


@pytest.mark.parametrize(
    ("glob", "path", "is_taken"),
    [
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "src/b/a.py", True),
        ("src/**/*.py", "srcs/a.py", False),
        ("src/**/*.py", "src/.py", True),
        ("s?c/**/*.py", "src/a/b.py", True),
        ("s?c/**/*.py", "docs/a/b.py", False),
        ("ap**/*.py", "app/a.py", True),
        ("ap**/*.py", "app/deep/a.py", False),
        ("**/*.py", "a.py", True),
        ("*.py", "a/b.py", False),
        ("a/*/c?.py", "a/x/cd.py", True),
        ("**/tests/**/x*.py", "a/tests/b/c/xy.py", True),
        ("**/tests/**/x*.py", "tests/xy.py", True),
        ("**/tests/**", "a/tests/b", True),
        ("a/**/b/**/c", "a/q/b/r/c", True),
        ("a/**/b/**/c", "a/c", False),
        ("a/**/**/c", "a/c", True),
        ("*a*b", "xxaxxb", True),
        ("*a*b", "xxaxxbz", False),
        ("src/**", "src/a", True),
        ("**", "anything/at/all", True),
        ("a.py", "a.py", True),
        ("a.py", "b/a.py", False),
    ],
)
def test_globs_take_paths(glob: str, path: str, *, is_taken: bool) -> None:
    assert matcher(glob)(path) is is_taken


@requirement("checks.bounded")
def test_a_glob_never_explodes() -> None:
    wild = "/".join(["*a*a*a*a*a*a*a*a*b"] * 3)

    assert not matcher(wild)("/".join(["a" * 250] * 3))
    assert not matcher("**/*a*/**/*a*/**/*a*/**/b")("/".join(["a" * 20] * 60) + "/c")


def test_paths_may_only_exclude() -> None:
    choice = read_paths("!docs/**")

    assert choice.takes("src/a.py")
    assert not choice.takes("docs/a.md")
    assert choice.words == "**, !docs/**"


@pytest.mark.parametrize(
    ("text", "is_reached"),
    [
        *(("src/**", True), ("**", True), ("**/*.py", True), ("src/lib/*.py", True)),
        *(("src/*/a.py", True), ("src/*.py", False), ("src/lib", False), ("docs/**", False)),
        *(("src/**/lib/**/x", True), ("src/**, !src/lib/**", False), ("**, !src/**", False)),
        *(("src/**, !src/lib/*.md", True), ("src/lib/in/a.py", True), ("***/x", True)),
    ],
)
def test_a_choice_knows_the_folders_it_may_reach(text: str, *, is_reached: bool) -> None:
    assert read_paths(text).reaches("src/lib") is is_reached


PYPROJECT = """
[project]
dependencies = ["Left_Pad[x]>=1; python_version>'3'", 3]
[project.optional-dependencies]
a = ["b"]
[dependency-groups]
d = ["e", {x = 1}]
[tool.poetry.dependencies]
f = "1"
[tool.poetry.group.g.dependencies]
h = "1"
[build-system]
requires = ["i"]
[tool.uv]
dev-dependencies = ["j"]
[tool.pdm.dev-dependencies]
k = ["l"]
[tool.hatch.envs]
odd = 1
[tool.hatch.envs.m]
dependencies = ["n"]
extra-dependencies = ["o"]
"""
MANIFESTS = {
    "pyproject.toml": (PYPROJECT, {"left-pad", *"befhijlno"}),
    "deep/requirements-dev.txt": (
        "# c\nleft.pad==1 # x\n-r other.txt\ngit+https://x/y#egg=z\n\n===\n",
        {"left-pad", "z"},
    ),
    "package.json": (
        '{"dependencies": {"@a/B": "1", "c": "npm:d@1", "e": "npm:@f/g@1"},\n'
        + '"devDependencies": 3, "bundledDependencies": ["h"]}',
        {"@a/b", "c", "d", "e", "@f/g", "h"},
    ),
    "go.mod": (
        "module x\nrequire example.org/a v1\nrequire (\n\texample.org/b v2 // i\n)\n",
        {"example.org/a", "example.org/b"},
    ),
    "deep/go.mod": (
        'require "x.org/a" v1\nrequire ( x.org/b v2 )\nexclude x.org/c v1\n'
        + "replace x.org/d => x.org/e v1 // x.org/f v1\n",
        {"x.org/a", "x.org/b", "x.org/e"},
    ),
    "deep/Cargo.toml": ('[dev_dependencies]\na = "1"\n', {"a"}),
    "Cargo.toml": (
        'cargo-features = ["x"]\n[package]\nname = "own"\n'
        + '[dependencies]\na = "1"\nb = {package = "c"}\n[target.x.dev-dependencies]\nd = "1"\n',
        {"a", "c", "d"},
    ),
}


@pytest.mark.parametrize("path", MANIFESTS)
def test_manifests_list_their_packages(path: str) -> None:
    text, names = MANIFESTS[path]

    assert is_manifest(path)
    assert listed(path, text) == names


@requirement("checks.never-a-false-holds")
@pytest.mark.parametrize(
    ("path", "text", "is_mentioned"),
    [
        ("requirements.txt", "git+https://x.org/y/requests.git", True),
        ("requirements.txt", "https://x.org/Requests-2.0-py3-none-any.whl", True),
        ("requirements.txt", "# requests\nflask # requests", False),
        ("requirements.txt", "requests-oauthlib\ntypes-requests\nx.requests.y", False),
        ("pyproject.toml", '[tool.odd]\nextra = [{a = "requests>=1"}]', True),
        ("pyproject.toml", "[tool.odd.requests]", True),
        ("pyproject.toml", '# requests\n[project]\nname = "requests"', False),
        ("pyproject.toml", '[tool.poetry]\ndescription = "requests"', False),
        ("package.json", '{"overrides": {"requests": "1"}}', True),
        ("package.json", '{"a": "github:b/requests", "c": 1}', True),
        ("package.json", '{"dependencies": {"@types/requests": "1"}}', False),
        ("go.mod", "tool x.org/requests", True),
        ("go.mod", "// requests", False),
        ("Cargo.toml", '[patch.x]\nrequests = "1"', True),
    ],
)
def test_a_manifest_mentions_a_package(path: str, text: str, *, is_mentioned: bool) -> None:
    assert mentions(words_of(path, text), "requests") is is_mentioned


def test_a_name_with_a_path_is_mentioned_whole() -> None:
    assert mentions(words_of("go.mod", "tool x.org/a/cmd"), "x.org/a")
    assert not mentions(words_of("go.mod", "tool x.org/ab"), "x.org/a")
    assert mentions(words_of("package.json", '{"overrides": {"@a/b": "1"}}'), "@a/b")


def test_requirements_include_other_files() -> None:
    text = "-r a.txt # x\n--requirement=b.txt\n-rc.txt\n-r \\\n 'd.txt'\n-c e.txt\n# -r f.txt\n"

    assert list(included(text)) == ["a.txt", "b.txt", "c.txt", "d.txt"]


def test_dynamic_dependencies_are_left_open() -> None:
    assert leaves_open("a/pyproject.toml", '[project]\ndynamic = ["dependencies"]')
    assert not leaves_open("pyproject.toml", '[project]\ndynamic = ["version"]')
    assert not leaves_open("pyproject.toml", "project = 1")
    assert not leaves_open("Cargo.toml", "")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pyproject.toml", "["),
        ("package.json", "[" * 100_000),
        ("package.json", "{"),
        ("package.json", '{"dependencies": {"left-pad": "1"}, "dependencies": {}}'),
        ("Cargo.toml", "a = {" * 5_000),
    ],
)
def test_a_broken_manifest_is_a_value_error(path: str, text: str) -> None:
    with pytest.raises(ValueError, match=".*"):
        listed(path, text)
    with pytest.raises(ValueError, match=".*"):
        words_of(path, text)


@requirement("checks.never-a-false-holds")
def test_a_deep_table_is_read_or_refused_and_never_passed_over() -> None:
    deep = f"[{'.'.join('abcdefghijklmnop')}.dependencies]\nevil = '1'\n"

    assert listed("Cargo.toml", deep) == {"evil"}
    with pytest.raises(ValueError, match=".*"):
        listed("Cargo.toml", f"[{'.'.join(['a'] * 5_000)}.dependencies]\nevil = '1'\n")


def test_package_json_may_be_a_list() -> None:
    assert listed("package.json", "[]") == set()


CODE = """
import os.path, a.b as c
from shop import adapters
from . import near
from ..up.x import y
def f():
    import inner
class Shop:
    size: int = 1
    name, other = 1, 2
    async def pay(self): ...
TOP = 1
"""


def test_imports_are_read_wherever_they_stand() -> None:
    found = {one.module: one for one in imports_of(tree_of(CODE), "src/shop/web/view.py")}

    assert {"os.path", "a.b", "shop", "shop.adapters", "inner", "src.shop.web.near"} <= set(found)
    assert found["src.shop.up.x.y"].is_of("shop.up")
    assert found["shop.adapters"].is_of("shop.adapters")
    assert not found["shop.adapters"].is_of("hop.adapters")
    assert not found["shop.adapters"].is_of("shop.adapter")
    assert found["inner"].line == 7


def test_imports_for_type_checkers_are_left_out_at_run_time() -> None:
    code = "if t.TYPE_CHECKING:\n  import a\nelse:\n  import b\nif x():\n  import c\nimport d"

    found = imports_of(tree_of(code), "src/a.py", at_run_time=True)

    assert sorted(one.module for one in found) == ["b", "c", "d"]
    assert len(list(imports_of(tree_of(code), "src/a.py"))) == 4


def test_a_relative_import_is_named_from_the_checked_module_on() -> None:
    near = list(imports_of(tree_of("from .core import x"), "src/shop/a.py"))

    assert [one.named("shop.core") for one in near] == ["shop.core", "shop.core.x"]


def test_a_relative_import_without_a_folder_is_read() -> None:
    assert [one.module for one in imports_of(tree_of("from . import x"), "a.py")] == ["x"]


BY_NAME = """
importlib.import_module("os.path")
__import__("o" "s")
import_module(name="json")
import_module(".near", "shop")
import_module(f"x{y}")
__import__()
call("xml")
"""


def test_an_import_by_a_literal_name_counts() -> None:
    found = [(one.module, one.line) for one in imports_of(tree_of(BY_NAME), "a.py")]

    assert sorted(found) == [("json", 4), ("os", 3), ("os.path", 2), ("shop.near", 5)]
    assert may_import(BY_NAME, "nothing.of.it")


@requirement("checks.never-a-false-holds")
@pytest.mark.parametrize(
    ("call", "module", "is_near"),
    [
        ('import_module(".db", "shop")', "shop.db", False),
        ('import_module("..db", package="shop.web")', "shop.db", False),
        ('import_module(".", "shop.db")', "shop.db", False),
        ('import_module(".db", package=__package__)', "src.shop.db", True),
        ('import_module("..db", __spec__.parent)', "src.db", True),
        ('import_module(".db", __name__)', "src.shop.a.db", True),
        ('import_module(".db", package)', "db", True),
        ('import_module("....db", __package__)', "db", True),
        ('import_module(f"shop.db")', "shop.db", False),
        ("import_module(f\"shop.{'db'}\")", "shop.db", False),
        ('import_module("shop" + ".db")', "shop.db", False),
        ('__import__("shop", fromlist=("db", x))', "shop.db", False),
        ('__import__("shop", g, l, ["db"])', "shop.db", False),
        ('__import__("db", g, l, [], 1)', "src.shop.db", True),
        ('__import__("", globals(), locals(), ["db"], 1)', "src.shop.db", True),
        ('__import__("", g, l, fromlist=["db"], level=2)', "src.db", True),
        ('__import__("", g, l, ["db"], 9)', "db", True),
        ('__import__("" + "", g, l, ["d" + "b"], 1)', "src.shop.db", True),
        ('import_module("shop.db" + "")', "shop.db", False),
        ("import_module(f\"shop.{''}db\")", "shop.db", False),
        ("import_module(f\"shop.{'db'!s}\")", "shop.db", False),
        ('import_module(".db", "" + "shop")', "shop.db", False),
    ],
)
def test_an_import_by_words_that_are_written_in_the_code_counts(
    call: str, module: str, *, is_near: bool
) -> None:
    found = {(one.module, one.is_near) for one in imports_of(tree_of(call), "src/shop/a.py")}

    assert (module, is_near) in found


@requirement("checks.never-a-false-holds")
def test_an_import_by_a_name_of_a_thousand_parts_counts() -> None:
    parts = " + ".join(['"shop.db"', *['""'] * 1_500])

    found = imports_of(tree_of(f"import_module({parts})"), "a.py")

    assert [one.module for one in found] == ["shop.db"]


@pytest.mark.parametrize(
    "call",
    [
        'import_module(f"{x}")',
        'import_module("a" + x)',
        "import_module(*x)",
        "f[0](x)",
        '__import__("", g, l, ["db"])',
        "import_module(f\"a{'b'!r}\")",
    ],
)
def test_an_import_by_a_computed_name_is_not_seen(call: str) -> None:
    assert list(imports_of(tree_of(call), "a.py")) == []


def test_a_call_in_a_package_itself_starts_from_it() -> None:
    tree = tree_of('import_module(".db", __name__)')

    assert [one.module for one in imports_of(tree, "shop/__init__.py")] == ["shop.db"]


def test_an_import_by_a_function_of_another_name_counts() -> None:
    text = "from importlib import import_module as load\nload('os')\nother('xml')\n"
    found = {one.module for one in imports_of(tree_of(text), "a.py")}

    assert found == {"importlib", "importlib.import_module", "os"}


BOUND = (
    *("evil, b = 1, 2", "[a, *evil] = x", "f((evil := 3))", "from m import z as evil", "evil += 1"),
    *("for evil in x: pass", "with x as evil: pass", "import z as evil", "evil: int"),
    *("try: pass\nexcept E as evil: pass", "match x:\n case [*evil]: pass"),
    *("match x:\n case {**evil}: pass", "match x:\n case evil: pass", "def f():\n evil = 1"),
)


@requirement("checks.never-a-false-holds")
@pytest.mark.parametrize("code", BOUND)
def test_every_way_to_assign_a_name_makes_a_symbol(code: str) -> None:
    assert any(is_named(name, "evil") for name, _ in symbols_of(tree_of(code)))


@pytest.mark.parametrize("code", ["evil()", "from m import evil", "x = evil", "def f(evil): ..."])
def test_a_use_of_a_name_makes_no_symbol(code: str) -> None:
    assert not any(is_named(name, "evil") for name, _ in symbols_of(tree_of(code)))


@requirement("checks.never-a-false-holds")
@pytest.mark.parametrize(
    ("content", "odd"),
    [
        (b"# coding: utf-7\n", ("utf-7", 1)),
        (b"#!/bin/python\n# -*- coding=unicode_escape -*-\n", ("unicode_escape", 2)),
        (b"\n \x0c# vim: fileencoding: rot13", ("rot13", 2)),
        (b"x = 1\n# coding: utf-7\n", None),
        (b"\n\n# coding: utf-7\n", None),
        (b"# coding: UTF_8\n# coding: utf-7\n", None),
        (b"# coding: utf-8-unix", None),
        (b"# coding: latin-1", None),
        (b"# coding:\n", None),
        (b"", None),
    ],
)
def test_an_encoding_that_changes_the_text_is_found(
    content: bytes, odd: tuple[str, int] | None
) -> None:
    assert odd_encoding(content) == odd


def test_symbols_have_qualified_names() -> None:
    names = dict(symbols_of(tree_of(CODE)))

    assert names["Shop.pay"] == 11
    assert {"f", "Shop", "Shop.size", "TOP"} <= set(names)
    assert is_named("Shop.pay", "pay")
    assert is_named("Shop::pay", "Shop.pay")
    assert not is_named("repay", "pay")


@pytest.mark.parametrize("text", ["def", "(" * 500, "-" * 100_000 + "1", "a\0b"])
def test_code_that_cannot_be_parsed_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=".*"):
        tree_of(text)


def test_a_file_is_parsed_only_if_it_may_import_the_module() -> None:
    assert may_import("import a.b", "a.b")
    assert not may_import("import c", "a.b")
    assert may_import("import ﬁle", "file")
    assert may_import("im\\\nport a.b", "a.b")


def test_outcomes_in_words() -> None:
    places = [Breach(path="a.py", line=number) for number in range(1, 60)]

    assert broken("x", places).words == "broken at a.py:1, a.py:2, a.py:3 and 56 more"
    assert broken("x", [], "exit code 1").words == "broken: exit code 1"
    assert unknown("x", "no idea").words == "unknown: no idea"
    assert (holds("x").words, aside("x").words) == ("holds", "not concerned")
    assert Breach(path="a").place == "a"
