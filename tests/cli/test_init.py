"""init: the first minutes in a repository that nobody has remembered anything about."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.requirements import requirement

CODE = '''def rotate(store, value):
    """Exchange a refresh token for a new one; the old one is used up."""
    return store.issue(value)
'''


def a_project(program: Program, folder: Path, files: dict[str, str]) -> Program:
    """Return the program in a repository with these files; they are tracked, not committed."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    folder.mkdir(exist_ok=True)
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=folder, check=True)  # noqa: S607 - git from the PATH
    subprocess.run(["git", "add", "-A"], cwd=folder, check=True)  # noqa: S607 - the same
    return Program(home=program.home, folder=folder)


def proposed(program: Program) -> list[str]:
    steps = program("init", "--json").well().json["next"]
    return [step for step in steps if step != "holdfast help"]


@requirement("init.proposes-a-real-claim")
def test_the_proposed_commands_run_as_they_are_shown(program: Program, tmp_path: Path) -> None:
    here = a_project(program, tmp_path / "shop", {"src/my tokens.py": CODE})
    shown = here("init").well().err

    remember, recall = proposed(here)
    kept = here.bash(remember).well()
    found = here.bash(recall).well()

    assert remember in shown
    assert recall in shown
    assert '"src/my tokens.py:1-3" (fresh)' in kept.out
    assert "Exchange a refresh token" in found.out


@requirement("init.proposes-a-real-claim")
def test_the_proposed_path_is_seen_from_where_the_reader_stands(
    program: Program, tmp_path: Path
) -> None:
    root = tmp_path / "shop"
    a_project(program, root, {"src/tokens.py": CODE, "docs/empty.txt": ""})
    below = Program(home=program.home, folder=root / "docs")

    remember, _ = proposed(below)

    assert "../src/tokens.py:1-3" in remember
    below.bash(remember).well()


@requirement("init.proposes-a-real-claim")
@pytest.mark.parametrize(
    "files",
    [{}, {"logo.png": "\0\0"}, {"data.csv": "a,b\n"}, {"a.py": "x = 1\n"}],
    ids=["nothing", "binary", "data", "no prose"],
)
def test_without_a_sentence_to_quote_the_readers_own_word_is_proposed(
    program: Program, tmp_path: Path, files: dict[str, str]
) -> None:
    here = a_project(program, tmp_path / "bare", files)

    remember, recall = proposed(here)

    assert shlex.split(remember)[2] == "--because"
    here.bash(remember).well()
    assert "We deploy on Tuesdays." in here.bash(recall).well().out


def test_outside_a_repository_the_readers_own_word_is_proposed(
    program: Program, tmp_path: Path
) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "a.py").write_text(CODE, encoding="utf-8")

    assert "--because" in proposed(Program(home=program.home, folder=tmp_path / "plain"))[0]


@requirement("init.never-shows-a-secret")
def test_a_link_out_of_the_repository_is_not_followed(program: Program, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.py").write_text(CODE, encoding="utf-8")
    here = a_project(program, tmp_path / "shop", {"src/a.py": "x = 1\n"})
    (here.folder / "src" / "a.py").unlink()
    (here.folder / "src").rmdir()
    (here.folder / "src").symlink_to(outside)

    assert "--because" in proposed(here)[0]


@requirement("init.names-sync-and-trust")
def test_in_a_clone_with_pages_sync_and_trust_come_first(program: Program, tmp_path: Path) -> None:
    program("init", "--files", "--no-model").well()
    first = Clone(program)
    first.decide("We deploy on Tuesdays.")
    first.commit()
    second = first.clone(tmp_path / "second").program

    said = second("init", "--no-model").well()
    steps = second("init", "--no-model", "--json").well().json["next"]

    assert steps[:2] == ["holdfast sync", "holdfast trust"]
    assert "1 page in .holdfast" in said.out
    assert said.err.index("holdfast sync") < said.err.index("holdfast trust")


@requirement("init.names-sync-and-trust")
def test_where_pages_were_just_made_there_is_nothing_to_trust(program: Program) -> None:
    steps = program("init", "--files", "--no-model", "--json").well().json["next"]

    assert steps[0] == "holdfast sync"
    assert "holdfast trust" not in steps


READS = (
    *("recall x", "list", "status", "show m_1", "explain m_1", "related m_1", "verify", "review"),
    *(
        "conflicts",
        "curate",
        "doctor",
        "export",
        "journal",
        "run list",
        "session list",
        "blame a:1",
    ),
    *("context x", "diff a..b", "sync", "trust", "index", "learn", "undo", "rebuild", "pin m_1"),
    *("forget --id m_1 --yes", "approve m_1", "feedback c_1 --good", "model catch-up"),
)


@requirement("store.reads-create-none")
@pytest.mark.parametrize("words", READS)
def test_a_home_without_a_store_is_named_and_not_created(newcomer: Program, words: str) -> None:
    typo = newcomer.home.parent / "typo"

    named = newcomer(*words.split(), "--home", str(typo))
    usual = newcomer(*words.split())

    assert (named.code, usual.code) == (3, 3)
    assert f"There is no store in {typo}." in named.err
    assert f"There is no store in {newcomer.home}." in usual.err
    assert f"holdfast --home {typo} init" in named.err
    assert not typo.exists()
    assert not newcomer.home.exists()


@requirement("store.reads-create-none")
@pytest.mark.parametrize(
    "words",
    [("remember", "--because", "I decided", "We deploy on Tuesdays."), ("init",), ("run", "start")],
    ids=lambda words: words[0],
)
def test_what_adds_something_creates_the_store(newcomer: Program, words: tuple[str, ...]) -> None:
    newcomer(*words).well()

    newcomer("list").well()


@requirement("store.reads-create-none")
def test_a_store_that_lost_its_file_is_not_taken_for_a_mistyped_home(program: Program) -> None:
    program("remember", "--because", "I decided", "We deploy on Tuesdays.").well()
    (program.home / "holdfast.db").unlink()

    assert "There is no store" not in program("doctor").err


def test_a_home_that_cannot_be_made_is_not_said_to_be_new(newcomer: Program) -> None:
    file = newcomer.folder / "file"
    file.write_text("x", encoding="utf-8")

    done = newcomer("--home", str(file / "nope"), "init", "--no-model")

    assert done.code == 6
    assert "was created" not in done.err


def test_a_new_home_is_said_to_be_new(newcomer: Program, tmp_path: Path) -> None:
    done = newcomer("--home", str(tmp_path / "other"), "init", "--no-model").well()

    assert f"There was no store in {tmp_path / 'other'}; a new one was created." in done.err


def test_in_a_second_repository_it_says_that_the_store_is_used_there(
    program: Program, tmp_path: Path
) -> None:
    a_project(program, tmp_path / "one", {"a.py": CODE})("init", "--no-model").well()
    second = a_project(program, tmp_path / "two", {"b.py": CODE})

    shown = second("init", "--no-model").well().out

    assert "ready  The store already exists, and this repository uses it." in shown
