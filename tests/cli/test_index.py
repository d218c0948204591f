"""index: the code of a repository is read, and what was done is told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.patience import PATIENCE, PAUSE
from tests.requirements import requirement


def test_what_was_read_and_passed_over_is_told(program: Program) -> None:
    (program.folder / "uv.lock").write_text("version = 1\n", encoding="utf-8")
    (program.folder / "new.py").write_text("def fresh(): ...\n", encoding="utf-8")

    first = program("index").well()
    second = program("index").well()

    assert first.out.splitlines()[0] == "files\t2\tin the index"
    assert "read\t2\tnew or changed since the last time" in first.out
    assert first.out.splitlines()[-1] == "passed over\t1\tgenerated"
    assert "read\t0\t" in second.out
    assert first.err == second.err == ""


@requirement("cli.json-everywhere")
def test_the_same_is_told_as_json(program: Program) -> None:
    (program.folder / "src" / "auth" / "new.py").write_text("def fresh(): ...\n", encoding="utf-8")
    (program.folder / "yarn.lock").write_text("\n", encoding="utf-8")

    first = program("index", "--json").well().json
    (program.folder / "src" / "auth" / "new.py").unlink()
    second = program("index", "--json").well().json
    anew = program("index", "--rebuild", "--json").well().json

    assert (first["files"], first["read"], first["removed"]) == (2, 2, 0)
    assert first["symbols"] >= 1
    assert first["passed_over"] == {"generated": 1}
    assert (second["files"], second["read"], second["removed"]) == (1, 0, 1)
    assert (anew["files"], anew["read"], anew["removed"]) == (1, 1, 0)


def test_outside_of_a_repository_it_says_so(program: Program, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()

    refused = program("index", "-C", str(outside))

    assert refused.code == 3
    assert refused.err.startswith("holdfast: This folder is not in a git repository")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--every", "2"), "--every goes with --watch."),
        (("--watch", "--every", "soon"), "The value of --every must be a number, not 'soon'."),
        (("--watch", "--every", "0"), "must be between 0.1 and 86,400 seconds."),
        (("--watch", "--every", "nan"), "must be between 0.1 and 86,400 seconds."),
    ],
)
def test_a_pause_that_makes_no_sense_is_refused(
    program: Program, words: tuple[str, ...], said: str
) -> None:
    refused = program("index", *words)

    assert refused.code == 2
    assert said in refused.err
    assert not (program.home / "cache" / "code").exists()


@requirement("cli.no-traceback")
def test_a_watch_follows_the_checkout_until_it_is_interrupted(program: Program) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "holdfast", "index", "--watch", "--every", "0.1"],
        cwd=program.folder,
        env=program.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    first = [process.stdout.readline() for _ in range(4)]
    (program.folder / "later.py").write_text("def later(): ...\n", encoding="utf-8")
    changed = process.stdout.readline()
    (program.folder / "later.py").unlink()
    removed = process.stdout.readline()

    process.send_signal(signal.SIGINT)
    rest, err = process.communicate(timeout=PATIENCE)

    assert first[0] == "files\t1\tin the index\n"
    assert changed.startswith("indexed  1 read, 0 removed; 2 files, ")
    assert removed.startswith("indexed  0 read, 1 removed; 1 file, ")
    assert (process.returncode, rest) == (130, "")
    assert "Traceback" not in err


@requirement("cli.no-traceback")
def test_an_interrupt_while_several_processes_read_ends_all_of_them(program: Program) -> None:
    for number in range(400):
        path = program.folder / f"module_{number}.py"
        path.write_text(f"def number_{number}(): ...\n" * 200, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "holdfast", "index"],
        cwd=program.folder,
        env=program.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    while not list((program.home / "cache" / "code").glob("*.db")):
        assert process.poll() is None
        time.sleep(PAUSE)

    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)  # ends when the last process has

    assert (process.returncode, out.strip(), err.strip()) == (130, "", "")
    assert program("index", "--json").well().json["files"] == 401


@requirement("code.workers-agree")
def test_many_files_are_read_by_several_processes_of_the_program(program: Program) -> None:
    for number in range(320):
        path = program.folder / f"module_{number}.py"
        path.write_text(f"def number_{number}(): ...\n", encoding="utf-8")

    done = program.start("index", "--json").well()

    assert (done.json["files"], done.json["symbols"] >= 320) == (321, True)
    assert done.err == ""
