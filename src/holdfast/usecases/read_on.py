"""Read on: what was said in a tool's transcripts since they were read last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.bookmark import Bookmark, ended_before, is_of, new_part
from holdfast.domain.entry import Flaw
from holdfast.domain.refusals import UnreadableSourceError
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from holdfast.domain.transcript import Transcript
    from holdfast.ports.transcripts import Bookmarks, TranscriptReader


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOn:
    """A wish to hear what is new.

    ``folder`` keeps the conversations held in that folder or beneath it; ``since`` those that
    went on after that moment. ``again`` forgets how far the files were read.
    """

    files: tuple[str, ...]
    folder: str = ""
    since: datetime | None = None
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One file: the new part of each conversation in it, what was unreadable, and how far we are.

    ``passed`` counts the conversations that are known, too old or of another project.
    """

    path: str
    new: tuple[Transcript, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    bookmark: Bookmark | None = None
    passed: int = 0


def read_on(wish: ReadOn, *, reader: TranscriptReader, bookmarks: Bookmarks) -> Iterator[Heard]:
    """Return what is new in each file, one file at a time.

    Nothing is kept here: who has made use of a file puts its bookmark.
    """
    for path in wish.files:
        known = None if wish.again else bookmarks.of(path)
        if known is not None and bookmarks.is_unchanged(path):
            yield Heard(path=path, passed=1)
        else:
            yield _heard(path, known, wish, reader=reader)


def _heard(path: str, known: Bookmark | None, wish: ReadOn, *, reader: TranscriptReader) -> Heard:
    flaws: list[Flaw] = []
    new: list[Transcript] = []
    bookmark, passed = known or Bookmark(), 0
    try:
        for transcript in reader.conversations(path, tell=flaws.append):
            part = new_part(transcript, known)
            if not part.turns or not _is_meant(transcript, wish):
                passed += 1
                continue
            new.append(part)
            bookmark = bookmark.moved(transcript)
    except UnreadableSourceError as error:
        flaws.append(Flaw(path=path, line=0, problem=str(error)))
        return Heard(path=path, flaws=tuple(flaws))
    return Heard(path=path, new=tuple(new), flaws=tuple(flaws), bookmark=bookmark, passed=passed)


def _is_meant(transcript: Transcript, wish: ReadOn) -> bool:
    # A tool that does not say where it was used is only asked for files of this place.
    is_here = not wish.folder or not transcript.folder or is_of(transcript, wish.folder)
    return is_here and (wish.since is None or not ended_before(transcript, wish.since))
