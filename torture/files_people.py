"""A person with an editor: reads a page, pauses, and saves it whole, as four editors do."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

LONGEST_THOUGHT_SECONDS = 0.004
HALF_WAY_SECONDS = 0.002
LONGEST_PAUSE_SECONDS = 0.01


def in_place(path: Path, content: bytes) -> None:
    """Truncate the file and write it again in two halves."""
    with path.open("wb") as file:
        file.write(content[: len(content) // 2])
        file.flush()
        time.sleep(HALF_WAY_SECONDS)
        file.write(content[len(content) // 2 :])


def in_chunks(path: Path, content: bytes) -> None:
    """Truncate the file and write it again in five parts, with a pause after each."""
    step = len(content) // 5 + 1
    with path.open("wb") as file:
        for start in range(0, len(content), step):
            file.write(content[start : start + step])
            file.flush()
            time.sleep(HALF_WAY_SECONDS)


def by_rename(path: Path, content: bytes) -> None:
    """Write a file beside it, and rename it to the page's name."""
    fresh = path.with_name(f".{path.name}.swp-{os.getpid()}")
    fresh.write_bytes(content)
    fresh.replace(path)


def by_backup(path: Path, content: bytes) -> None:
    """Rename the page to a backup, and write a new one."""
    with suppress(FileNotFoundError):
        path.rename(path.with_name(f"{path.name}~"))
    path.write_bytes(content)


def with_probe(path: Path, content: bytes) -> None:
    """Probe whether the folder is writable, copy the page, and write it in place."""
    probe = path.with_name("4913")
    probe.touch()
    probe.unlink()
    with suppress(FileNotFoundError):
        path.with_name(f"{path.name}~").write_bytes(path.read_bytes())
    in_place(path, content)


EDITORS: tuple[Callable[[Path, bytes], None], ...] = (in_place, by_rename, by_backup, with_probe)


class Person:
    """Edits pages without checking whether they changed since they were read."""

    def __init__(self, pages: list[Path], *, seed: int) -> None:
        self._pages = pages
        self._chance = random.Random(seed)
        self._number = 0
        self.saved: list[str] = []

    def edit(self) -> None:
        """Write one line into a page: into an existing entry, or as a new entry."""
        page = self._chance.choice(self._pages)
        try:
            content = page.read_bytes()
        except FileNotFoundError:
            return
        time.sleep(self._chance.uniform(0, LONGEST_THOUGHT_SECONDS))
        word = f"person-{self._number}."
        EDITORS[self._number % len(EDITORS)](page, self._with(content, word))
        self._number += 1
        self.saved.append(word)

    def rest(self) -> None:
        """Wait for a moment."""
        time.sleep(self._chance.uniform(0, LONGEST_PAUSE_SECONDS))

    def _with(self, content: bytes, word: str) -> bytes:
        lines = content.decode().splitlines(keepends=True)
        tokens = [number for number, line in enumerate(lines) if line.startswith("tool-")]
        if tokens and self._chance.random() < 0.5:
            lines.insert(self._chance.choice(tokens) + 1, f"{word}\n")
        else:
            lines.append(f"\n---\ntype: decision\n---\n{word}\n")
        return "".join(lines).encode()
