"""Read on: the new turns in a tool's transcripts since the last reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.entry import Flaw
from holdfast.domain.refusals import UnreadableSourceError
from holdfast.domain.sessions.bookmark import Bookmark, ended_before, is_of, new_part
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.ports.sessions.transcripts import Bookmarks, TranscriptReader


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTranscripts:
    """A request for new turns.

    ``folder`` selects sessions in that folder or below it; ``since`` selects those that continued
    after that moment. ``again`` ignores the bookmarks.
    """

    files: tuple[str, ...]
    folder: str = ""
    since: datetime | None = None
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptPart:
    """One file: the new part of each session in it, unreadable parts, and the new bookmark.

    ``passed`` counts the sessions that are known, too old or of another project.
    """

    path: str
    new: tuple[Transcript, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    bookmark: Bookmark | None = None
    passed: int = 0


def read_on(
    wish: ReadTranscripts, *, reader: TranscriptReader, bookmarks: Bookmarks
) -> Iterator[TranscriptPart]:
    """Yield what is new in each file, one file at a time.

    Bookmarks are not stored here: the caller stores one after it has processed the file.
    """
    for path in wish.files:
        known = None if wish.again else bookmarks.of(path)
        if known is not None and bookmarks.is_unchanged(path):
            yield TranscriptPart(path=path, passed=1)
        else:
            yield _heard(path, known, wish, reader=reader)


def _heard(
    path: str, known: Bookmark | None, wish: ReadTranscripts, *, reader: TranscriptReader
) -> TranscriptPart:
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
        return TranscriptPart(path=path, flaws=tuple(flaws))
    return TranscriptPart(
        path=path, new=tuple(new), flaws=tuple(flaws), bookmark=bookmark, passed=passed
    )


def _is_meant(transcript: Transcript, wish: ReadTranscripts) -> bool:
    # Tools that do not record a folder are only asked for files of this place.
    is_here = not wish.folder or not transcript.folder or is_of(transcript, wish.folder)
    return is_here and (wish.since is None or not ended_before(transcript, wish.since))
