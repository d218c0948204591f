"""Symbols by their name or place, and who calls whom."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.domain.code.code import Neighbour, Relation, SymbolPlace
from tests.adapters.small_project import FILES, Project
from tests.requirements import requirement


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    project = Project(tmp_path, FILES)
    yield project
    project.index.close()


def names(project: Project, reference: str, limit: int = 20) -> list[str]:
    return [each.symbol.name for each in project.index.named(reference, limit=limit)]


def near(project: Project, reference: str, hops: int = 2, limit: int = 50) -> list[Neighbour]:
    place = project.index.named(reference, limit=1)[0]
    return list(project.index.around(place, hops=hops, limit=limit))


def told(neighbours: list[Neighbour]) -> set[tuple[str, str, int]]:
    return {(each.relation.value, each.place.symbol.name, each.hops) for each in neighbours}


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("TokenStore.rotate", ["TokenStore.rotate"]),
        ("rotate", ["TokenStore.rotate"]),
        ("tokenstore.ROTATE", ["TokenStore.rotate"]),
        ("check", ["check", "check"]),
        ("src/shop/tokens.py:11", ["TokenStore.rotate", "TokenStore"]),
        ("./src/shop/tokens.py:11-16", ["TokenStore.revoke", "TokenStore.rotate", "TokenStore"]),
        ("tokens.py:11", ["TokenStore.rotate", "TokenStore"]),
        ("tokens.py", ["TokenStore", "TokenStore.rotate", "TokenStore.revoke", "issue"]),
        ("clock.py:999999999", []),
        ("otate", []),
        ("Other.rotate", []),
        ("nobody", []),
        ("", []),
        ("\0", []),
        ("\ud800", []),
        ("%", []),
        ("x" * 2_000, []),
    ],
    ids=range(17),
)
def test_a_reference_is_a_name_a_line_or_a_file(
    project: Project, reference: str, found: list[str]
) -> None:
    assert names(project, reference) == found


def test_no_more_symbols_come_than_wanted(project: Project) -> None:
    assert len(names(project, "tokens.py", limit=2)) == 2
    assert names(project, "tokens.py", limit=0) == []


def test_exactly_written_names_come_first(tmp_path: Path) -> None:
    project = Project(tmp_path, {"a.py": "def Run():\n    pass\n\n\ndef run():\n    pass\n"})

    assert names(project, "run") == ["run", "Run"]
    project.index.close()


@requirement("code.neighbours-within-hops")
def test_callers_and_callees_are_found_two_steps_away(project: Project) -> None:
    assert told(near(project, "TokenStore.rotate")) == {
        ("calls", "TokenStore.revoke", 1),
        ("calls", "issue", 1),
        ("calls", "now", 1),
        ("calls", "keep", 2),
        ("called by", "pay", 1),
    }
    assert told(near(project, "keep")) == {
        ("calls", "check", 1),
        ("called by", "TokenStore.revoke", 1),
        ("called by", "TokenStore.rotate", 2),
    }


def test_nearer_ones_come_first_and_say_what_they_were_reached_through(project: Project) -> None:
    found = near(project, "keep")

    assert [each.hops for each in found] == sorted(each.hops for each in found)
    through = {each.place.symbol.name: each.through for each in found}
    assert through["TokenStore.revoke"] == "keep"
    assert through["TokenStore.rotate"] == "TokenStore.revoke"


def test_one_hop_and_a_limit_are_kept_to(project: Project) -> None:
    assert {each.hops for each in near(project, "keep", hops=1)} == {1}
    both = near(project, "TokenStore.rotate", limit=2)
    assert {each.relation for each in both} == {Relation.CALLS, Relation.CALLED_BY}
    assert near(project, "keep", limit=0) == []
    assert near(project, "keep", hops=0) == []


def test_a_name_means_the_same_file_first_then_what_is_imported(project: Project) -> None:
    sell = "from shop.checkout.prices import check\n\n\ndef sell():\n    check(1)\n"
    project.write("src/shop/sell.py", sell)

    (same,) = [each for each in near(project, "keep") if each.place.symbol.name == "check"]
    (imported,) = near(project, "sell")

    assert same.place.path == "src/shop/vault.py"
    assert imported.place.reference == "src/shop/checkout/prices.py:4-5"


@requirement("code.ambiguous-names-not-followed")
def test_a_name_that_could_mean_anything_is_not_followed(tmp_path: Path) -> None:
    files = {f"part{one}.py": "def run():\n    pass\n" for one in range(6)}
    project = Project(tmp_path, {**files, "main.py": "def start():\n    run()\n"})

    assert near(project, "start") == []
    assert near(project, "part3.py:1") == []

    (project.root / "part5.py").unlink()

    assert len(near(project, "start")) == 5
    project.index.close()


def test_symbols_of_other_languages_have_neighbours_too(project: Project) -> None:
    assert told(near(project, "renderCart")) == {
        ("calls", "formatMoney", 1),
        ("calls", "total", 1),
    }


def test_those_that_call_each_other_end(tmp_path: Path) -> None:
    text = "def ping():\n    pong()\n\n\ndef pong():\n    ping()\n"
    project = Project(tmp_path, {"game.py": text})

    assert told(near(project, "ping", hops=9)) == {("calls", "pong", 1), ("called by", "pong", 1)}
    project.index.close()


def test_a_place_that_is_gone_has_no_neighbours(project: Project) -> None:
    place = project.index.named("keep", limit=1)[0]
    elsewhere = SymbolPlace(path="gone.py", symbol=place.symbol)

    assert project.index.around(elsewhere, hops=2, limit=9) == []


@requirement("code.says-what-it-only-supposes")
def test_a_call_means_no_heading_of_a_page_and_no_key_of_settings(tmp_path: Path) -> None:
    files = {
        "app.py": "from pathlib import Path\n\n\ndef load(name):\n    deploy(Path(name))\n",
        "docs/path.md": "# Path\n\nPaths are files.\n",
        "tasks.json": '{"deploy": {"deploy": {"script": "make"}}}\n',
        "release.py": "def deploy(path):\n    return path\n",
    }
    project = Project(tmp_path, files)

    assert told(near(project, "load")) == {("calls", "deploy", 1)}
    assert [one.place.path for one in near(project, "load")] == ["release.py"]
    project.index.close()
