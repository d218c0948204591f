"""The adapters around a folder: its repository, verifier, code index and history index.

Each is built on first use, and keeps nothing that cannot be read again.

Parts that are built on first use, so that the program starts fast.
"""

from __future__ import annotations

from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

from holdfast.adapters.git.anchors.surroundings import LocalSurroundings
from holdfast.adapters.git.reading.light import BOOK_FILE
from holdfast.adapters.machine.folders import STORE_FILE
from holdfast.adapters.machine.settings import SettingsFile, data_folder, settings_file
from holdfast.domain.memory.callers import Visible
from holdfast.domain.memory.place import DEFAULT_SPACE
from holdfast.domain.values import dataclass
from holdfast.usecases.screened_surroundings import ScreenedSurroundings

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from holdfast.bootstrap.plugs.addresses import ServerPlace
    from holdfast.domain.memory.place import SpaceId
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.recall.code import CodeIndex, HistoryIndex, Outline
    from holdfast.ports.recall.models import Embedder
    from holdfast.ports.store.upkeep import Progress
    from holdfast.ports.workspaces.contents import Contents

    Watch = Callable[[], AbstractContextManager[Progress]]


class Postponed:
    """A placeholder that builds its part on first use."""

    def __init__(self, make: Callable[[], object]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> object:
        return self._make()

    def __getattr__(self, name: str) -> object:
        return getattr(self._made, name)

    def close(self) -> None:
        """Close the part; one that was never used is not built for this."""
        close = getattr(self._made, "close", None) if "_made" in self.__dict__ else None
        if callable(close):
            close()


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeReading:
    """How the code of a repository is read.

    ``is_program`` allows Holdfast to start itself again, to read code with every core. ``watch``
    shows a person the progress. ``reads_on`` makes a server continue in the background with the
    files that a question had no time for. ``visible`` are the files that evidence may name.
    """

    is_program: bool = False
    watch: Watch | None = None
    reads_on: bool = False
    visible: Visible = Visible.EVERY_FILE


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderPorts:
    """The ports of a folder and its repository."""

    surroundings: Surroundings
    verifier: Verifier
    code: CodeIndex
    history: HistoryIndex


_IN_PROCESS = CodeReading()


def look_around(
    *,
    space: SpaceId = DEFAULT_SPACE,
    home: Path | None = None,
    folder: Path | None = None,
    reading: CodeReading = _IN_PROCESS,
    at: ServerPlace | None = None,
    model: Callable[[], Embedder | None] | None = None,
) -> FolderPorts:
    """Return the ports of a folder in its current state; ``at`` is where the store is.

    ``model`` returns the embedding model that reads documentation of code; code never leaves this
    machine, so it must not be one on the network.
    """
    data, here = home or data_folder(), (folder or Path.cwd()).absolute()
    symbols = outline()
    kept = SettingsFile(settings_file() if home is None else home / "config.toml")
    surroundings = LocalSurroundings(
        here,
        cache=data / BOOK_FILE,
        space=space,
        workspace=kept.value("workspace")[0],
        outline=symbols,
        visible=reading.visible,
    )

    def verifier() -> Verifier:
        from holdfast.adapters.git.anchors.verifier import GitVerifier
        from holdfast.adapters.sqlite.database.files import StoreFiles, exists

        files = StoreFiles(data / STORE_FILE)
        return GitVerifier(
            here,
            cache=Path(files.verdicts),
            repo=lambda: surroundings.place().repo,
            outline=symbols,
            contents=contents,
            may_write=lambda: not exists(files.cipher),
            visible=reading.visible,
        )

    def contents() -> Contents:
        from holdfast.bootstrap.plugs.workspaces import kept_contents

        return kept_contents(home="" if home is None else str(home), at=at)

    def code() -> CodeIndex:
        from holdfast.bootstrap.plugs.code import code_index, no_watch

        return code_index(
            home=home,
            folder=here,
            is_program=reading.is_program,
            watch=reading.watch or no_watch,
            reads_on=reading.reads_on,
            model=model,
        )

    def history() -> HistoryIndex:
        from holdfast.bootstrap.plugs.code import history_index

        return history_index(home=home, folder=here, model=model)

    return FolderPorts(
        surroundings=ScreenedSurroundings(surroundings),
        verifier=cast("Verifier", Postponed(verifier)),
        code=cast("CodeIndex", Postponed(code)),
        history=cast("HistoryIndex", Postponed(history)),
    )


def outline() -> Outline:
    """Return the symbol parser; its process starts when the first file is parsed."""
    return cast("Outline", Postponed(_outline))


@cache
def _outline() -> Outline:
    """Return the symbol parser, which runs in a separate process, started at most once."""
    from holdfast.adapters.code.parsing.isolated import IsolatedOutline

    return IsolatedOutline()
