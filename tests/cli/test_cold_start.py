"""A start is a budget: what a command does not use, it does not load."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from tests.cli.conftest import Filled
from tests.cli.program import Program
from tests.requirements import requirement

HEAVY = {
    *("pydantic", "numpy", "psycopg", "mcp", "textual", "starlette", "uvicorn", "click", "rich"),
    *("asyncio", "subprocess", "http", "email", "ssl", "socket", "logging", "splintr", "sqlite3"),
    *("difflib", "traceback", "tomllib", "unittest", "multiprocessing", "concurrent"),
}
JUDGING = {
    "holdfast.adapters.embedding.judging",
    "holdfast.adapters.embedding.kept_scores",
    "holdfast.usecases.review.pair_reading",
    "onnxruntime",
}
UNWANTED_FOR_A_BADGE = {
    *("dataclasses", "argparse", "pathlib", "typing", "json", "re", "enum", "inspect", "datetime"),
}
LOADED = """
import sys
from holdfast.surfaces.cli.main import main
try:
    main(sys.argv[1:])
finally:
    sys.stderr.write("\\n" + " ".join(sorted(sys.modules)))
"""


@pytest.fixture
def filled(filled: Filled) -> Filled:
    """A filled store and a folder that the program knows: about a new one it asks git."""
    filled.program("status").well()
    return filled


def loaded(program: Program, *words: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{LOADED}", *words],
        capture_output=True,
        cwd=program.folder,
        env=program.environment,
        check=True,
    )
    return set(done.stderr.decode().splitlines()[-1].split())


@requirement("cli.cold-start-imports-nothing-heavy")
def test_remember_and_recall_load_nothing_heavy(filled: Filled) -> None:
    for words in (
        ("remember", "--because", "I", "Light."),
        ("recall", "--q", "rotate refresh tokens", "--md"),
        ("list",),
    ):
        assert loaded(filled.program, *words) & HEAVY == set()


@requirement("cli.cold-start-imports-nothing-heavy")
def test_a_judge_that_is_set_is_loaded_by_what_shows_conflicts_only(filled: Filled) -> None:
    program = replace(filled.program, extra={"HOLDFAST_CONFLICTS_JUDGE": "wrack"})

    for words in (
        ("status",),
        ("remember", "--because", "I", "Light."),
        ("recall", "--q", "rotate refresh tokens", "--md"),
    ):
        assert {one for one in loaded(program, *words) if one in JUDGING} == set()
    assert "holdfast.usecases.review.pair_reading" in loaded(program, "conflicts")


@requirement("cli.cold-start-imports-nothing-heavy")
def test_a_sync_loads_nothing_that_only_a_question_needs(filled: Filled) -> None:
    filled.program("init", "--files").well()

    found = loaded(filled.program, "sync")

    assert "holdfast.surfaces.cli.verbs.pages.sync" in found
    assert {one for one in found if one.startswith("holdfast.usecases.recall.")} == set()


@requirement("cli.cold-start-imports-nothing-heavy")
def test_a_question_loads_only_the_heuristics_that_it_uses(filled: Filled) -> None:
    modules = loaded(filled.program, "recall", "--q", "rotate refresh tokens", "--md")

    assert {name for name in modules if name.startswith("holdfast.heuristics.")} == {
        "holdfast.heuristics.change_signs",
        "holdfast.heuristics.english",
        "holdfast.heuristics.intent",
        "holdfast.heuristics.same_start",
    }


@requirement("cli.cold-start-imports-nothing-heavy")
def test_evidence_that_git_is_asked_about_loads_only_what_starts_git(filled: Filled) -> None:
    words = ("remember", "--because", "I", "--evidence", "src/auth/tokens.py:1", "Light.")

    assert loaded(filled.program, *words) & HEAVY <= {"subprocess"}


@requirement("cli.cold-start-imports-nothing-heavy")
def test_the_badge_loads_next_to_nothing(filled: Filled) -> None:
    modules = loaded(filled.program, "status", "--badge")

    assert modules & HEAVY == set()
    assert modules & UNWANTED_FOR_A_BADGE == set()
    ours = sorted(name for name in modules if name.startswith("holdfast."))
    assert "holdfast.app" not in ours
    assert "apsw" in modules


@requirement("cli.cold-start-imports-nothing-heavy")
def test_only_the_chosen_verb_is_loaded(filled: Filled) -> None:
    modules = loaded(filled.program, "status")

    assert {name for name in modules if name.startswith("holdfast.surfaces.cli.verbs.")} == {
        "holdfast.surfaces.cli.verbs.care",
        "holdfast.surfaces.cli.verbs.care.status",
    }


@requirement("cli.cold-start-imports-nothing-heavy")
def test_no_verb_loads_the_descriptions_of_its_answers(filled: Filled) -> None:
    for words in (("recall", "--q", "tokens", "--json"), ("list", "--json"), ("review", "--json")):
        modules = loaded(filled.program, *words)

        assert not [name for name in modules if name.startswith("holdfast.surfaces.wire.schema")]
