"""Finds the files of a model in a folder or an archive."""

from __future__ import annotations

import json
import shutil
import tarfile
import zipfile
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING

from holdfast.adapters.embedding.card import (
    CARD_FILE,
    GRAPH_FILE,
    SCALES_FILE,
    TABLE_FILE,
    VOCABULARY_FILE,
    WEIGHTS_FILE,
)
from holdfast.adapters.embedding.weights import unusable
from holdfast.domain.errors import BadFieldError
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator


_NAMES = {
    CARD_FILE,
    GRAPH_FILE,
    SCALES_FILE,
    TABLE_FILE,
    VOCABULARY_FILE,
    WEIGHTS_FILE,
    "vocab.txt",
    "tokenizer.json",
    "config.json",
    "config_sentence_transformers.json",
}
_ENDINGS = (".safetensors", ".onnx", ".onnx.data", ".onnx_data", ".tar.gz")
_ARCHIVES = (".whl", ".zip", ".tgz", ".tar.gz", ".tar")
_DEEPEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The files of a model that is not built yet."""

    weights: Path
    vocabulary: Path | None
    config: dict[str, object]
    pooling: dict[str, object]
    prompts: dict[str, object]


def unpacked(path: Path, into: Path) -> Path:
    """Return a folder with the usable files of a folder or an archive.

    Raises:
        BadFieldError: It does not exist, is no supported archive, or is damaged.
    """
    if path.is_dir():
        return path
    if not path.is_file():
        raise BadFieldError(field=f"model file {path}", problem="is not there.")
    _unpack(path, into, depth=0)
    return into


def built_folder(folder: Path) -> Path | None:
    """Return the subfolder with a model that Holdfast built, if there is one."""
    return next((card.parent for card in _found(folder, CARD_FILE)), None)


def parts_of(folder: Path, *, member: str) -> Parts:
    """Return the files to build a model from; of several, those at ``member``.

    Raises:
        BadFieldError: It has no weights.
    """
    candidates = [*_found(folder, "*.safetensors"), *_found(folder, "*.onnx")]
    if not candidates:
        raise BadFieldError(
            field=f"model in {folder}",
            problem="is not there: neither model.safetensors nor an ONNX graph is in it.",
        )
    fitting = [path for path in candidates if path.as_posix().endswith(member)]
    weights = (fitting or candidates)[0]
    around = [weights.parent, weights.parent.parent]
    return Parts(
        weights=weights,
        vocabulary=_first(around, "vocab.txt") or _first(around, "tokenizer.json"),
        config=_json(_first(around, "config.json")),
        pooling=_json(_first(around, "1_Pooling/config.json")),
        prompts=_json(_first(around, "config_sentence_transformers.json")),
    )


def _found(folder: Path, pattern: str) -> list[Path]:
    return sorted(folder.rglob(pattern), key=lambda path: (len(path.parts), path.as_posix()))


def _first(folders: list[Path], name: str) -> Path | None:
    return next((path for folder in folders if (path := folder / name).is_file()), None)


def _json(path: Path | None) -> dict[str, object]:
    if path is None:
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise unusable(path, "is not JSON.") from error
    return found if isinstance(found, dict) else {}


def _unpack(archive: Path, into: Path, *, depth: int) -> None:
    try:
        for name, stream in _members(archive):
            target = into.joinpath(*_safe_parts(name))
            target.parent.mkdir(parents=True, exist_ok=True)
            with stream, target.open("wb") as file:
                shutil.copyfileobj(stream, file, 1 << 20)
            if name.endswith(".tar.gz") and depth < _DEEPEST:
                _unpack(target, target.parent, depth=depth + 1)
                target.unlink()
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, zipfile.LargeZipFile) as error:
        raise unusable(archive, "is cut short or damaged; fetch it again.") from error


def _members(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield only the usable files of an archive."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as bundle:
            for entry in bundle.infolist():
                if not entry.is_dir() and _is_wanted(entry.filename):
                    yield entry.filename, bundle.open(entry)
    elif archive.name.endswith(_ARCHIVES):
        with tarfile.open(archive) as bundle:
            for member in bundle:
                if member.isfile() and _is_wanted(member.name):
                    stream = bundle.extractfile(member)
                    if stream is not None:
                        yield member.name, stream
    else:
        kinds = ", ".join(_ARCHIVES)
        raise unusable(archive, f"is no archive we know; there are {kinds}, or give a folder.")


def _is_wanted(name: str) -> bool:
    last = PurePosixPath(name).name
    return last in _NAMES or last.endswith(_ENDINGS)


def _safe_parts(name: str) -> tuple[str, ...]:
    """Return the path inside the archive, without parts that lead out of the folder."""
    return tuple(part for part in PurePosixPath(name).parts if part not in {"/", "..", "."})
