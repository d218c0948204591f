from __future__ import annotations

import os
import resource
import select
import signal
import sys
from pathlib import Path

import pytest

from holdfast.adapters.processes.exchanging import kill_started, started
from holdfast.adapters.processes.running import (
    PipedProgram,
    follow_program,
    run_in_terminal,
    run_program,
    start_detached,
)
from holdfast.adapters.processes.watching import Sleep
from tests.patience import PATIENCE
from tests.requirements import requirement

ENVIRONMENT = {"PATH": os.environ["PATH"]}


def run(*words: str, given: bytes = b"", timeout: float = 60) -> tuple[int, bytes, bytes]:
    return run_program(words, environment=ENVIRONMENT, given=given, timeout=timeout)


def is_alive(process: int) -> bool:
    """Return whether a process goes on, after it had time to end."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return False
    try:
        return not select.select([handle], [], [], PATIENCE)[0]
    finally:
        os.close(handle)


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_program_is_heard_out() -> None:
    assert run("sh", "-c", "echo answer; echo trouble >&2; exit 3") == (
        3,
        b"answer\n",
        b"trouble\n",
    )


def test_more_is_said_and_heard_than_any_pipe_holds() -> None:
    much = b"0123456789abcdef" * 100_000

    assert run("cat", given=much) == (0, much, b"")


def test_a_program_that_does_not_listen_is_no_trouble() -> None:
    assert run("true", given=b"x" * 1_000_000) == (0, b"", b"")


def test_a_program_has_only_the_surroundings_it_is_given() -> None:
    status, answer, _ = run(sys.executable, "-c", "import os; print('HOME' in os.environ)")

    assert (status, answer) == (0, b"False\n")


def test_a_program_that_takes_too_long_is_stopped() -> None:
    before = open_files()

    with pytest.raises(TimeoutError):
        run("sh", "-c", "echo begun; exec sleep 60", timeout=0.1)

    assert open_files() == before


def test_a_program_that_takes_too_long_is_stopped_with_all_that_it_started(tmp_path: Path) -> None:
    script = f"cd {tmp_path}; sleep 60 & echo $! > new; mv new pid; wait"

    for seconds in (1, 5, 25):  # on a busy machine the shell may need longer to begin
        with pytest.raises(TimeoutError, match=f"took longer than {seconds} seconds and was stop"):
            run("sh", "-c", script, timeout=seconds)
        if (tmp_path / "pid").exists():
            break

    assert not is_alive(int((tmp_path / "pid").read_text()))


def test_what_a_program_left_behind_ends_with_it(tmp_path: Path) -> None:
    script = f"sleep 60 >&- 2>&- & echo $! > {tmp_path / 'pid'}"

    assert run("sh", "-c", script)[0] == 0

    assert not is_alive(int((tmp_path / "pid").read_text()))


def test_a_program_that_closes_its_output_and_goes_on_is_stopped() -> None:
    with pytest.raises(TimeoutError):
        run("sh", "-c", "exec sleep 60 >&- 2>&-", timeout=0.2)


@requirement("git.nothing-waits-for-ever")
def test_a_program_that_only_waits_for_a_pipe_is_stopped(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    command = ["cat", str(tmp_path / "pipe")]

    with pytest.raises(TimeoutError, match=r"waited 0\.2 seconds for a file or a program"):
        run_program(command, environment=ENVIRONMENT, timeout=600, idle=0.2)


def test_a_program_that_computes_does_not_sleep() -> None:
    script = "import time\nwhile time.process_time() < 0.5: pass\nprint('done')"

    code, output, _ = run_program(
        [sys.executable, "-S", "-c", script], environment=ENVIRONMENT, timeout=600, idle=0.2
    )

    assert (code, output) == (0, b"done\n")


COMPUTE = "import time\nwhile time.process_time() < 0.75: pass\nprint('done')"
IN_A_THREAD = f"""
import threading
thread = threading.Thread(target=exec, args=({COMPUTE!r}, {{}}))
thread.start()
thread.join()
"""


@requirement("git.nothing-waits-for-ever")
@pytest.mark.parametrize(
    "command",
    [
        ["sh", "-c", f'{sys.executable} -S -c "$0"; :', COMPUTE],
        ["sh", "-c", f'sh -c "{sys.executable} -S -c \\"\\$0\\"; :" "$0"; :', COMPUTE],
        [sys.executable, "-S", "-c", IN_A_THREAD],
    ],
    ids=["child", "grandchild", "thread"],
)
def test_a_program_that_waits_for_its_own_computing_part_does_not_sleep(command: list[str]) -> None:
    code, output, _ = run_program(command, environment=ENVIRONMENT, timeout=600, idle=0.2)

    assert (code, output) == (0, b"done\n")


@requirement("git.nothing-waits-for-ever")
def test_a_program_whose_child_only_waits_is_stopped(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    command = ["sh", "-c", f"cat {tmp_path / 'pipe'}; :"]

    with pytest.raises(TimeoutError, match=r"waited 0\.2 seconds for a file or a program"):
        run_program(command, environment=ENVIRONMENT, timeout=600, idle=0.2)


class Told:
    """What the system tells of one group of processes, and the time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now = 0.0

    def of(self, process: int, *threads: str, used: int = 0, group: int = 7) -> None:
        """Tell of a process, whose threads have these states."""
        for number, state in enumerate(threads):
            line = f"{process} (a ) b) {state} 1 {group} 0 0 0 0 0 0 0 0 {used} 0 0 0 20\n"
            place = self.folder / str(process)
            for path in [*([place] if number == 0 else []), place / "task" / str(number)]:
                path.mkdir(parents=True, exist_ok=True)
                (path / "stat").write_text(line)

    def sleep(self) -> Sleep:
        """Return who watches the group, and may see it asleep for four seconds."""
        return Sleep(7, 4, clock=lambda: self.now, told=str(self.folder))

    def ends(self, sleep: Sleep, *, after: float = 1, written: int = 0) -> bool:
        """Return whether it is seen asleep for too long, some seconds later."""
        self.now += after
        return sleep.is_too_long(written)


