"""Small JSON files: reading that never fails in a surprising way, and a checksum for caches."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from holdfast.adapters.disk.atomic_files import read_plain, write_whole


def parsed(text: bytes | str) -> Any:  # noqa: ANN401 - JSON holds any value
    """Return the value of a JSON text.

    Raises:
        ValueError: It is no JSON, or nested so deeply that it cannot be read.
    """
    try:
        return json.loads(text)
    except RecursionError as error:
        message = "it is nested too deeply"
        raise ValueError(message) from error


def read_json(path: Path | str) -> Any:  # noqa: ANN401 - JSON holds any value
    """Return the value in a JSON file.

    Raises:
        OSError: The file cannot be read.
        ValueError: It holds no JSON.
    """
    return parsed(read_plain(path))


def read_sealed(path: Path | str) -> Any:  # noqa: ANN401 - JSON holds any value
    """Return the value in a file that ``write_sealed`` wrote.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is not what was written.
    """
    seal, _, text = read_plain(path).partition(b"\n")
    if seal != _seal(text):
        message = "its checksum is wrong"
        raise ValueError(message)
    return parsed(text)


def write_sealed(path: Path, text: bytes, *, durable: bool = True) -> None:
    """Write a JSON text with a checksum in its first line, whole or not at all.

    Raises:
        OSError: The file cannot be written.
    """
    write_whole(path, _seal(text) + b"\n" + text, durable=durable)


def read_kept(path: Path) -> Any:  # noqa: ANN401 - JSON holds any value
    """Return the value in a file that ``write_kept`` wrote; from its copy if it is damaged.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: The file and its copy are damaged.
    """
    try:
        return _sealed_or_older(path)
    except FileNotFoundError:
        if not _copy(path).exists():
            raise
    except (OSError, ValueError):
        pass
    try:
        return read_sealed(_copy(path))
    except OSError as error:
        message = "it cannot be read, and its copy is missing"
        raise ValueError(message) from error


def write_kept(path: Path, text: bytes) -> None:
    """Write a JSON text and a copy of it, each with a checksum.

    Raises:
        OSError: The file cannot be written.
    """
    write_sealed(path, text, durable=False)
    write_sealed(_copy(path), text, durable=False)


def is_lost(path: Path) -> bool:
    """Return whether a file that ``write_kept`` wrote is damaged, and its copy too."""
    try:
        read_kept(path)
    except FileNotFoundError:
        return False
    except ValueError:
        return True
    return False


def _sealed_or_older(path: Path) -> Any:  # noqa: ANN401 - JSON holds any value
    """Return the value of a file; earlier releases wrote it without a checksum."""
    content = read_plain(path)
    return parsed(content) if content[:1] in {b"[", b"{"} else read_sealed(path)


def _copy(path: Path) -> Path:
    return path.with_name(f"{path.name}.copy")


def _seal(text: bytes) -> bytes:
    return sha256(text).hexdigest().encode()
