"""The program as a person meets it: words in, text and an exit code out."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from holdfast.surfaces.cli.main import main
from tests.cli.answers import check_answer
from tests.patience import PATIENCE

SRC = Path(__file__).parents[2] / "src"
PROGRAM = (sys.executable, "-m", "holdfast")
# The same program without the limits in seconds of a hook call. Tests about what a hook answers
# start this one, so that a slow machine does not turn an answer into an empty one.
_UNHURRIED = """
import sys
from holdfast.adapters.tool_sessions import notes
from holdfast.surfaces.cli.main import main
notes._PATIENCE_SECONDS = notes._TURN_SECONDS = 600.0
main(sys.argv[1:])
"""
UNHURRIED = (sys.executable, "-c", _UNHURRIED)


@dataclass(frozen=True)
class Finished:
    """What a command said, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it said, as JSON."""
        return json.loads(self.out)

    @property
    def id(self) -> str:
        """The first word it said."""
        return self.out.split()[0]

    def well(self) -> Finished:
        """Insist that it went well."""
        assert self.code == 0, (self.out, self.err)
        assert "Traceback" not in self.err
        return self


@dataclass(frozen=True)
class Program:
    """Runs holdfast in a folder, with a home of its own."""

    home: Path
    folder: Path
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        """The variables the program sees: nothing of the person who runs the tests."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        ours = {"HOLDFAST_HOME": str(self.home), "PYTHONPATH": str(SRC), "USER": "ada"}
        # No model of the checkout: what a test shows must not depend on what is installed.
        models = {"HOLDFAST_MODELS": str(self.home / "models"), "HOLDFAST_CONFLICTS_JUDGE": "off"}
        return {**kept, **ours, **models, "HOME": str(self.home), **self.extra}

    def start(
        self,
        *words: str,
        stdin: bytes = b"",
        env: Mapping[str, str] | None = None,
        program: Sequence[str] = PROGRAM,
        patience: float = PATIENCE,
    ) -> Finished:
        """Run it as a process of its own."""
        done = subprocess.run(
            [*program, *words],
            input=stdin,
            capture_output=True,
            cwd=self.folder,
            env={**self.environment, **(env or {})},
            check=False,
            timeout=patience,
        )
        check_answer(words, done.stdout.decode(), done.stderr.decode())
        return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())

    def bash(self, line: str, **env: str) -> Finished:
        """Run a line of shell in which ``holdfast`` is the program."""
        define = f'holdfast() {{ "{sys.executable}" -m holdfast "$@"; }}; '
        done = subprocess.run(
            ["/bin/bash", "-o", "pipefail", "-c", define + line],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            cwd=self.folder,
            env={**self.environment, **env},
            check=False,
            timeout=PATIENCE,
        )
        return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())

    def __call__(
        self, *words: str, stdin: str | bytes = b"", env: Mapping[str, str] | None = None
    ) -> Finished:
        """Run it in this process: the same code, a tenth of the time."""
        out, err = _stream(), _stream()
        given = stdin.encode() if isinstance(stdin, str) else stdin
        before = Path.cwd()
        os.chdir(self.folder)
        try:
            with (
                mock.patch.dict(os.environ, {**self.environment, **(env or {})}, clear=True),
                mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(given))),
                # A background process lowers its own priority: that would stay for all later tests.
                mock.patch.object(os, "nice", _no_change),
                contextlib.redirect_stdout(out),
                contextlib.redirect_stderr(err),
            ):
                code = _exit_code(words)
        finally:
            os.chdir(before)
        check_answer(words, _text(out), _text(err))
        return Finished(code, _text(out), _text(err))


def _exit_code(words: tuple[str, ...]) -> int:
    try:
        main(words)
    except SystemExit as ending:
        return ending.code if isinstance(ending.code, int) else 1


def _no_change(_increment: int) -> int:
    return 0


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()
