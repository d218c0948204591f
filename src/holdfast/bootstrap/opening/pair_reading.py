"""The model in the package that reads two claims together, loaded when the first pair is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.bootstrap.opening.readers import can_run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from holdfast.adapters.machine.settings import SettingsFile
    from holdfast.ports.pair_reader import PairReader

SETTING = "conflicts.judge"
IN_THE_PACKAGE, OFF = "wrack", "off"
_ENCRYPTED = "-cipher"


def pair_reader(kept: SettingsFile, store: Path | None) -> Callable[[], PairReader] | None:
    """Return a function that opens the model; None if the settings name another judge, or none.

    By default it is None too if onnxruntime is missing: nobody chose the model, so no note is due.

    The scores are kept beside the file of the store. Without a file, and beside one that is
    encrypted as a whole, they are kept in this process only: a claim of a store on a server can be
    forgotten on another machine, which reaches no file of this one.
    """
    name, source = kept.value(SETTING)
    if name != IN_THE_PACKAGE or (source == "default" and not can_run()):
        return None
    opened: list[PairReader] = []

    def opening() -> PairReader:
        if not opened:
            opened.append(_opened(store))
        return opened[0]

    return opening


def _opened(store: Path | None) -> PairReader:
    from holdfast.adapters.embedding.judging import carried_judge
    from holdfast.adapters.embedding.kept_scores import (
        KeptPairReader,
        KeptScores,
        remove_scores,
        scores_folder,
    )

    model = carried_judge()
    label = model.source.stem
    if store is None:
        return KeptPairReader(model, KeptScores(None, label))
    note = store.with_name(f"{store.name}{_ENCRYPTED}")
    if note.exists():  # whoever encrypted the store was stopped before this was removed
        remove_scores(store.parent)
    return KeptPairReader(model, KeptScores(scores_folder(store.parent), label, note=note))
