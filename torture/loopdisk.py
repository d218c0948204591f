"""A disk in a file: a real ext4 whose backing file can be copied as after a power cut."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

MEBIBYTES = 48


class MountError(RuntimeError):
    """The machine does not let us mount."""


def unable() -> str:
    """Return why no disk can be mounted here; '' if it can."""
    if os.geteuid() != 0:
        return "needs root to mount a loop device"
    if not Path("/dev/loop-control").exists():
        return "there are no loop devices here"
    for program in ("mkfs.ext4", "mount", "umount"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    return ""


def blank_disk(image: Path, *, block: int = 4096) -> None:
    """Create an empty ext4 with this block size in bytes."""
    with image.open("wb") as file:
        file.truncate(MEBIBYTES << 20)
    options = "lazy_itable_init=0,lazy_journal_init=0"
    _run("mkfs.ext4", "-q", "-F", "-b", str(block), "-E", options, str(image))


@contextmanager
def mounted(image: Path, at: Path) -> Generator[Path, None, None]:
    """Mount an image for the duration of the block."""
    at.mkdir(parents=True, exist_ok=True)
    _run("mount", "-o", "loop", str(image), str(at))
    try:
        yield at
    finally:
        _unmount(at)


@contextmanager
def small_memory_disk(at: Path, *, size: str) -> Generator[Path, None, None]:
    """Mount a small disk in memory."""
    at.mkdir(parents=True, exist_ok=True)
    _run("mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(at))
    try:
        yield at
    finally:
        _unmount(at)


def resize(at: Path, *, size: str) -> None:
    """Resize a disk in memory."""
    _run("mount", "-o", f"remount,size={size}", str(at))


def cut(image: Path, copy: Path) -> None:
    """Copy the disk's content until two copies agree, so that no write was in flight."""
    before = b""
    while True:
        _run("cp", "--sparse=always", str(image), str(copy))
        with copy.open("rb") as file:
            now = hashlib.file_digest(file, "sha1").digest()
        if now == before:
            return
        before = now


def _unmount(at: Path) -> None:
    if subprocess.run(["umount", str(at)], capture_output=True, check=False).returncode:
        _run("umount", "--lazy", str(at))


def _run(*line: str) -> None:
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode:
        said = f"{' '.join(line[:2])}: {done.stderr.strip()}"
        raise MountError(said)
