"""Pipes, closed ends, interrupts and bugs: nobody ever sees a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from tests.cli.conftest import Filled
from tests.cli.program import Program
from tests.patience import PATIENCE
from tests.requirements import requirement


@requirement("cli.pipe-safe")
def test_a_reader_that_has_seen_enough_is_no_error(filled: Filled) -> None:
    lines = "\n".join(
        f'{{"value": "Line {number} {"x" * 200}", "because": "I"}}' for number in range(800)
    )
    filled.program("remember", "--batch", stdin=lines).well()

    for words in ("list --limit 1000", "export", "list --json --limit 1000", "help", "list"):
        done = filled.program.bash(f"set +o pipefail; holdfast {words} | head -1")

        assert done.code == 0
        assert done.out.count("\n") == 1
        assert done.err == "" or "--limit shows more" in done.err


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("verb", ["list", "list --json", "journal", "export", "task export"])
@requirement("cli.pipe-safe")
def test_a_full_disk_behind_the_output_is_told(filled: Filled, verb: str, unbuffered: str) -> None:
    filled.program("task", "add", "Rotate the tokens.").well()

    done = filled.program.bash(f"holdfast {verb} > /dev/full", PYTHONUNBUFFERED=unbuffered)

    assert done.code == 6
    assert done.err == "holdfast: The output cannot be written: No space left on device.\n"


@requirement("cli.pipe-safe")
def test_a_full_disk_behind_the_complaints_changes_no_answer(filled: Filled) -> None:
    fine = filled.program.bash("holdfast list 2> /dev/full", PYTHONUNBUFFERED="1")
    refused = filled.program.bash("holdfast show m_none 2> /dev/full", PYTHONUNBUFFERED="1")

    assert (fine.code, refused.code) == (0, 3)


@requirement("cli.pipe-safe")
def test_closed_ends_are_no_reason_to_fail(filled: Filled) -> None:
    filled.program("task", "add", "Rotate the tokens.").well()

    quiet = filled.program.bash("holdfast list >&-").well()
    closed = filled.program.bash("holdfast task export >&-").well()
    deaf = filled.program.bash('holdfast remember --because I "Said without ears." <&-').well()
    mute = filled.program.bash("holdfast show m_none 2>&-")

    assert (quiet.out, closed.out) == ("", "")
    assert deaf.id.startswith("m_")
    assert (mute.code, mute.err) == (3, "")


@requirement("cli.pipe-safe")
def test_silence_leaves_only_the_answer(filled: Filled) -> None:
    quiet = filled.program("-q", "remember", "--key", "k", "--because", "I", "One.").well()
    superseding = filled.program("remember", "-q", "--key", "k", "--because", "I", "Two.").well()

    assert quiet.err == superseding.err == ""
    assert filled.program("--quiet", "show", "m_none").err.startswith("holdfast: ")


@requirement("cli.no-traceback")
def test_an_interrupt_ends_quietly_with_130(program: Program, tmp_path: Path) -> None:
    waiting = tmp_path / "waiting"
    os.mkfifo(waiting)
    process = subprocess.Popen(
        [sys.executable, "-m", "holdfast", "import", str(waiting)],
        cwd=program.folder,
        env=program.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with waiting.open("wb"):  # opens when the program reads, so it is past its start
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)

    assert process.returncode == 130
    assert out == b""
    assert b"Traceback" not in err


@requirement("exchange.endless-files-refused")
@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("import", "/dev/zero"), "/dev/zero cannot be read: it is a device"),
        (("import", "/proc/self/mem"), "/proc/self/mem cannot be read: "),
        (("propose", "/dev/zero"), "/dev/zero cannot be used: it is not a regular file"),
        (("propose", "--from", "/dev/zero"), "/dev/zero cannot be used: it is not a regular"),
        (
            ("remote", "add", "https://x.test", "--token-file", "/dev/zero"),
            "/dev/zero cannot be used: it is a device",
        ),
    ],
)
def test_an_endless_file_is_refused(program: Program, words: list[str], problem: str) -> None:
    told = program(*words)

    assert told.code == 6
    assert problem in told.err


@requirement("cli.no-traceback")
def test_a_bug_is_one_sentence_and_a_report_without_values(program: Program) -> None:
    secret = "hunter" + "2"

    with mock.patch("holdfast.app.upkeep.UpkeepPart.status", side_effect=ZeroDivisionError):
        told = program("status", env={"SECRET_OF_THE_TEST": secret})
        shape = program("status", "--json", "--home", str(program.home))

    reports = sorted((program.home / "reports").iterdir())
    assert (told.code, shape.code) == (70, 70)
    assert told.err.count("\n") == 1
    assert "a bug in Holdfast" in told.err
    assert any(str(report) in told.err for report in reports)
    assert '"family": "bug"' in shape.err
    text = reports[0].read_text(encoding="utf-8")
    assert "ZeroDivisionError" in text
    assert secret not in text
    assert reports[0].stat().st_mode & 0o777 == 0o600


@requirement("cli.no-traceback")
def test_a_bug_is_told_even_where_no_report_can_be_written(newcomer: Program) -> None:
    newcomer.home.write_text("a file", encoding="utf-8")

    with mock.patch("holdfast.surfaces.cli.verbs.care.status._run", side_effect=RuntimeError):
        told = newcomer("status")

    assert told.code == 70
    assert "The report is in" not in told.err


@requirement("cli.no-traceback")
@pytest.mark.parametrize("error", ["OverflowError", "RuntimeError"])
def test_the_badge_has_no_traceback_whatever_the_clock_says(filled: Filled, error: str) -> None:
    script = f"""
import sys, time
def ages_ahead():
    raise {error}
time.time = ages_ahead
from holdfast.surfaces.cli.main import main
main(sys.argv[1:])
"""

    done = filled.program.start("status", "--badge", program=(sys.executable, "-c", script))

    assert done.code == (0 if error == "OverflowError" else 70)
    assert "Traceback" not in done.err
