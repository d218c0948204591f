"""What was said in sessions: sealed rows, and what is derived from them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import as_json, checked, millis, sealed
from holdfast.domain.errors import NoSuchError
from holdfast.domain.exchange.said_shape import said_from_json, said_json
from holdfast.domain.sessions.said import first_sequence, said_words, word_total
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime

    from holdfast.adapters.sqlite.database.rows import Row, Value
    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.domain.ids import SessionId
    from holdfast.domain.sessions.said import SaidTurn

SAID = "said"
_SEQUENCE, _BODY = 2, 5
_LOOKED_AT = 100


class SqliteSaidTurns:
    """What was said, by session and number."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def put(self, turn: SaidTurn) -> SaidTurn:
        """Write a turn, and what is derived from it."""
        self.work.moment()
        if self.work.row("get_session", turn.session_id) is None:
            raise NoSuchError(noun="session", reference=turn.session_id)
        known = self.work.row("get_said", turn.session_id, turn.number)
        if known is not None:
            _drop_derived(known[_SEQUENCE], self.work)
        sequence = self._free(first_sequence(turn)) if known is None else known[_SEQUENCE]
        kept = replace(turn, sequence=sequence)
        place = (kept.session_id, kept.number, sequence, kept.repo or "", millis(kept.since))
        self.work.run("put_said", *sealed(SAID, (*place, as_json(said_json(kept)))))
        derive_said(kept, self.work)
        return kept

    def of(self, session_id: SessionId) -> Sequence[SaidTurn]:
        """Return the turns of a session in order."""
        return read_rows(self.work.rows("said_of", (session_id,)), self.work)

    def page(self, *, beyond: tuple[str, int], limit: int) -> Sequence[SaidTurn]:
        """Return turns in the order of session and number."""
        session, number = beyond
        asked: dict[str, Value] = {"session": session, "number": number, "limit": limit}
        return read_rows(self.work.rows("said_after", asked), self.work)

    def before(self, moment: datetime, *, limit: int) -> Sequence[SaidTurn]:
        """Return turns that are kept since before a moment."""
        rows = self.work.rows("said_before", {"moment": millis(moment), "limit": limit})
        return read_rows(rows, self.work)

    def drop(self, turns: Collection[SaidTurn]) -> None:
        """Remove turns, and what was derived from them."""
        self.work.moment()
        for turn in turns:
            known = self.work.row("get_said", turn.session_id, turn.number)
            if known is not None:
                _drop_derived(known[_SEQUENCE], self.work)
                self.work.run("drop_said", turn.session_id, turn.number)

    def _free(self, wanted: int) -> int:
        """Return the first sequence from one on that no turn has."""
        while True:
            taken = {row[0] for row in self.work.rows("said_sequences_from", (wanted,))}
            found = next((one for one in range(wanted, wanted + _LOOKED_AT) if one not in taken), 0)
            if found:
                return found
            wanted += _LOOKED_AT


def read_rows(rows: Iterable[Row], work: Work) -> tuple[SaidTurn, ...]:
    """Return the turns of sealed rows; a damaged one is left out."""
    return tuple(work.sound(list(rows), lambda row: said_of_row(row, path=work.path)))


def said_of_row(row: Row, *, path: str) -> SaidTurn:
    """Return the turn of a sealed row.

    Raises:
        StoreDamagedError: The row is not what was written.
    """
    checked(SAID, row, path=path, name=f"{row[0]} {row[1]}")
    return said_from_json(json.loads(row[_BODY]), sequence=row[_SEQUENCE])


def derive_said(turn: SaidTurn, work: Work) -> None:
    """Write what is derived from a turn: its place, and its words."""
    place, words = turn.position, said_words(turn.searched)
    work.run(
        "put_said_place",
        turn.sequence,
        turn.repo or "",
        place.thread,
        place.number,
        int(place.is_agent),
        place.length,
        int(place.asks),
        int(place.is_question),
        word_total(words),
    )
    work.run_many("add_said_word", [(word, turn.sequence, times) for word, times in words.items()])


def derive_all_said(rows: Iterable[Row], work: Work) -> None:
    """Derive the places and words of all turns anew; vectors stay with their turns."""
    for name in ("drop_all_said_places", "drop_all_said_words", "drop_said_orphans"):
        work.run(name)
    for turn in read_rows(rows, work):
        derive_said(turn, work)


def _drop_derived(sequence: int, work: Work) -> None:
    for name in ("drop_said_place", "drop_said_words", "drop_said_vectors"):
        work.run(name, sequence)
