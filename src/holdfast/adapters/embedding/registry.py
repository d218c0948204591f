"""Resolves the name of an embedder: an installed model, a remote one, or a plug-in."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.adapters.embedding.card import CARD_FILE, read_card
from holdfast.adapters.embedding.refusals import PlugInBrokenError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.metadata import EntryPoint
    from pathlib import Path

    from holdfast.ports.recall.embedder import Embedder

GROUP = "holdfast.embedder"
NONE, REMOTE = "none", "remote"


def installed(folder: Path) -> tuple[str, ...]:
    """Return the names of the models in a folder, in order; costs one listing and a stat each."""
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 - the names are all we want
    except OSError:
        return ()
    return tuple(name for name in names if not name.startswith(".") and _is_model(folder / name))


def installed_in(name: str, folders: Sequence[Path]) -> Path:
    """Return the first folder that has the model; the first folder if none has it."""
    return next((folder for folder in folders if _is_model(folder / name)), folders[0])


def open_embedder(name: str, *folders: Path) -> Embedder | None:
    """Return the embedder of that name, or None if it is not installed.

    Only the card is loaded, because every start calls this.

    Raises:
        NoMeaningError: It is installed, but broken.
    """
    if name == NONE:
        return None
    place = installed_in(name, folders) / name
    if _is_model(place):
        from holdfast.adapters.embedding.opening import open_card

        card = read_card(place)
        return None if card is None else open_card(card, place)
    return _plugged_in(name)


def _is_model(folder: Path) -> bool:
    """Return whether a folder has a readable model; a folder without access counts as none."""
    return os.path.exists(folder / CARD_FILE)  # noqa: PTH110 - a path's own way raises there


def _plugged_in(name: str) -> Embedder | None:
    from holdfast.adapters.embedding.sources import KNOWN

    if name in KNOWN:
        return None
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP):
        if point.name == name:
            return _made(point)
    return None


def _made(point: EntryPoint) -> Embedder:
    try:
        embedder: Embedder = point.load()()
    except (ImportError, AttributeError, TypeError) as error:
        raise PlugInBrokenError(name=point.name, problem=str(error)) from error
    return embedder
