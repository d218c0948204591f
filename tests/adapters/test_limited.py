"""A command with limits: what it may use, and what is left of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from holdfast.adapters.processes.limited import MOST_OUTPUT, CommandLimits, LimitedEnd, run_limited
from tests.requirements import requirement

AMPLE = CommandLimits(seconds=120.0)


def run(command: str, folder: Path, limits: CommandLimits = AMPLE) -> LimitedEnd:
    return run_limited(command, folder=str(folder), limits=limits)


@requirement("checks.limits")
def test_the_exit_code_and_the_output_are_returned(tmp_path: Path) -> None:
    end = run("pwd; echo oops >&2; exit 3", tmp_path)

    assert end.exit_code == 3
    assert end.output.decode().splitlines() == [str(tmp_path), "oops"]


@requirement("checks.limits")
def test_a_command_that_takes_too_long_is_stopped_with_its_children(tmp_path: Path) -> None:
    end = run("sleep 600 & echo $!; wait", tmp_path, CommandLimits(seconds=2.0))

    assert end.exit_code is None
    assert "longer than 2 seconds" in end.problem


@requirement("checks.limits")
def test_what_a_command_leaves_behind_is_ended(tmp_path: Path) -> None:
    # A process that stays would hold the pipe open; the run would only end with its time.
    end = run("(sleep 600 &) ; echo done", tmp_path)

    assert (end.exit_code, end.output) == (0, b"done\n")


@requirement("checks.limits")
def test_output_is_cut(tmp_path: Path) -> None:
    end = run("yes | head -c 1000000", tmp_path)

    assert (end.exit_code, len(end.output)) == (0, MOST_OUTPUT)


@requirement("checks.limits")
def test_memory_is_limited(tmp_path: Path) -> None:
    limits = CommandLimits(seconds=120.0, memory=512 * 1024 * 1024)
    end = run("python3 -c 'x = bytearray(1 << 30)' 2>/dev/null", tmp_path, limits)

    assert end.exit_code not in {0, None}


@requirement("checks.limits")
def test_processor_time_is_limited(tmp_path: Path) -> None:
    end = run("kill -XCPU $$", tmp_path)

    # The first process of a process namespace ignores signals that it does not handle.
    assert end.exit_code is None or end.is_offline


@requirement("checks.limits")
def test_a_closed_network_is_closed(tmp_path: Path) -> None:
    end = run("cat /proc/net/dev | grep -v lo: | tail -n +3 | wc -l", tmp_path)

    if end.is_offline:
        assert end.output.strip() == b"0"


@requirement("checks.limits")
def test_secrets_of_the_shell_are_not_passed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hush")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    assert b"hush" not in run("env", tmp_path).output
    assert b"PYTHONPATH" not in run("env", tmp_path).output


def test_a_folder_that_is_gone_is_a_problem(tmp_path: Path) -> None:
    end = run("true", tmp_path / "gone")

    assert end.exit_code is None
    assert "could not be started" in end.problem


def test_a_signal_that_stops_the_launcher_is_a_problem(tmp_path: Path) -> None:
    end = run("kill -KILL $$", tmp_path)

    assert os.name == "posix"
    assert end.exit_code is None or end.is_offline