@requirement("git.nothing-waits-for-ever")
@pytest.mark.parametrize(
    "threads", [["R"], ["D"], ["T"], ["S", "R"]], ids=["no processor", "disk", "stopped", "thread"]
)
def test_what_could_run_does_not_sleep_even_without_a_processor(
    tmp_path: Path, threads: list[str]
) -> None:
    told = Told(tmp_path)
    told.of(7, "S", "S")
    told.of(8, *threads)
    told.of(9, "S", group=9)
    sleep = told.sleep()

    assert not any(told.ends(sleep) for _ in range(20))

    told.of(8, *("S" for _ in threads))
    assert [told.ends(sleep) for _ in range(5)] == [False, False, False, False, True]


@requirement("git.nothing-waits-for-ever")
def test_whatever_a_group_does_starts_its_sleep_anew(tmp_path: Path) -> None:
    told = Told(tmp_path)
    told.of(7, "S")
    sleep = told.sleep()

    assert not any(told.ends(sleep) for _ in range(4))
    assert not told.ends(sleep, written=1)
    assert not any(told.ends(sleep, written=1) for _ in range(3))
    told.of(7, "S", used=1)
    assert not any(told.ends(sleep, written=1) for _ in range(4))
    told.of(8, "Z")
    assert not any(told.ends(sleep, written=1) for _ in range(4))
    assert told.ends(sleep, written=1)


@requirement("git.nothing-waits-for-ever")
def test_time_in_which_nobody_looked_does_not_count(tmp_path: Path) -> None:
    told = Told(tmp_path)
    told.of(7, "S")
    sleep = told.sleep()
    assert not any(told.ends(sleep) for _ in range(4))

    assert not told.ends(sleep, after=3_600)

    assert not any(told.ends(sleep, after=0.5) for _ in range(7))
    assert told.ends(sleep, after=0.5)


