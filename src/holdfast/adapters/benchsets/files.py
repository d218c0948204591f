"""Finds and reads the files of an evaluation set."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from holdfast.domain.evaluation.benchmark import BadSetError, NeedsZstandardError, NoSetError
from holdfast.domain.fields import Fields
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_ENDINGS = (".jsonl", ".jsonl.gz", ".jsonl.xz", ".jsonl.zst")


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFolder:
    """A set: its name, the folder of its questions, and the parent folder of all its splits."""

    name: str
    questions: Path
    whole: Path


def find_sets(folder: Path, split: str) -> tuple[SetFolder, ...]:
    """Return the sets in a folder: the folder itself if it is one, else those inside it.

    Raises:
        NoSetError: There is none.
    """
    if not folder.is_dir():
        raise NoSetError(str(folder), "there is no such folder.")
    if (own := _as_set(folder, split)) is not None:
        return (own,)
    inside = [_as_set(one, split) for one in sorted(folder.iterdir()) if one.is_dir()]
    found = tuple(one for one in inside if one is not None)
    if not found:
        raise NoSetError(str(folder), f"nothing in it has questions of the split '{split}'.")
    return found


def _as_set(folder: Path, split: str) -> SetFolder | None:
    if part(folder, "queries") is not None:
        # A split's folder has the name of the split; the set is its parent folder.
        whole = folder.parent if folder.name == split else folder
        return SetFolder(name=whole.name, questions=folder, whole=whole)
    if part(folder / split, "queries") is not None:
        return SetFolder(name=folder.name, questions=folder / split, whole=folder)
    return None


def part(folder: Path, stem: str) -> Path | None:
    """Return the file of a set with that name, with any compression."""
    for ending in _ENDINGS:
        if (path := folder / f"{stem}{ending}").is_file():
            return path
    return None


def lines(path: Path) -> Iterator[Mapping[str, object]]:
    """Return the objects in a file, one per line.

    Raises:
        BadSetError: A line is no JSON object, or the file is truncated.
        NeedsZstandardError: The file needs a package that is not installed.
    """
    return (shape for _, shape in _numbered(path))


def records(path: Path, *, noun: str) -> Iterator[tuple[int, Fields]]:
    """Return the fields of the objects in a file, each with the number of its line.

    Raises:
        BadSetError: A line is no JSON object, or the file is truncated.
        NeedsZstandardError: The file needs a package that is not installed.
    """
    for number, shape in _numbered(path):
        yield number, Fields(shape, noun=noun)


def _numbered(path: Path) -> Iterator[tuple[int, Mapping[str, object]]]:
    number = 0
    try:
        with _opened(path) as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, _object(line, path, number)
    except (OSError, EOFError, lzma.LZMAError, _zstd_error()) as error:
        problem = f"cannot be read: {error}."
        raise BadSetError(str(path), problem, line=number + 1) from error


def _object(line: str, path: Path, number: int) -> Mapping[str, object]:
    try:
        found = json.loads(line)
    except ValueError as error:
        raise BadSetError(str(path), f"is not JSON: {error}.", line=number) from None
    if not isinstance(found, dict):
        raise BadSetError(str(path), "is not an object.", line=number)
    return cast("Mapping[str, object]", found)


def _opened(path: Path) -> IO[str]:
    match path.suffix:
        case ".gz":
            return gzip.open(path, "rt", encoding="utf-8", errors="replace")
        case ".xz":
            return lzma.open(path, "rt", encoding="utf-8", errors="replace")
        case ".zst":
            return _unpacked(path)
        case _:
            return path.open(encoding="utf-8", errors="replace")


def _unpacked(path: Path) -> IO[str]:
    import io

    try:
        from holdfast.adapters.benchsets.zst import ZstFile
    except ImportError:
        raise NeedsZstandardError(str(path)) from None
    return io.TextIOWrapper(io.BufferedReader(ZstFile(path)), encoding="utf-8", errors="replace")


def _zstd_error() -> type[BaseException]:
    try:
        import zstandard
    except ImportError:
        return EOFError
    return zstandard.ZstdError
