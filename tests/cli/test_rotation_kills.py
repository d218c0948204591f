"""A rotation that is killed at any moment loses no record, and goes on."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import holdfast
from tests.requirements import requirement

RECORDS, KILLS = 30, 12
# It says every step, so that it can be killed at any of them; the last word is that it is done.
ROTATE = """
import sys, holdfast
from holdfast.usecases.encryption import rotating
rotating._STEP = 2
with holdfast.open(sys.argv[1]) as hf:
    print("begins", flush=True)
    hf.app.encryption.rotate(progress=lambda done, total: print(done, total, flush=True))
    print("done", flush=True)
"""


def rotate_until(step: int, folder: Path) -> bool:
    """Rotate in a process of its own, and kill it after some steps; return whether it was done."""
    process = subprocess.Popen(
        [sys.executable, "-c", ROTATE, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line.strip())
        if len(lines) > step:
            process.send_signal(signal.SIGKILL)
            break
    process.communicate()
    return "done" in lines


@requirement("encryption.rotation")
def test_killed_rotations_leave_every_record_readable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(15)  # noqa: S311 - the moments of the kills
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOLDFAST_KEYS", str(tmp_path / "keys"))
    texts: dict[str, str] = {}
    with holdfast.open(tmp_path) as hf:
        hf.keys.create()
        for number in range(RECORDS):
            kept = hf.remember(f"Vault {number}.", because="Seen.", scope="global", sensitive=True)
            texts[kept.id] = f"Vault {number}."
    ended = 0

    for _ in range(KILLS):
        ended += rotate_until(chance.randrange(RECORDS // 2 + 2), tmp_path)
        with holdfast.open(tmp_path) as hf:
            assert hf.keys.check() == {}

    with holdfast.open(tmp_path) as hf:
        hf.keys.rotate()
        needed = {one.id for one in hf.app.encryption.known_keys() if one.records}
        for key in hf.keys.list():
            if key.id not in needed:
                hf.keys.remove(key.id)
        assert len(hf.keys.list()) == 1
        assert {name: hf.reveal(name).text for name in texts} == texts
    assert ended < KILLS
