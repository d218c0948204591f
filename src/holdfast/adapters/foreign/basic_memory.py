"""basic-memory: Markdown notes whose bullets are observations and relations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.adapters.foreign.markdown import BULLET, blocks, frontmatter
from holdfast.adapters.foreign.markup import masked, outside_code, plain
from holdfast.adapters.foreign.reading import files_of, listed, read_text
from holdfast.domain.exchange.foreign import (
    Foreign,
    ForeignLink,
    FoundNotes,
    LeftNote,
    cut_note,
    kind_of,
    link_kind,
    tags_of,
    together,
    told_about,
)
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.moments import moment_of
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from holdfast.adapters.foreign.reading import ImportSource

_OBSERVATION = re.compile(r"\[([^\[\]()]{2,40})\]\s+(\S.*)$")
_RELATION = re.compile(r"([\w -]{0,40}?)\s*\[\[([^\]|]{1,200})[^\]]{0,200}\]\]")
_TAG = re.compile(r"(?<!\S)#([\w/-]+)")


class BasicMemory:
    """Reads a folder of notes, by default ``~/basic-memory``."""

    def __init__(self, import_source: ImportSource, paths: Sequence[Path]) -> None:
        self._whence = import_source
        self._paths = paths

    def read(self) -> FoundNotes:
        """Return every observation; a note's relations belong to its first one."""
        folders = self._paths or [self._whence.person / "basic-memory"]
        files = [path for path in files_of(folders, ".md") if path.exists()]
        if not files:
            raise self._whence.nothing_in(folders)
        flaws = list[Flaw]()
        found = [
            self._note(path, read_text(path, shown=self._whence.shown(path), flaws=flaws))
            for path in files
        ]
        return together([*found, FoundNotes(flaws=tuple(flaws))])

    def _note(self, path: Path, text: str) -> FoundNotes:
        facts, _ = frontmatter(text)
        title = str(facts.get("title") or path.stem)
        tags, links, notes = listed(facts.get("tags")), list[ForeignLink](), list[Foreign]()
        written = moment_of(facts.get("created") or facts.get("date"))
        for block in blocks(text):
            line = block.text.replace("\n", " ")
            seen, relation = _OBSERVATION.match(line), _RELATION.match(line)
            if block.sort == BULLET and seen:
                category, said = (
                    seen[1],
                    plain(outside_code(seen[2], lambda part: _TAG.sub("", part))),
                )
                note = self._whence.note(
                    path,
                    claim=cut_note(told_about(title, said)),
                    kind=kind_of(category),
                    at=(block.first, block.last),
                )
                words = tags_of("basic-memory", category, *_TAG.findall(masked(seen[2])), *tags)
                notes.append(replace(note, tags=words, created_at=written))
            elif block.sort == BULLET and relation:
                links.append(ForeignLink(to=relation[2].strip(), kind=link_kind(relation[1])))
        if not notes:
            why = "holds no observations ('- [category] text')"
            place = self._whence.place(path, 1)
            return FoundNotes(left=(LeftNote(text=title, place=place, why=why),))
        notes[0] = replace(notes[0], name=title, links=tuple(links))
        return FoundNotes(notes=tuple(notes))
