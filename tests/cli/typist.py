"""A person at a terminal who reads before they type."""

from __future__ import annotations

import codecs
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.cli.program import Program
from tests.patience import PATIENCE

PROMPT = r"\[q\] quit"


@dataclass
class Typist:
    """Waits for what the program shows, then types."""

    process: subprocess.Popen[bytes]
    ours: int
    theirs: int
    seen: str = ""
    unread: str = ""
    decoder: codecs.IncrementalDecoder = field(
        default_factory=codecs.getincrementaldecoder("utf-8")
    )

    def until(self, pattern: str) -> str:
        """Read until the pattern is shown; return what was shown up to its end."""
        while (found := re.search(pattern, self.unread)) is None:
            ready, _, _ = select.select([self.ours], [], [], PATIENCE)
            assert ready, f"never shown: {pattern} in {self.unread}"
            self._read()
        shown, self.unread = self.unread[: found.end()], self.unread[found.end() :]
        return shown

    def _read(self) -> None:
        shown = self.decoder.decode(os.read(self.ours, 65536))
        self.seen += shown
        self.unread += shown

    def types(self, keys: str) -> None:
        """Type without reading."""
        os.write(self.ours, keys.encode())

    def at_prompt(self, keys: str) -> str:
        """Type when the keys are offered; return what was shown before that."""
        shown = self.until(PROMPT)
        self.types(keys)
        return shown

    def unseen(self, keys: str) -> None:
        """Type when the keys are offered and the terminal shows no typed key any more."""
        self.until(PROMPT)
        end = time.monotonic() + PATIENCE
        while self.is_echoing():
            assert time.monotonic() < end, "typed keys are still shown"
            time.sleep(0.01)
        self.types(keys)

    def is_echoing(self) -> bool:
        """Tell whether the terminal is as a shell wants it: lines, and an echo."""
        local = termios.tcgetattr(self.theirs)[3]
        return bool(local & termios.ICANON and local & termios.ECHO)

    def end(self) -> int:
        """Read the rest and return the exit code."""
        while self.process.poll() is None:
            if select.select([self.ours], [], [], 0.05)[0]:
                self._read()
        while select.select([self.ours], [], [], 0)[0]:
            self._read()
        return self.process.returncode

    def kill(self, number: signal.Signals) -> None:
        """Send a signal."""
        self.process.send_signal(number)


@contextmanager
def typist(program: Program, *words: str, **env: str) -> Generator[Typist, None, None]:
    """Run the program at a terminal of its own."""
    command = [sys.executable, "-m", "holdfast", *words]
    more = {"TERM": "xterm-256color", "NO_COLOR": "1", **env}
    with opened(command, program.folder, {**program.environment, **more}) as person:
        yield person


@contextmanager
def opened(command: list[str], folder: Path, env: dict[str, str]) -> Generator[Typist, None, None]:
    """Run a command at a terminal of its own."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=env
    )
    try:
        yield Typist(process, ours, theirs)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
        os.close(theirs)
