"""Searches the indexed commits by the words and the files of a question."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.code.queries import SQL
from holdfast.domain.choices import PassageKind
from holdfast.domain.recall.bundle import Passage, Reason
from holdfast.domain.recall.question import READ_AT_MOST, matched_terms, terms_of
from holdfast.domain.text.words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import apsw


_DEEPER = 4
_MOST_MENTIONS = 8
_MOST_BESIDE = 12
_MOST_TOLD = 6
_SHORT = 12
_HALF_AT = 10.0
_FOR_RARITY, _FOR_COVER = 0.6, 0.4
_FOR_PATH, _FOR_LINE = 0.2, 0.1
_SHORTEST_NUMBER = 3
# ``src/app.py``, ``app.py:44``, ``Makefile:3`` and ``docs/how-to`` match; most words are no file.
_MENTION = re.compile(r"(?:[\w.-]+/)*[\w.-]*\w(?::(\d{1,9}))?")


class _Mention(NamedTuple):
    """A file named in a question, with the line number if one is given."""

    path: str
    line: int | None


def search(
    connection: apsw.Connection, question: str, *, limit: int, among: str | None = None
) -> list[Passage]:
    """Return the best matching commits, best first; the order is deterministic.

    ``among`` is the JSON list of the commits that are searched; by default, those of HEAD are.
    """
    if limit <= 0:
        return []
    terms = _telling(terms_of(question))
    depth = max(50, _DEEPER * limit)
    words = _by_words(connection, terms, depth, among)
    files = _by_files(connection, _mentions(question), depth, among)
    found = sorted({*words, *files})
    paths = _paths(connection, found)
    passages = []
    for number, name, at, subject, body in connection.execute(
        SQL["read_told"], (json.dumps(found),)
    ):
        text = " ".join((subject, body, *paths.get(number, ())))
        reasons = _reasons(terms, text, words.get(number), files.get(number, ()))
        day = datetime.fromtimestamp(at, tz=UTC).date().isoformat()
        passages.append(
            Passage(
                kind=PassageKind.HISTORY,
                reference=name[:_SHORT],
                title=subject,
                text=f"{day} {subject}\n{body}".strip(),
                score=sum(reason.amount for reason in reasons),
                reasons=reasons,
                beside=tuple(paths.get(number, ())[:_MOST_BESIDE]),
            )
        )
    passages.sort(key=lambda passage: (-passage.score, passage.reference))
    return passages[:limit]


def _telling(terms: tuple[str, ...]) -> tuple[str, ...]:
    """Return the question terms that distinguish commits."""
    return tuple(
        term
        for term in terms
        if term not in STOP_WORDS and not (term.isdigit() and len(term) < _SHORTEST_NUMBER)
    )


def _by_words(
    connection: apsw.Connection, terms: Sequence[str], most: int, among: str | None
) -> dict[int, float]:
    """Return the keyword score of commits; the question is never parsed as query syntax."""
    if not terms:
        return {}
    quoted = " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)
    return {
        number: max(0.0, -score)
        for number, score in connection.execute(SQL["told_by_words"], (quoted, most, among))
    }


def _by_files(
    connection: apsw.Connection, mentions: Iterable[_Mention], most: int, among: str | None
) -> dict[int, tuple[Reason, ...]]:
    """Return the reasons for commits that touched a file named in the question."""
    found: dict[int, tuple[Reason, ...]] = {}
    for path, line in mentions:
        base = path.rpartition("/")[2]
        for number, touched, lines in connection.execute(SQL["told_by_base"], (base, most, among)):
            if number in found or not f"/{touched}".casefold().endswith(f"/{path}".casefold()):
                continue
            reasons = [Reason(leg="path", amount=_FOR_PATH, note=f"touched {touched}")]
            if line is not None and _holds(lines, line):
                reasons.append(Reason(leg="lines", amount=_FOR_LINE, note=f"wrote line {line}"))
            found[number] = tuple(reasons)
    return found


def _mentions(question: str) -> list[_Mention]:
    found: dict[_Mention, None] = {}
    for match in _MENTION.finditer(question[:READ_AT_MOST]):
        path, line = match[0].partition(":")[0].removeprefix("./"), match[1]
        if "." in path.strip(".") or "/" in path or line is not None:
            found.setdefault(_Mention(path, None if line is None else int(line)))
    return list(found)[:_MOST_MENTIONS]


def _holds(lines: str, line: int) -> bool:
    spans = (span.partition("-") for span in lines.split())
    return any(int(first) <= line <= int(last) for first, _, last in spans)


def _reasons(
    terms: tuple[str, ...], text: str, fit: float | None, others: Iterable[Reason]
) -> tuple[Reason, ...]:
    """Return the reasons for a commit: rare terms, the share of terms, and the files it touched.

    In a short history every term is common, so the share of matching terms must count too.
    """
    if fit is None:
        return tuple(others)
    said = matched_terms(terms, text)
    amount = _FOR_RARITY * fit / (fit + _HALF_AT) + _FOR_COVER * len(said) / len(terms)
    note = ", ".join(said[:_MOST_TOLD])
    return (Reason(leg="words", amount=amount, note=note), *others)


def _paths(connection: apsw.Connection, numbers: Sequence[int]) -> Mapping[int, list[str]]:
    found: dict[int, list[str]] = {}
    for number, path in connection.execute(SQL["paths_of_told"], (json.dumps(numbers),)):
        found.setdefault(number, []).append(path)
    return found
