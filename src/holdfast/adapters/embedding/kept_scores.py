"""Reads pairs of claims at most once: a cache of scores, by the hashes of the two texts.

The file of a model and version holds hashes and numbers, and no text. It is replaced atomically and
under a lock, a damaged one counts as empty, and everything in it can be computed again.
"""

from __future__ import annotations

import hashlib
import os
import struct
import zlib
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from holdfast.adapters.disk.atomic_files import read_plain, write_whole
from holdfast.adapters.disk.file_locks import changing
from holdfast.adapters.embedding.judging import THRESHOLD
from holdfast.domain.errors import StoreBusyError
from holdfast.domain.review.traces import Reach, Trace
from holdfast.ports.pair_reader import ReadPairs

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from holdfast.adapters.embedding.known_models import ModelSource
    from holdfast.domain.review.traces import GoneText
    from holdfast.ports.store.upkeep import Progress

    Scores = dict[tuple[bytes, bytes], float]

MOST_KEPT = 20_000
_HEADER, _ROW = struct.Struct("<4sI"), struct.Struct("<16s16sd")
_MAGIC = b"HFJ1"
_FOLDER = "cache/judged"
_LONGEST = 450
"""How many letters of a pair are counted at most: the model reads no more."""
_UNREADABLE = -1.0
"""Kept for a pair in letters that the model cannot read, so that it is not asked again."""
_LEFT = "Hashes of the text could not be removed. Delete this file; it is made anew when needed."


def scores_folder(home: Path) -> Path:
    """Return the folder of the cache of a store."""
    return home / _FOLDER


class KeptScores:
    """The scores of one model; without a folder they are kept in this process only.

    The same holds once the file ``note`` exists, which says that the whole store is encrypted.
    """

    def __init__(self, folder: Path | None, label: str, *, note: Path | None = None) -> None:
        self._file = None if folder is None else folder / label
        self._note = note
        self._lock = Lock()
        self._scores: Scores = {}
        self._is_read = False

    @property
    def _path(self) -> Path | None:
        return None if self._note is not None and self._note.exists() else self._file

    def get(self, newer: str, older: str) -> float | None:
        """Return what is kept for a pair; None if it is not there."""
        with self._lock:
            if not self._is_read:
                self._scores |= {} if (path := self._path) is None else _stored(path)
                self._is_read = True
        return self._scores.get((_digest(newer), _digest(older)))

    def put(self, scores: Mapping[tuple[str, str], float]) -> None:
        """Keep scores; a full disk or missing rights only leave the file as it is."""
        added = {(_digest(newer), _digest(older)): one for (newer, older), one in scores.items()}
        if not added:
            return
        with self._lock, suppress(OSError, StoreBusyError):
            self._scores |= added
            self._scores = _newest(self._scores)
            if (path := self._path) is not None:
                with changing(path.parent):
                    # Read again: what another process forgot or added in the meantime counts.
                    _write(path, _newest(_stored(path) | added))

    def remove(self, claims: Collection[str]) -> None:
        """Remove the scores of all pairs with one of the claims."""
        texts = set(map(_digest, claims))
        with self._lock, suppress(OSError, StoreBusyError):
            self._scores = _without(self._scores, texts)
            if (path := self._path) is not None:
                with changing(path.parent):
                    _remove_from(path, _stored(path), texts)


class PairModel(Protocol):
    """A model that scores one pair at a time."""

    @property
    def source(self) -> ModelSource:
        """The model, with the version on which its scores depend."""
        ...

    def score(self, newer: str, older: str) -> float | None:
        """Return the score of a pair; None if the model cannot read it."""
        ...


