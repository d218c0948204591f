"""Scenes that several tests begin with: each is made once, and every test finds it as it was made.

A scene with pages in a repository takes a dozen commands and git processes to make. It is put back
at the same place, because git and the store know the folders of a scene by their paths.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar, cast

from tests.cli.program import Program

T = TypeVar("T")


@dataclass(frozen=True)
class Scenes:
    """The scenes of one process of pytest, below a folder of its own."""

    folder: Path
    repository: Path
    home: Path
    made: dict[Callable[[Program], object], tuple[Path, object]] = field(default_factory=dict)

    def of(self, make: Callable[[Program], T]) -> T:
        """Return the scene that a function makes with the program of a person with an empty store.

        What it makes outside of the repository and the home belongs beside them.
        """
        if make not in self.made:
            self.made[make] = self._made(make)
        kept, found = self.made[make]
        place = kept.with_name("scene")
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(kept, place, symlinks=True)
        return cast("T", found)

    def _made(self, make: Callable[[Program], T]) -> tuple[Path, T]:
        around = self.folder / str(len(self.made))
        place = around / "scene"
        program = Program(
            home=Path(shutil.copytree(self.home, place / "home")),
            folder=Path(shutil.copytree(self.repository, place / "app")),
        )
        found = make(program)
        return Path(place.rename(around / "kept")), found
