"""A line that the program prints, pasted into a shell as it is, decides nothing by itself."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.cli.test_curation import status
from tests.cli.waiting import propose

OLD, NEW = "Sessions live in Redis.", "Sessions live in Postgres."
STANDING = ("Tokens rotate on every use.", "Tokens always rotate on each use by clients.")


def run_as_pasted(line: str, folder: Path) -> list[str]:
    """Return every call of the program that a shell makes of a line."""
    calls = folder / "calls"
    calls.write_text("", encoding="utf-8")
    script = f'holdfast() {{ echo "$*" >> "{calls}"; }}\n{line}\n'
    subprocess.run(["/bin/sh", "-c", script], cwd=folder, check=False, capture_output=True)
    return calls.read_text(encoding="utf-8").splitlines()


def commands_in(text: str) -> list[str]:
    """Return every command in a text, up to the end of its line."""
    starts = (line.partition("holdfast resolve") for line in text.splitlines())
    return [f"{name}{rest}" for _, name, rest in starts if name]


@pytest.fixture
def pair(program: Program) -> tuple[str, str]:
    old = program("remember", "--because", "I decided", "--key", "store", OLD).well().id
    return old, propose(program, NEW, "--key", "store")


def shown(program: Program, new: str) -> str:
    """Return everything that the doors of the command line print about a conflict."""
    said = [
        program("conflicts"),
        program("review"),
        program("review", new),
        program("approve", new),
    ]
    return "\n".join(one.out + one.err for one in said)


def test_a_pasted_line_about_a_conflict_decides_nothing(
    program: Program, pair: tuple[str, str], tmp_path: Path
) -> None:
    old, new = pair
    program("remember", "--because", "I know", "Tokens never rotate on use.")
    told = program("remember", "--because", "I know", STANDING[0]).well().err

    lines = commands_in(shown(program, new) + "\n" + told)

    assert len(lines) >= 5
    assert run_as_pasted("holdfast resolve m_1 m_2 --supersede | --keep-old", tmp_path)
    for line in lines:
        assert "|" not in line
        assert run_as_pasted(line, tmp_path) == [], line
        assert program(*line.partition(" (")[0].split()[1:]).code == 2
    assert (status(program, old), status(program, new)) == ("accepted", "candidate")


def test_a_program_reads_whole_commands_about_a_conflict(
    program: Program, pair: tuple[str, str]
) -> None:
    old, new = pair

    (waiting,) = program("review", "--json").well().json["waiting"]

    resolve = f"holdfast resolve {new} {old}"
    assert waiting["commands"] == [
        f"{resolve} --supersede",
        f"{resolve} --keep-old",
        f"{resolve} --keep-both",
        f"holdfast edit {new}",
    ]


def test_a_suggested_refusal_has_no_reason_that_nobody_wrote(program: Program) -> None:
    name = propose(program, "The cache is warm after ten seconds.")

    out = program("review").well().out

    assert f"holdfast reject {name}\n" in out
    assert "…" not in out


def test_curate_names_no_winner_of_two_accepted_claims(program: Program) -> None:
    for limit in (200, 500):
        claim = f"A batch has at most {limit} rows."
        program("remember", "--because", "we agreed", claim).well()

    found = program("curate").well().out
    (concern,) = program("curate", "--json").well().json["concerns"]

    newer, older = concern["memories"]
    assert (concern["remedy"], concern["command"]) == ("resolve", "holdfast conflicts")
    assert f"if the newer one holds: holdfast resolve {newer} {older} --supersede\n" in found
    assert f"if the older one holds: holdfast resolve {newer} {older} --keep-old\n" in found
    assert f"if both hold: holdfast resolve {newer} {older} --keep-both\n" in found
    assert "    $ holdfast conflicts\n" in found