class KeptPairReader:
    """A model that reads each pair once; the port of the use cases."""

    threshold = THRESHOLD

    def __init__(self, judge: PairModel, kept: KeptScores) -> None:
        self._judge = judge
        self._kept = kept

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._judge.source.name

    def scores(
        self, pairs: Sequence[tuple[str, str]], *, most_letters: int, progress: Progress
    ) -> ReadPairs:
        """Read the pairs that are not in the cache, until the letters are spent."""
        found = [self._kept.get(*pair) for pair in pairs]
        fresh = [place for place, score in enumerate(found) if score is None]
        found = [None if score == _UNREADABLE else score for score in found]
        read: dict[tuple[str, str], float] = {}
        spent = done = 0
        try:
            for place in fresh:
                newer, older = pair = pairs[place]
                spent += min(len(newer) + len(older), _LONGEST)
                if spent > most_letters:
                    break
                done += 1
                score = found[place] = self._judge.score(newer, older)
                read[pair] = _UNREADABLE if score is None else score
                progress(done, len(fresh))
        finally:
            self._kept.put(read)
        return ReadPairs(scores=tuple(found), left=len(fresh) - done)

    def forget(self, claims: Collection[str]) -> None:
        """Remove the scores of all pairs with one of the claims from the cache."""
        self._kept.remove(claims)


class ScoreTraces:
    """The cache as a place that the hash of a forgotten text must leave."""

    def __init__(self, home: Path) -> None:
        self._folder = scores_folder(home)

    def __str__(self) -> str:
        return str(self._folder)

    def remove(self, gone: Sequence[GoneText]) -> Sequence[Trace]:
        """Remove the scores of all pairs with one of the texts.

        A damaged file is removed whole, and so is a fresh one that a killed process left.
        """
        texts = {_digest(one.claim) for one in gone}
        found: dict[Trace, None] = {}
        if not self._folder.is_dir():
            return []
        try:
            with changing(self._folder):
                for path in sorted(self._folder.iterdir()):
                    found |= dict.fromkeys(self._taken_out(path, texts))
        except OSError:
            return [Trace(place=str(self._folder), reach=Reach.LEFT, advice=_LEFT)]
        return list(found)

    def _taken_out(self, path: Path, texts: set[bytes]) -> Iterator[Trace]:
        try:
            content = read_plain(path)
            stored = _rows(content)
            # Whoever writes a fresh file holds the lock too.
            if stored is None or path.name.startswith("."):
                _overwrite(path)
                path.unlink()
                if any(one in content for one in texts):
                    yield Trace(place=str(self._folder), reach=Reach.REMOVED)
                return
            if _remove_from(path, stored, texts):
                yield Trace(place=str(self._folder), reach=Reach.REMOVED)
        except OSError:
            yield Trace(place=str(path), reach=Reach.LEFT, advice=_LEFT)


def remove_scores(home: Path) -> None:
    """Remove all scores, which were kept before the store was encrypted as a whole."""
    for path in scores_folder(home).glob("*"):
        with suppress(OSError):
            _overwrite(path)
            path.unlink()


def _stored(path: Path) -> Scores:
    """Return the scores in a file; none if it is missing or damaged."""
    try:
        return _rows(read_plain(path)) or {}
    except OSError:
        return {}


def _rows(content: bytes) -> Scores | None:
    """Return the scores in the content of a file; None if it is damaged."""
    body = content[_HEADER.size :]
    if len(content) < _HEADER.size or len(body) % _ROW.size:
        return None
    if _HEADER.unpack_from(content) != (_MAGIC, zlib.crc32(body)):
        return None
    return {(newer, older): score for newer, older, score in _ROW.iter_unpack(body)}


def _write(path: Path, scores: Scores) -> None:
    body = b"".join(_ROW.pack(*ends, score) for ends, score in scores.items())
    write_whole(path, _HEADER.pack(_MAGIC, zlib.crc32(body)) + body, durable=False)


def _remove_from(path: Path, stored: Scores, texts: set[bytes]) -> bool:
    """Write a file anew without the scores of some texts; tell whether it had any."""
    left = _without(stored, texts)
    if len(left) == len(stored):
        return False
    _overwrite(path)
    _write(path, left)
    return True


def _without(scores: Scores, texts: set[bytes]) -> Scores:
    return {ends: score for ends, score in scores.items() if texts.isdisjoint(ends)}


def _newest(scores: Scores) -> Scores:
    """Return the scores that were added last; a full cache drops a tenth at once."""
    if len(scores) <= MOST_KEPT:
        return scores
    return dict(list(scores.items())[-(MOST_KEPT - MOST_KEPT // 10) :])


def _overwrite(path: Path) -> None:
    """Replace the bytes of a file on the disk by zeros."""
    with path.open("r+b") as file:
        file.write(bytes(path.stat().st_size))
        file.flush()
        os.fsync(file.fileno())


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]
