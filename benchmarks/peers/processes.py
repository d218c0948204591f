"""Runs stores in separate processes: starts one, sends it commands, or times its whole life."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.peers.peer import Entry

ROOT = Path(__file__).parents[2]
Answer = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolInstaller:
    """The paths: the environments of the other stores, the stores, the material, the log."""

    environments: Path
    stores: Path
    material: Path

    def python_of(self, entry: Entry) -> Path:
        """Return the Python interpreter of a store."""
        if entry.environment == "own":
            return Path(sys.executable)
        return self.environments / entry.environment / "bin" / "python"

    def has(self, entry: Entry) -> bool:
        """Return whether the store's environment is complete."""
        if entry.environment == "own":
            return True
        return (self.environments / entry.environment / ".ready").exists()

    def folder_of(self, entry: Entry) -> Path:
        """Return the folder of a store's files."""
        return self.stores / entry.module

    def command(self, entry: Entry, *more: str) -> list[str]:
        """Return the command that runs a store."""
        place = [str(self.folder_of(entry)), str(self.material)]
        return [
            *(str(self.python_of(entry)), "-m", "benchmarks.peers.runner", entry.name),
            *place,
            *more,
        ]

    def environment(self) -> dict[str, str]:
        """Return the process environment: this code, compiled once, no network, no telemetry."""
        # An installed store has compiled code; from a source tree the first run compiles it.
        kept = {key: os.environ[key] for key in os.environ if key != "PYTHONDONTWRITEBYTECODE"}
        return {
            **kept,
            "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}",
            "ANONYMIZED_TELEMETRY": "False",
            "MEM0_TELEMETRY": "False",
            "DO_NOT_TRACK": "1",
            "HF_HUB_OFFLINE": "1",
            "LANGSMITH_TRACING": "false",
        }


class Running:
    """A running store process that waits for commands."""

    def __init__(self, workshop: ToolInstaller, entry: Entry) -> None:
        self.entry = entry
        self._log = workshop.stores / f"{entry.module}.log"
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                workshop.command(entry),
                cwd=ROOT,
                env=workshop.environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
            )

    def tell(self, **line: object) -> Answer:
        """Send a command and return the answer.

        Raises:
            StoreFailedError: The process ended.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(line).encode() + b"\n")
            self._process.stdin.flush()
            said = self._process.stdout.readline()
        except BrokenPipeError:
            said = b""
        if not said:
            self._process.wait()
            raise StoreFailedError(self.entry.name, self._log)
        answer: Answer = json.loads(said)
        return answer

    def end(self) -> None:
        """End the process, by force if necessary."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


class StoreFailedError(RuntimeError):
    """A store's process ended before it answered."""

    def __init__(self, name: str, log: Path) -> None:
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        super().__init__(f"{name} failed: {lines[-1] if lines else 'it said nothing'} (see {log})")


def cold(workshop: ToolInstaller, entry: Entry, question: int) -> tuple[float, float]:
    """Return CPU and wall milliseconds of a process that opens a store and asks once."""
    started = time.perf_counter()
    log = workshop.stores / f"{entry.module}.log"
    with log.open("ab") as errors:
        process = subprocess.Popen(
            workshop.command(entry, "--cold", str(question)),
            cwd=ROOT,
            env=workshop.environment(),
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - started
    if process.returncode:
        raise StoreFailedError(entry.name, log)
    return 1000 * (usage.ru_utime + usage.ru_stime), 1000 * wall
