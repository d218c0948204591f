"""Regenerate the pages that were made from the store, after something was forgotten."""

from __future__ import annotations

import os
import re
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.repository import find_repository
from holdfast.domain.review.traces import GoneText, Reach, Trace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.app import Holdfast
    from holdfast.app.runs import RunsPart
    from holdfast.usecases.memory.forget import Forgotten

_ACTIVE = ".holdfast/context/active.md"
_JOURNAL = re.compile(r"\.holdfast/journal/([0-9]{4}-[0-9]{2}-[0-9]{2})\.md")
_RUN = re.compile(r"\.holdfast/runs/([A-Za-z0-9-]+)/summary\.md")
_OWN_WORDS = "A run or a question that the store keeps says it in its own words."


def make_again(
    memory: Holdfast, gone: Sequence[Forgotten], *, folder: Path, by: str
) -> tuple[Trace, ...]:
    """Rewrite the pages that were made from the store, without the forgotten text.

    Return the pages that still contain the text, because a run or a question has it in its own
    words.
    """
    memory.page_writer.write(by=by)
    runs = memory.runs
    removed = dict.fromkeys(trace.place for one in gone for trace in one.traces)
    written = [path for path in map(partial(_made_again, runs), removed) if path is not None]
    repository = find_repository(Path(os.path.realpath(folder)))
    if repository is None:
        return ()
    texts = [GoneText(memory=one.record.memory.id, claim=one.record.memory.claim) for one in gone]
    return tuple(
        Trace(place=path, reach=Reach.LEFT, advice=_OWN_WORDS)
        for path in written
        if _holds_any(repository.root / path, texts)
    )


def _made_again(runs: RunsPart, path: str) -> str | None:
    """Rewrite one generated page; None if the path is no generated page of this clone."""
    if path == _ACTIVE:
        latest = runs.latest(limit=1)
        is_open = bool(latest) and latest[0].finished_at is None
        return runs.write_context(runs.context(latest[0].goal if is_open else ""))
    if day := _JOURNAL.fullmatch(path):
        return runs.write_journal(date.fromisoformat(day[1]))
    if run := _RUN.fullmatch(path):
        return runs.write_page(runs.show(run[1]))
    return None


def _holds_any(path: Path, texts: Sequence[GoneText]) -> bool:
    try:
        content = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return any(text.is_in(content) for text in texts)
