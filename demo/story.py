"""Prints the story and runs its commands, as a person would."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_BOLD, _DIM, _PLAIN = "\033[1m", "\033[2m", "\033[0m"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitRecord:
    """Prints the story and runs its commands."""

    repository: Path
    environment: dict[str, str]
    quiet: bool

    def say(self, words: str) -> None:
        """Print what comes next."""
        self._write(f"\n{self._styled(_BOLD, words)}\n")

    def run(self, *words: str, expect: int = 0) -> str:
        """Run a command and print its output."""
        said = self.ask(*words, expect=expect)
        self._write(said)
        return said

    def ask(self, *words: str, expect: int = 0, given: str | None = None) -> str:
        """Run a command and return its output; an unexpected exit code ends the demo."""
        shown = " ".join(f"'{word}'" if " " in word else word for word in words)
        self._write(self._styled(_DIM, f"$ {shown}\n"))
        command = [sys.executable, "-m", *words] if words[0] == "holdfast" else list(words)
        answer = subprocess.run(
            command,
            cwd=self.repository,
            env=self.environment,
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        if answer.returncode != expect:
            sys.exit(f"{shown} ended with {answer.returncode}:\n{answer.stdout}{answer.stderr}")
        return answer.stdout + answer.stderr

    def show(self, text: str) -> None:
        """Print a part of a command's output."""
        self._write(f"{text}\n")

    def _write(self, text: str) -> None:
        if not self.quiet:
            sys.stdout.write(text)
            sys.stdout.flush()

    def _styled(self, style: str, text: str) -> str:
        return f"{style}{text}{_PLAIN}" if sys.stdout.isatty() else text
