"""export --notes: the memories of this checkout as a folder of linked notes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.exchange.notes import MARK, notes_of
from holdfast.domain.exchange.shapes import link_from_json, record_from_json
from holdfast.surfaces.cli.values import UnusableFileError

if TYPE_CHECKING:
    from collections.abc import Iterable

_ENDING = ".md"
_HEAD = f"---\n{MARK}"


def write_notes(lines: Iterable[str], folder: Path) -> int:
    """Write the memories of an export as notes; return how many notes there are.

    Notes of an earlier export are replaced, or removed if their memory is gone. No other file of
    the folder is changed.

    Raises:
        UnusableFileError: The folder cannot be written, or has a file of that name that is no note
            of ours; nothing was changed.
    """
    notes = _notes(lines)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        ours = {path.name for path in folder.glob(f"*{_ENDING}") if _is_ours(path)}
        for name in notes:
            if name not in ours and (folder / name).exists():
                raise UnusableFileError(
                    path=str(folder / name), problem="it is no note of Holdfast", done="replaced"
                )
        for name, text in notes.items():
            (folder / name).write_text(text, encoding="utf-8")
        for name in ours - set(notes):
            (folder / name).unlink()
    except OSError as error:
        raise UnusableFileError(path=str(folder), problem=error.strerror, done="written") from error
    return len(notes)


def _notes(lines: Iterable[str]) -> dict[str, str]:
    """Return the text of each note by its file name; sensitive memories have none."""
    records, links = [], []
    for line in lines:
        shape = json.loads(line)
        if shape["type"] == "memory":
            records.append(record_from_json(shape["data"]))
        elif shape["type"] == "link":
            links.append(link_from_json(shape["data"]))
    clear = [one for one in records if not is_sensitive(one.memory)]
    return {f"{name}{_ENDING}": text for name, text in notes_of(clear, links).items()}


def _is_ours(path: Path) -> bool:
    """Tell whether a file is a note that an earlier export wrote."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open(encoding="utf-8", errors="replace") as file:
        return file.read(len(_HEAD)) == _HEAD
