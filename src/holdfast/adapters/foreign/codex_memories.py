"""Codex's own memories: Markdown that its background job writes, and a person's notes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.adapters.foreign.instructions import why_no_rule
from holdfast.adapters.foreign.markdown import BULLET, CODE, HEADING, PARAGRAPH, bare, blocks
from holdfast.adapters.foreign.markup import plain
from holdfast.adapters.foreign.passages import leans_on_another, under
from holdfast.adapters.foreign.reading import files_of, read_text
from holdfast.domain.choices import Kind
from holdfast.domain.exchange.foreign import FoundNotes, LeftNote, cut_note, together, told_about
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from holdfast.adapters.foreign.markdown import MarkdownBlock
    from holdfast.adapters.foreign.reading import ImportSource

_FEWEST_WORDS = 5
_FEW_WORDS = 9
_LONGEST_SHOWN = 200
# The job's internal notes: session names, file names, search terms.
_BOOKKEEPING = re.compile(
    r"rollout_summaries/|rollout_path|thread_id|updated_at\s*[=:]|^keywords?\b", re.IGNORECASE
)
_OWN_HEADINGS = frozenset({"keywords", "rollout_summary_files", "what's in memory", "index"})


class CodexMemories:
    """Reads ``~/.codex/memories``: ``MEMORY.md``, its summaries, and the notes beside them."""

    def __init__(self, import_source: ImportSource, paths: Sequence[Path]) -> None:
        self._whence = import_source
        self._paths = paths

    def read(self) -> FoundNotes:
        """Return every bullet and paragraph with content."""
        folders = self._paths or [self._whence.person / ".codex" / "memories"]
        every = files_of(folders, ".md")
        files = [path for path in every if path.exists() and "skills" not in path.parts]
        if not files:
            raise self._whence.nothing_in(folders)
        found, flaws = list[FoundNotes](), list[Flaw]()
        for path in files:
            text = read_text(path, shown=self._whence.shown(path), flaws=flaws)
            found += [self._block(path, one) for one in blocks(text) if one.sort != HEADING]
        return together([*found, FoundNotes(flaws=tuple(flaws))])

    def _block(self, path: Path, block: MarkdownBlock) -> FoundNotes:
        if block.sort in {BULLET, PARAGRAPH}:
            return self._said(path, block)
        place = self._whence.place(path, block.first, block.last)
        why = "a fenced block" if block.sort == CODE else "a table"
        return FoundNotes(left=(LeftNote(text=bare(block)[:_LONGEST_SHOWN], place=place, why=why),))

    def _said(self, path: Path, block: MarkdownBlock) -> FoundNotes:
        claim = plain(block.text)
        heading = block.trail[-1] if block.trail else ""
        place = self._whence.place(path, block.first, block.last)
        if _BOOKKEEPING.search(claim) or heading.casefold() in _OWN_HEADINGS:
            why = "Codex's own bookkeeping"
            return FoundNotes(left=(LeftNote(text=claim, place=place, why=why),))
        if len(claim.split()) < _FEWEST_WORDS or claim.endswith(":"):
            why = "too short to stand alone"
            return FoundNotes(left=(LeftNote(text=claim, place=place, why=why),))
        told = under(block.parent, claim)
        is_whole = len(told.split()) >= _FEW_WORDS and not leans_on_another(told)
        whole = told if is_whole else told_about(heading, told)
        note = self._whence.note(
            path,
            claim=cut_note(whole),
            kind=Kind.FACT if why_no_rule(claim) else Kind.RULE,
            at=(block.first, block.last),
        )
        return FoundNotes(notes=(replace(note, tags=("codex-memories",)),))
