"""The files of sessions and of a repository's state below ``.holdfast``."""

from __future__ import annotations

import hashlib
import json
import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder, write_whole
from holdfast.adapters.disk.json_files import read_json
from holdfast.adapters.files.clone_state import state_of
from holdfast.adapters.files.disk import UnreadableError, held_lock, open_folder, read_file
from holdfast.adapters.files.pages import HOME
from holdfast.adapters.files.private_files import FilePrivateFiles, keep_private
from holdfast.adapters.files.replacing import Stash, Swapper
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.refusals import PageUnwritableError
from holdfast.domain.sessions.session_file import PROJECT_FILE, SESSIONS_FOLDER
from holdfast.ports.pages.session_files import FileBase

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from holdfast.domain.review.traces import GoneText
    from holdfast.ports.anchors.clone import Versions

STATE_FOLDER = "session-files"
PROJECT_PATH = f"{HOME}/{PROJECT_FILE}"
_ENDING = ".json"
_ESCAPED = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
_NOT_TEXT = "It is not UTF-8 text."


class FileSessionFiles:
    """The files of one working tree."""

    def __init__(self, root: Path, versions: Versions, *, store: str = "") -> None:
        self._root, self._versions = root, versions
        state = versions.state_folder()
        self._lock = state / "pages.lock"
        self._bases = SessionBases(state, store)
        self._swapper = Swapper(root, Stash(state / "pages"))

    def path(self, name: str) -> str:
        """Return the path of a file."""
        return f"{HOME}/{name}"

    def read(self) -> tuple[Mapping[str, str], Sequence[Flaw]]:
        """Read every file."""
        texts: dict[str, str] = {}
        flaws: list[Flaw] = []
        try:
            names = list(self._names())
        except UnreadableError as error:
            names = [(HOME, PROJECT_FILE)]
            flaws.append(Flaw(path=f"{HOME}/{SESSIONS_FOLDER}", line=1, problem=str(error)))
        for folder, name in names:
            path = f"{folder}/{name}"
            try:
                found = self._content(folder, name)
                if found is not None:
                    texts[path] = found.decode("utf-8")
            except UnreadableError as error:
                flaws.append(Flaw(path=path, line=1, problem=str(error)))
            except UnicodeDecodeError:
                flaws.append(Flaw(path=path, line=1, problem=_NOT_TEXT))
        return texts, flaws

    def text(self, path: str) -> str | None:
        """Return the text of one file."""
        folder, _, name = path.rpartition("/")
        try:
            found = self._content(folder, name)
            return None if found is None else found.decode("utf-8")
        except (UnreadableError, UnicodeDecodeError):
            return None

    def _names(self) -> Iterator[tuple[str, str]]:
        yield HOME, PROJECT_FILE
        place = f"{HOME}/{SESSIONS_FOLDER}"
        with open_folder(self._root, *place.split("/")) as folder:
            # The folder is open, so that no link can lead elsewhere.
            names = [] if folder is None else sorted(os.listdir(folder))  # noqa: PTH208 - it is open
            yield from ((place, name) for name in names if _is_ours(name))

    def _content(self, place: str, name: str) -> bytes | None:
        with open_folder(self._root, *place.split("/")) as folder:
            return None if folder is None else read_file(folder, name)

    def write(self, path: str, text: str, *, over: str | None) -> bool:
        """Write a file over the expected text."""
        expected = None if over is None else over.encode()
        reason = None
        # A link or a folder in place of the file is left; a sync names it.
        with held_lock(self._lock), suppress(UnreadableError):
            if path != PROJECT_PATH:
                reason = keep_private(self._root, self._versions, path)
            if reason is None:
                content = self._swapper.read(path)
                return content == expected and self._swapper.swap(path, expected, text.encode())
        if reason is not None:
            FilePrivateFiles(self._root, self._versions, agreed=self.agreed).hide()
            raise PageUnwritableError(path, reason)
        return False

    def base(self, path: str) -> FileBase | None:
        """Return the text on which this file and the store last agreed."""
        return self._bases.of(path)

    def agreed(self, path: str) -> str | None:
        """Return the words of that text; None if they never agreed."""
        base = self._bases.of(path)
        return None if base is None else base.text

    def set_base(self, path: str, base: FileBase) -> None:
        """Store that text."""
        file = self._bases.file(path)
        try:
            make_own_folder(file.parent)
            kept: dict[str, object] = {"text": base.text, "at": base.at, "branch": base.branch}
            kept |= {"agents": base.agents, "ignored": base.is_ignored}
            write_whole(file, json.dumps(kept).encode(), durable=False)
        except OSError as error:
            raise PageUnwritableError(str(file), str(error.strerror)) from error

    def committed(self) -> Mapping[str, str]:
        """Return the texts of all files in the last commit."""
        found: dict[str, str] = {}
        for path, content in self._versions.committed(HOME).items():
            with suppress(UnicodeDecodeError):
                found[path] = content.decode("utf-8")
        return found


class SessionBases:
    """The texts on which the files of one clone and a store last agreed, beside the clone."""

    def __init__(self, state: Path, store: str) -> None:
        self._folder = state_of(state, store) / STATE_FOLDER

    def file(self, path: str) -> Path:
        """Return where the text of a file is."""
        name = hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        return self._folder / f"{name}.json"

    def of(self, path: str) -> FileBase | None:
        """Return the text of a file; None if there is none, or it cannot be read."""
        return _read_base(self.file(path))

    def drop(self, gone: Sequence[GoneText]) -> bool:
        """Delete every text that contains a forgotten one; return whether there was one."""
        held = [
            file
            for file in sorted(self._folder.glob(f"*{_ENDING}"))
            if (base := _read_base(file)) is not None
            if any(is_in_session_file(base.text, one) for one in gone)
        ]
        for file in held:
            file.unlink(missing_ok=True)
        return bool(held)


def _read_base(file: Path) -> FileBase | None:
    with suppress(OSError, ValueError):
        kept = read_json(file)
        if isinstance(kept, dict) and isinstance(kept.get("text"), str):
            at = kept.get("at")
            return FileBase(
                text=kept["text"],
                at=at if isinstance(at, str) else None,
                branch=str(kept.get("branch", "")),
                agents=str(kept.get("agents", "")),
                is_ignored=kept.get("ignored") is True,
            )
    return None


def is_in_session_file(text: str, gone: GoneText) -> bool:
    """Tell whether a file contains a forgotten text, as it is or as a string of JSON."""
    return gone.is_in(text) or gone.is_in(_ESCAPED.sub(_character, text))


def _character(escaped: re.Match[str]) -> str:
    return str(json.loads(f'"{escaped[0]}"'))


def is_synced_with_files(state: Path) -> bool:
    """Return whether any store ever wrote or read such a file of a clone."""
    places = (state / STATE_FOLDER, *state.glob(f"stores/*/{STATE_FOLDER}"))
    return any(place.is_dir() for place in places)


def _is_ours(name: str) -> bool:
    return name.endswith(_ENDING) and not name.startswith(".") and name.isprintable()
