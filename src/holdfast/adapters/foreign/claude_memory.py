"""Claude Code's own memory: an index, and one file per memory with frontmatter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.adapters.foreign.markdown import BULLET, HEADING, PARAGRAPH, blocks, frontmatter
from holdfast.adapters.foreign.markup import plain
from holdfast.adapters.foreign.passages import under
from holdfast.adapters.foreign.reading import files_of, read_text
from holdfast.domain.choices import Kind, LinkKind
from holdfast.domain.exchange.foreign import (
    ForeignLink,
    FoundNotes,
    LeftNote,
    cut_note,
    kind_of,
    tags_of,
    together,
    told_about,
)
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from holdfast.adapters.foreign.markdown import MarkdownBlock
    from holdfast.adapters.foreign.reading import ImportSource

_INDEX = "MEMORY.md"
_NOT_OF_A_NAME = re.compile(r"[^A-Za-z0-9]")
_LINK = re.compile(r"\[\[([^\]|#]{1,100})(?:[|#][^\]]{0,100})?\]\]")
_POINTS_AT_FILE = re.compile(r"\[[^\]]{0,200}\]\([^)]{0,200}\.md\)")
_FEWEST_WORDS = 3
_LONGEST_SHOWN = 200


class ClaudeMemory:
    """Reads ``~/.claude/projects/<folder>/memory``."""

    def __init__(self, import_source: ImportSource, paths: Sequence[Path]) -> None:
        self._whence = import_source
        self._paths = paths

    def read(self) -> FoundNotes:
        """Return every memory; the index only links to them, unless a person wrote into it."""
        folders = self._paths or [self._usual()]
        files = files_of(folders, ".md")
        if not any(path.exists() for path in files):
            raise self._whence.nothing_in(folders)
        found, flaws = list[FoundNotes](), list[Flaw]()
        for path in files:
            text = read_text(path, shown=self._whence.shown(path), flaws=flaws)
            is_index = path.name == _INDEX
            found.append(self._index(path, text) if is_index else self._memory(path, text))
        return together([*found, FoundNotes(flaws=tuple(flaws))])

    def _usual(self) -> Path:
        slug = _NOT_OF_A_NAME.sub("-", str(self._whence.root))
        return self._whence.person / ".claude" / "projects" / slug / "memory"

    def _index(self, path: Path, text: str) -> FoundNotes:
        """Return the text a person wrote into the index; lines that link to a file are skipped."""
        said = [
            block
            for block in blocks(text)
            if block.sort != HEADING and not _POINTS_AT_FILE.search(block.text)
        ]
        return together(self._line(path, block) for block in said)

    def _line(self, path: Path, block: MarkdownBlock) -> FoundNotes:
        claim = plain(block.text)
        if block.sort not in {BULLET, PARAGRAPH} or len(claim.split()) < _FEWEST_WORDS:
            place = self._whence.place(path, block.first, block.last)
            why = "too short to stand alone" if block.sort in {BULLET, PARAGRAPH} else "no prose"
            return FoundNotes(left=(LeftNote(text=claim[:_LONGEST_SHOWN], place=place, why=why),))
        note = self._whence.note(
            path,
            claim=cut_note(told_about("".join(block.trail[-1:]), under(block.parent, claim))),
            kind=Kind.FACT,
            at=(block.first, block.last),
        )
        return FoundNotes(notes=(replace(note, tags=("claude-memory",)),))

    def _memory(self, path: Path, text: str) -> FoundNotes:
        facts, skipped = frontmatter(text)
        body = "\n".join(text.split("\n")[skipped:]).strip()
        claim = body or str(facts.get("description") or "")
        first = skipped + 1
        place = self._whence.place(path, first)
        if len(claim.split()) < _FEWEST_WORDS:
            why = "nothing is written in it"
            return FoundNotes(left=(LeftNote(text=path.name, place=place, why=why),))
        name = str(facts.get("name") or path.stem)
        sort = str(facts.get("metadata.type") or facts.get("type") or "")
        links = tuple(
            ForeignLink(to=other.strip(), kind=LinkKind.RELATED)
            for other in dict.fromkeys(_LINK.findall(body))
        )
        note = self._whence.note(
            path,
            claim=cut_note(claim),
            kind=kind_of(sort),
            at=(first, max(first, len(text.rstrip().split("\n")))),
        )
        known = replace(
            note,
            key=f"claude-memory:{name}"[:200],
            name=name,
            tags=tags_of("claude-memory", sort),
            links=links,
        )
        return FoundNotes(notes=(known,))
