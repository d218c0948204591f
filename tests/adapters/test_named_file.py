"""A file or a pipe that a person names is read; nothing endless keeps a command waiting."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from holdfast.bootstrap.machine.named_file import open_named, read_named
from tests.requirements import requirement


@requirement("exchange.endless-files-refused")
def test_a_device_is_refused_also_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "zero").symlink_to("/dev/zero")

    for path in (Path("/dev/zero"), tmp_path / "zero"):
        with pytest.raises(OSError, match="it is a device"):
            open_named(path)


@requirement("exchange.endless-files-refused")
def test_a_pipe_that_nobody_writes_into_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    with pytest.raises(OSError, match=r"nobody wrote into this pipe for 0\.01 seconds"):
        open_named(pipe, patience=0.01)


def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    threading.Thread(target=pipe.write_bytes, args=(b"x" * 200_000,), daemon=True).start()

    assert read_named(pipe, most=1_000_000) == b"x" * 200_000


def test_a_file_is_read_in_parts(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"one\ntwo\n")

    with open_named(tmp_path / "file") as file:
        assert list(file) == [b"one\n", b"two\n"]
