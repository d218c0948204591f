"""The folders of installed models; a model is installed atomically.

A small test that a model distinguishes meanings.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder
from holdfast.adapters.disk.file_locks import open_lock
from holdfast.adapters.embedding.card import Card, read_card, sealed
from holdfast.adapters.embedding.errors import ModelBrokenError, ModelNotWrittenError
from holdfast.adapters.embedding.known_models import KNOWN
from holdfast.adapters.embedding.network.names import network_name
from holdfast.adapters.embedding.registry import installed, installed_in, open_card
from holdfast.adapters.embedding.sense import check_sense
from holdfast.domain.errors import BadFieldError, NoSuchError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    Progress = Callable[[int, int], None]


_PARTIAL = ".partial-"
_LOCK = ".lock"
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,59}")
_RESERVED = frozenset({"none", "remote"})


class ModelFolder:
    """The models of a person, one folder for each.

    ``also`` are further folders whose models can be used; nothing is ever written there.
    """

    def __init__(self, folder: Path, *, also: tuple[Path, ...] = ()) -> None:
        self.folder = folder
        self._folders = (folder, *also)

    def place(self, name: str) -> Path:
        """Return the folder of a model, whether or not it exists.

        Raises:
            BadFieldError: That is not a valid name of a model.
        """
        if network_name(name) is not None:
            raise BadFieldError(
                field=f"model '{name}'",
                problem="is on the network: it has no files to install or to remove.",
            )
        if not _NAME.fullmatch(name) or name in _RESERVED:
            raise BadFieldError(
                field=f"name '{name}'",
                problem="cannot be a model's; use small letters, digits, dots and hyphens.",
            )
        return self.folder / name

    def card(self, name: str) -> Card | None:
        """Return the card of a model, if it is installed."""
        return read_card(self._found(name))

    def names(self) -> tuple[str, ...]:
        """Return the names of the installed models, in order."""
        found = {name for folder in self._folders for name in installed(folder)}
        return tuple(sorted(name for name in found if _NAME.fullmatch(name)))

    def install(self, name: str, given: Path | None, *, force: bool, progress: Progress) -> Card:
        """Download a model or take the given file, build it, and install it atomically.

        A concurrent install waits for this one. An installed model stays unchanged, unless
        ``force`` is set.

        Raises:
            BadFieldError: There is no such model, or the given file is none.
            NoMeaningError: It could not be downloaded, built or written.
        """
        from holdfast.adapters.embedding.building import check_tools

        target, source = self.place(name), KNOWN.get(name)
        if source is None and given is None:
            raise _unknown(name)
        check_tools(source)
        with self._alone(name):
            if not force and (card := self.card(name)) is not None:
                return card
            with self._partial() as partial:
                card = self._built(name, given, partial, progress)
                check_sense(open_card(card, partial / name), name)
                _put_in_place(partial / name, target)
        return card

    def remove(self, name: str) -> None:
        """Remove a model and its files.

        Raises:
            BadFieldError: It is in a read-only folder.
            NoSuchError: It is not installed.
        """
        target = self.place(name)
        if not target.is_dir():
            if self.card(name) is not None:
                raise BadFieldError(
                    field=f"model '{name}'",
                    problem=f"was not installed by this store and stays in {self._found(name)}; "
                    "'holdfast model use none' stops using it.",
                )
            raise NoSuchError(noun="installed model", reference=name)
        with self._alone(name), self._partial() as partial:
            target.replace(partial / name)

    def verify(self, name: str) -> Card:
        """Recompute every hash, embed two pairs of sentences, and return the card.

        Raises:
            NoSuchError: It is not installed.
            NoMeaningError: A file has changed, or the model does not distinguish meanings.
        """
        folder = self._found(name)
        card = read_card(folder)
        if card is None:
            raise NoSuchError(noun="installed model", reference=name)
        for file, seal in card.files.items():
            try:
                found = sealed(folder / file)
            except OSError as error:
                raise _damaged(card, problem=f"{folder / file}: {error.strerror}") from error
            if found != seal:
                raise _damaged(card, problem=f"{folder / file} is not the file that was installed")
        check_sense(open_card(card, folder), name)
        return card

    def _found(self, name: str) -> Path:
        """Return the folder of an installed model, or the folder for a new one."""
        place = self.place(name)
        return installed_in(name, self._folders) / place.name

    def _built(self, name: str, given: Path | None, partial: Path, progress: Progress) -> Card:
        from holdfast.adapters.embedding.building import build
        from holdfast.adapters.embedding.fetching import check_pinned, comes_from, fetch

        source = KNOWN.get(name)
        for part in ("fetched", "unpacked", name):
            (partial / part).mkdir(mode=0o700)
        if given is None:
            if source is None:
                raise _unknown(name)
            given = fetch(source, partial / "fetched", progress)
        elif source is not None and comes_from(source, given):
            check_pinned(source, given)
        return build(name, given, partial / name, source=source, work=partial / "unpacked")

    @contextmanager
    def _alone(self, name: str) -> Generator[None]:
        """Hold the install lock; it ends with the process."""
        try:
            make_own_folder(self.folder)
            lock = open_lock(self.folder / _LOCK)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX)
                self._sweep()
                yield
            finally:
                os.close(lock)
        except OSError as error:
            raise _unwritable(name, error, self.folder) from error

    def _sweep(self) -> None:
        """Remove the remains of a killed install; the caller holds the lock."""
        for path in self.folder.glob(f"{_PARTIAL}*"):
            shutil.rmtree(path, ignore_errors=True)

    @contextmanager
    def _partial(self) -> Generator[Path]:
        path = Path(tempfile.mkdtemp(prefix=_PARTIAL, dir=self.folder))
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)


def _put_in_place(fresh: Path, target: Path) -> None:
    """Sync the files, then rename; a crash leaves the old model, the new one or none."""
    for path in [*fresh.iterdir(), fresh]:
        _sync(path)
    if target.exists():
        target.replace(fresh.parent / "old")
    fresh.replace(target)
    _sync(target.parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _unknown(name: str) -> BadFieldError:
    return BadFieldError(
        field=f"model '{name}'",
        problem=f"is not known; there are: {', '.join(KNOWN)}. Give another with --from PATH.",
    )


def _damaged(card: Card, *, problem: str) -> ModelBrokenError:
    return ModelBrokenError(name=card.name, problem=problem)


def _unwritable(name: str, error: OSError, folder: Path) -> ModelNotWrittenError:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return ModelNotWrittenError(
            name=name,
            problem=f"the disk that holds {folder} is full",
            advice="Free half a gigabyte and try again.",
        )
    return ModelNotWrittenError(
        name=name,
        problem=f"{error.filename or folder}: {error.strerror or error}",
        advice="Mend that, or set HOLDFAST_MODELS to another folder, and try again.",
    )
