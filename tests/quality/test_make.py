"""``make test`` runs every test once; ``make test-pythons`` finds the interpreters that run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ordering import LONG, dealt, place_of

ROOT = Path(__file__).parents[2]
TOOLS = ("bash", "sh", "make", "nproc", "touch", "true")
OF_MAKE = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")


def stages() -> list[list[str]]:
    """Return the words of each run of pytest that ``make test`` starts."""
    done = subprocess.run(
        ["make", "--dry-run", "test"],  # noqa: S607 - make from the PATH
        cwd=ROOT,
        env={name: one for name, one in os.environ.items() if name not in OF_MAKE},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.replace("\\\n", " ").splitlines()
    return [line.split() for line in lines if "--dist worksteal" in line]


def chosen(words: list[str]) -> set[Path]:
    """Return the files of tests that a run of pytest collects."""
    ignored = {words[at + 1] for at, word in enumerate(words) if word == "--ignore"}
    given = {word for word in words if word.startswith("tests/") and "::" not in word} - ignored
    found = {
        file
        for path in map(ROOT.joinpath, given)
        for file in ([path] if path.is_file() else path.glob("**/test_*.py"))
    }
    return found - {ROOT / path for path in ignored}


def single(words: list[str]) -> set[str]:
    """Return the single tests that a run of pytest is given, or must leave out."""
    return {word for word in words if "::" in word}


def deselected(words: list[str]) -> set[str]:
    """Return the single tests that a run of pytest must leave out."""
    return {words[at + 1] for at, word in enumerate(words) if word == "--deselect"}


def test_every_test_is_in_one_of_two_runs_and_the_first_is_measured() -> None:
    measured, others = stages()

    assert "--cov" in measured
    assert "--cov" not in others
    assert "tests/unit/test_secret_bounds.py" in others  # too slow with coverage
    assert chosen(measured) & chosen(others) == set()
    assert chosen(measured) | chosen(others) == set(ROOT.glob("tests/**/test_*.py"))
    assert single(measured) == single(others)
    assert deselected(measured) & deselected(others) == set()
    assert deselected(measured) | deselected(others) == single(measured)


def test_a_single_test_that_is_left_out_leaves_out_no_other_test() -> None:
    """Pytest leaves out every test whose name begins with the given one."""
    for run in stages():
        for one in deselected(run):
            path, name = one.split("::")
            text = (ROOT / path).read_text(encoding="utf-8")
            test = name.partition("[")[0]
            assert re.findall(rf"^def ({test}\w*)", text, re.MULTILINE) == [test], one
            assert ROOT / path in chosen(run)


@pytest.mark.parametrize("workers", [1, 2, 3, 4])
def test_every_worker_begins_with_its_share_of_the_long_tests(workers: int) -> None:
    short = [f"tests/unit/test_{number}.py::test_it" for number in range(28)]
    long = [f"{folder}test_it.py::test_{number}" for folder in LONG for number in range(4)]
    tests = [*short[:20], *reversed(long), *short[20:]]

    found = dealt(tests, str, workers)

    size = len(tests) // workers
    parts = [found[at * size : (at + 1) * size] for at in range(workers)]
    own = len(long) // workers
    assert sorted(found) == sorted(tests)
    assert all(place_of(test) < len(LONG) for part in parts for test in part[:own])
    assert [test for test in found if test in short] == short


def test_examples_that_are_drawn_slowly_fail_no_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """How long a draw takes depends on the load of the machine."""
    minutes = count(step=60)
    drawn: list[int] = []

    @given(number=st.integers())
    def examined(number: int) -> None:
        drawn.append(number)

    monkeypatch.setattr(time, "perf_counter", lambda: float(next(minutes)))

    examined()

    assert len(drawn) > 1


def test_no_test_lets_hypothesis_judge_its_time_again() -> None:
    """A list of checks on a single test replaces the list of the profile."""
    texts = {path: path.read_text(encoding="utf-8") for path in ROOT.glob("tests/**/*.py")}
    lists = [(path, found) for path, text in texts.items() for found in suppressed_in(text)]

    assert [path for path, found in lists if "HealthCheck.too_slow" not in found] == []
    assert lists


def test_every_list_of_suppressed_checks_in_a_file_counts() -> None:
    name = "suppress_health_check"
    text = f"{name}=[A]\n{name}=[\n    B,\n]\n"

    assert suppressed_in(text) == ["[A]", "[\n    B,\n]"]


def suppressed_in(text: str) -> list[str]:
    """Return every list of checks of Hypothesis that a file turns off."""
    return re.findall(r"suppress_health_check=(\[.*?\])", text, re.DOTALL)


def made(folder: Path, *versions: str, broken: tuple[str, ...] = ()) -> tuple[int, list[str]]:
    """Run the target where only these interpreters are on PATH, each of them a dummy."""
    programs = folder / "bin"
    programs.mkdir()
    for tool in TOOLS:
        (programs / tool).symlink_to(shutil.which(tool) or tool)
    for version in (*versions, *broken):
        program = programs / f"python{version}"
        program.write_text(f"#!/bin/sh\nexit {127 if version in broken else 0}\n")
        program.chmod(0o755)
        environment = folder / ".pythons" / version
        (environment / "bin").mkdir(parents=True)
        (environment / "bin" / "python").symlink_to(program)
        (environment / ".ready").touch()
    (folder / ".venv").mkdir()
    (folder / ".venv" / ".installer").touch()
    shutil.copy(ROOT / "Makefile", folder)
    (folder / "pyproject.toml").touch()
    os.utime(folder / "pyproject.toml", (0, 0))
    done = subprocess.run(  # noqa: S603 - our own targets
        [str(programs / "make"), "--silent", "test-pythons"],
        cwd=folder,
        env={"PATH": str(programs)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.splitlines()


def test_every_interpreter_that_runs_is_tested(tmp_path: Path) -> None:
    code, said = made(tmp_path, "3.11", "3.13", broken=("3.12",))

    assert (code, said) == (0, ["python3.11", "python3.13"])


def test_a_single_interpreter_is_tested_and_said_to_be_the_only_one(tmp_path: Path) -> None:
    code, said = made(tmp_path, "3.12")

    assert code == 0
    assert said == [
        "only python3.12 is on PATH: no other interpreter is tested",
        "python3.12",
    ]


@pytest.mark.parametrize("versions", [(), ("3.10",)])
def test_without_an_interpreter_nothing_passes(tmp_path: Path, versions: tuple[str, ...]) -> None:
    code, said = made(tmp_path, *versions)

    assert code != 0
    assert said == ["there is no interpreter of 3.11 3.12 3.13 3.14 on PATH"]
