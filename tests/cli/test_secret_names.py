"""A repository whose names hold a secret: branch, symbol, file, remote."""

from __future__ import annotations

import pytest

import holdfast
from holdfast.domain.access_errors import NoSuchStoreError
from holdfast.domain.errors import SecretRefusedError
from holdfast.domain.memory.place import SpaceId
from holdfast.surfaces.mcp.engine import OpenMemory
from tests.cli.program import Program
from tests.cli.test_hooks import git
from tests.requirements import requirement

SECRET = "ghp_" + "a1B2" * 9  # no secret, only shaped like one


@requirement("gate.every-field")
def test_no_name_of_a_repository_carries_a_secret_into_the_home(program: Program) -> None:
    code = f"def handle_{SECRET}():\n    return 1\n"
    (program.folder / "handlers.py").write_text(code, encoding="utf-8")
    git(program, "checkout", "-qb", f"feat/{SECRET}")
    git(program, "remote", "add", "origin", f"https://bob:{SECRET}@example.com/x/y.git")
    git(program, "add", ".")
    git(program, "commit", "-qm", f"Handle {SECRET}")

    program("remember", "Handlers return one.", "--evidence", "handlers.py:1-2").well()
    program("run", "start", "--goal", "mend it").well()
    (program.folder / f"{SECRET}.txt").write_text("x\n", encoding="utf-8")
    git(program, "add", ".")
    git(program, "commit", "-qm", "Add a file")
    program("run", "finish", "--summary", "Handlers return one now.").well()
    answer = program("recall", "what do handlers return").well()

    assert "Handlers return one." in answer.out
    ours = [path for path in program.home.rglob("*") if path.is_file()]
    held = [path.name for path in ours if SECRET.encode() in path.read_bytes()]
    assert held == []


@requirement("gate.every-field")
def test_a_secret_is_no_name_of_a_space_or_a_remote(program: Program) -> None:
    name = "xoxb-123456789012-123456789012-abcdefghijklmnopqrstuvwx"  # only shaped like one

    space = program("--space", name, "remember", "--because", "I", "Kept apart.")
    remote = program("remote", "add", "http://127.0.0.1:9", "--name", name, "--no-token")

    assert (space.code, remote.code) == (2, 2)
    assert not (program.home / "spaces" / name).exists()
    ours = [path for path in program.home.rglob("*") if path.is_file()]
    assert [path.name for path in ours if name.encode() in path.read_bytes()] == []


@requirement("gate.every-field")
def test_no_door_makes_a_space_whose_name_is_a_secret(program: Program) -> None:
    name = "xoxb-123456789012-123456789012-abcdefghijklmnopqrstuvwx"  # only shaped like one
    home = program.home / "spaces" / name
    engine = OpenMemory(home=home, folder=program.folder, space=SpaceId(name))

    with pytest.raises(SecretRefusedError, match="name of the space"):
        holdfast.open(program.folder, home=program.home, space=name)
    with pytest.raises(NoSuchStoreError):
        engine.here()

    assert not (home / "store.db").exists()
