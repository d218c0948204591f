"""The checkout on the machine of a server, for the agents of one space.

Whoever starts the server names it; a client names no path. Its files are read, never written.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.bootstrap.plugs.folder_ports import CodeReading, look_around
from holdfast.bootstrap.service.stated import ServedFiles
from holdfast.domain.errors import BadFieldError
from holdfast.domain.memory.callers import Visible
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Generator

    from holdfast.app import Holdfast
    from holdfast.app.filing import Filing
    from holdfast.bootstrap.plugs.folder_ports import FolderPorts
    from holdfast.bootstrap.service.spaces import SpaceName
    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.memory.place import Place

_READING = CodeReading(is_program=True, visible=Visible.CHECKOUT_ONLY)


class CheckoutFiles(ServedFiles):
    """The files of a checkout that a server shows: pages can be read, and are never written."""

    def __init__(self, home: Path, folder: Path) -> None:
        super().__init__(home)
        self._store_home = home
        self._folder = folder

    def pages(self, holdfast: Holdfast) -> Filing:
        """Return the pages; nothing writes them, because ``keeps_pages`` says that none are kept.

        Raises:
            PagesNeedRepositoryError: The repository is gone.
        """
        from holdfast.bootstrap.pages.filing import filing

        return filing(holdfast, self._folder, self._store_home)


class ServedCheckout:
    """A checkout that the agents of one space see, if they do not state one of their own."""

    def __init__(self, folder: str, *, name: SpaceName, home: Path) -> None:
        self._folder = Path(folder).absolute()
        self._name = name
        self._home = home
        self._repo = self._around().surroundings.place().repo
        # Git answers inside its own folder too, and there every path would be one level off.
        if self._repo is None or ".git" in Path(os.path.realpath(self._folder)).parts:
            raise BadFieldError(field="checkout", problem=f"{folder} is no git repository.")

    def serves(self, name: SpaceName, place: Place, point: BranchPoint | None) -> bool:
        """Return whether a caller at a place works with this checkout.

        A caller that states a branch or a commit has a checkout of its own.
        """
        is_here = place.repo in {None, self._repo}
        return name == self._name and is_here and place.branch is None and point is None

    @contextmanager
    def seen(self, holdfast: Holdfast) -> Generator[Holdfast, None, None]:
        """Yield a memory as seen from the checkout of this moment."""
        around = self._around()
        try:
            yield replace(
                holdfast,
                surroundings=around.surroundings,
                verifier=around.verifier,
                code_index=around.code,
                history_index=around.history,
                attachments=CheckoutFiles(self._home, self._folder),
            )
        finally:
            around.code.close()
            around.history.close()

    def _around(self) -> FolderPorts:
        return look_around(
            space=self._name.space, home=self._home, folder=self._folder, reading=_READING
        )