def test_where_the_system_tells_nothing_nothing_sleeps(tmp_path: Path) -> None:
    told = Told(tmp_path / "missing")
    sleep = told.sleep()

    assert not any(told.ends(sleep) for _ in range(20))


def test_a_program_that_writes_without_end_is_stopped() -> None:
    with pytest.raises(TimeoutError, match="answered with more than 1,000 bytes"):
        run_program(["yes"], environment=ENVIRONMENT, timeout=60, most=1_000)


def test_programs_that_run_can_all_be_ended() -> None:
    with started(["sleep", "60"], seconds=60) as process:
        kill_started()

        assert process.wait(60) == -9


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux limits another process")
def test_the_system_stops_a_program_that_goes_on_without_us() -> None:
    with started(["sleep", "60"], seconds=7) as process:
        assert resource.prlimit(process.pid, resource.RLIMIT_CPU) == (8, 8)


def test_a_program_that_is_not_there_leaves_nothing_open() -> None:
    before = open_files()

    with pytest.raises(FileNotFoundError):
        run("no-such-program-at-all")

    assert open_files() == before


def test_a_program_that_is_killed_says_so_in_its_exit_code() -> None:
    assert run("sh", "-c", "kill -9 $$")[0] == -9


def test_closed_standard_files_are_not_mixed_up_with_the_program_s_own() -> None:
    script = f"""
import os, sys
sys.path[:0] = {sys.path!r}
os.close(0)
os.close(1)
from holdfast.adapters.processes.running import run_program
answer = run_program(["cat"], environment=dict(os.environ), given=b"heard", timeout=60)
sys.exit(0 if answer == (0, b"heard", b"") else 9)
"""

    assert run(sys.executable, "-c", script)[0] == 0


def test_every_line_of_a_followed_program_is_passed_on() -> None:
    lines: list[str] = []

    code = follow_program(["sh", "-c", "echo one; echo two >&2; exit 4"], lines.append)

    assert (code, lines) == (4, ["one\n", "two\n"])


def test_a_followed_program_ends_when_its_follower_fails() -> None:
    def refuse(line: str) -> None:
        raise LookupError(line)

    with pytest.raises(LookupError, match="begun"):
        follow_program(["sh", "-c", "echo begun; exec sleep 60"], refuse)


def test_an_interrupt_is_for_the_program_in_the_terminal(tmp_path: Path) -> None:
    done = tmp_path / "done"

    code = run_in_terminal(["sh", "-c", f"kill -INT $PPID; touch '{done}'; exit 5"])

    assert code == 5
    assert done.exists()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_program_in_the_terminal_can_be_interrupted() -> None:
    assert run_in_terminal(["sh", "-c", "kill -INT $$"]) == -signal.SIGINT


def test_a_detached_program_has_a_session_of_its_own_and_no_output(tmp_path: Path) -> None:
    found = tmp_path / "found"
    script = (
        "import os, sys; ends = [os.readlink(f'/proc/self/fd/{end}') for end in range(3)];"
        "open(sys.argv[1], 'w').write(f'{os.getsid(0) == os.getpid()} {set(ends)}')"
    )

    os.waitpid(start_detached([sys.executable, "-c", script, str(found)]), 0)

    assert found.read_text(encoding="utf-8") == "True {'/dev/null'}"


def test_a_process_ends_without_a_word_about_a_program_that_it_detached() -> None:
    script = (
        "import sys; from holdfast.adapters.processes.running import start_detached;"
        "start_detached([sys.executable, '-c', ''])"
    )

    found = run(sys.executable, "-W", "error", "-c", script)

    assert found == (0, b"", b"")


def test_a_piped_program_answers_until_it_is_ended() -> None:
    before = open_files()
    program = PipedProgram(["cat"], environment=ENVIRONMENT)

    os.write(program.to, b"question")
    answer = os.read(program.back, 100)
    program.end()
    program.end()

    assert answer == b"question"
    assert open_files() == before


def test_a_piped_program_ends_with_its_object() -> None:
    before = open_files()
    program = PipedProgram(["cat"], environment=ENVIRONMENT)
    assert open_files() > before

    del program

    assert open_files() == before
