"""Reads a set as trials: documents that are stored together, and questions about them.

Converts a document of a set to a memory, in the same way for every set.
"""

from __future__ import annotations

import random
from collections import defaultdict
from typing import TYPE_CHECKING, cast

from holdfast.adapters.benchsets.documents import RawDocument, as_documents
from holdfast.adapters.benchsets.files import lines, part
from holdfast.domain.errors import InvalidError
from holdfast.domain.evaluation.benchmark import BadSetError, NoSetError, Query, Trial
from holdfast.domain.fields import Fields
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from holdfast.adapters.benchsets.files import SetFolder


_FALLBACK_SPLIT = "dev"
_SEED = 20_261_115
# Each group has its own store with hundreds of files; all groups would take hours.
MOST_LISTED = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A question as it is in the file, and its restrictions."""

    query: Query
    group: str
    corpus: str | None
    before: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialPlan:
    """The trials of a set as an iterator, their number, and notes for the reader."""

    trials: Iterator[Trial]
    count: int
    notes: tuple[str, ...] = ()


def plan(found: SetFolder, *, limit: int | None = None) -> TrialPlan:
    """Return the trials of a set, one for each group; at most ``limit`` questions are asked.

    If a set lists the documents of each group, a fixed sample of its questions is asked.

    Raises:
        BadSetError: A file is damaged, or has invalid values.
        NoSetError: The set has no documents.
    """
    asked = [one for one in _questions(found.questions) if one.query.gold]
    names = dict.fromkeys(one.corpus for one in asked)
    sources = {name: _corpus(found, name) for name in names}
    kept = [one for one in asked if sources[one.corpus] is not None]
    notes = _unasked(asked, kept)
    if asked and not kept:
        raise NoSetError(str(found.whole), "it has questions but no documents.")
    listed = part(found.questions, "groups")
    most = limit if listed is None else limit or MOST_LISTED
    if most is not None and most < len(kept):
        notes = (*notes, f"a seeded sample of {most:,} of {len(kept):,} questions")
        kept = _sample(kept, most)
    members = None if listed is None else _members(listed)
    count = len({(one.corpus, one.group) for one in kept})
    return TrialPlan(trials=_trials(found, kept, sources, members), count=count, notes=notes)


def _unasked(asked: Sequence[_Asked], kept: Sequence[_Asked]) -> tuple[str, ...]:
    if len(kept) == len(asked):
        return ()
    missing = {one.corpus or "" for one in asked} - {one.corpus or "" for one in kept}
    count = len(asked) - len(kept)
    which = ", ".join(sorted(missing))
    words = f"questions are not asked: their documents ({which}) are not here"
    return (f"{count:,} of {len(asked):,} {words}",)


def _trials(
    found: SetFolder,
    asked: Sequence[_Asked],
    sources: Mapping[str | None, Path | None],
    members: Mapping[str, frozenset[str]] | None,
) -> Iterator[Trial]:
    for name, corpus in sources.items():
        ours = [one for one in asked if one.corpus == name]
        if corpus is None or not ours:
            continue
        if members is None:
            yield from _grouped(found, ours, corpus)
        else:
            yield from _listed(found, ours, corpus, members)


def _sample(asked: list[_Asked], count: int) -> list[_Asked]:
    """Return a fixed sample of the questions, in their order."""
    chance = random.Random(_SEED)  # noqa: S311 - a seeded draw is the point: no secret is made
    chosen = sorted(chance.sample(range(len(asked)), count))
    return [asked[place] for place in chosen]


def _grouped(found: SetFolder, asked: Sequence[_Asked], corpus: Path) -> Iterator[Trial]:
    groups: dict[str, list[_Asked]] = defaultdict(list)
    for one in asked:
        groups[one.group].append(one)
    documents: dict[str, list[RawDocument]] = defaultdict(list)
    for raw in _documents(corpus):
        if raw.group is None or raw.group in groups:
            documents[raw.group or "all"].append(raw)
    for group, ours in groups.items():
        yield _trial(f"{found.name}/{group}", documents.get(group, []), ours)


def _trial(name: str, raws: Sequence[RawDocument], asked: Sequence[_Asked]) -> Trial:
    documents = as_documents(raws)
    order = {document.id: place for place, document in enumerate(documents)}
    names = list(order)
    queries = []
    for one in asked:
        query = one.query
        if one.before is not None:
            query = replace(query, among=frozenset(names[: order.get(one.before, len(names))]))
        queries.append(query)
    return Trial(name=name, documents=documents, queries=queries)


def _listed(
    found: SetFolder, asked: Sequence[_Asked], corpus: Path, members: Mapping[str, frozenset[str]]
) -> Iterator[Trial]:
    """Return one trial for each group of a set that lists the documents of its groups."""
    wanted = {one.group: members.get(one.group, frozenset()) for one in asked}
    used = frozenset[str]().union(*wanted.values())
    raws = {raw.id: raw for raw in _documents(corpus) if raw.id in used}
    for one in asked:
        ours = [raw for name, raw in raws.items() if name in wanted[one.group]]
        yield _trial(f"{found.name}/{one.group}", ours, [one])


def _members(path: Path) -> dict[str, frozenset[str]]:
    return {
        fields.text("group"): frozenset(fields.words("docs"))
        for _, fields in _read(path, noun="group")
    }


def _questions(folder: Path) -> list[_Asked]:
    path = part(folder, "queries")
    if path is None:  # it existed a moment ago
        raise NoSetError(str(folder), "its questions are gone.")
    asked = []
    for number, fields in _read(path, noun="query"):
        try:
            asked.append(_asked(fields))
        except InvalidError as error:
            raise BadSetError(str(path), f"makes no sense: {error}", line=number) from None
    return asked


def _asked(fields: Fields) -> _Asked:
    meta = fields.raw("meta")
    about = cast("Mapping[str, object]", meta) if isinstance(meta, dict) else {}
    corpus, before = about.get("corpus"), about.get("new")
    return _Asked(
        query=Query(
            id=fields.text("id"),
            text=fields.text("text"),
            category=fields.maybe_text("category") or "all",
            gold=fields.words("gold"),
            answers=_answers(fields.raw("answer")),
            key=fields.words("key") if fields.raw("key") is not None else (),
            stale=fields.words("stale") if fields.raw("stale") is not None else (),
        ),
        group=fields.maybe_text("group") or "all",
        corpus=corpus if isinstance(corpus, str) else None,
        before=before if isinstance(before, str) else None,
    )


def _answers(value: object) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    return tuple(str(one) for one in values if one is not None)


def _corpus(found: SetFolder, name: str | None) -> Path | None:
    """Return the file of documents: the split's, the set's, or that of the set it refers to."""
    folders = [found.questions, found.whole, found.whole / _FALLBACK_SPLIT]
    if name is not None:
        other = found.whole.parent / name
        folders = [other / found.questions.name, other, other / _FALLBACK_SPLIT]
    paths = (part(folder, "corpus") for folder in folders)
    return next((path for path in paths if path is not None), None)


def _documents(path: Path) -> Iterator[RawDocument]:
    for number, fields in _read(path, noun="document"):
        try:
            yield _raw(fields)
        except InvalidError as error:
            raise BadSetError(str(path), f"makes no sense: {error}", line=number) from None


def _raw(fields: Fields) -> RawDocument:
    meta = fields.raw("meta")
    about = cast("Mapping[str, object]", meta) if isinstance(meta, dict) else {}
    ts, session, path = fields.raw("ts"), about.get("session"), about.get("path")
    return RawDocument(
        id=fields.text("id"),
        text=fields.text("text"),
        group=fields.maybe_text("group"),
        ts=float(ts) if isinstance(ts, int | float) else None,
        who=fields.maybe_text("role") or fields.maybe_text("speaker"),
        session=session if isinstance(session, str) else None,
        path=path if isinstance(path, str) else None,
    )


def _read(path: Path, *, noun: str) -> Iterator[tuple[int, Fields]]:
    for number, shape in enumerate(lines(path), start=1):
        yield number, Fields(shape, noun=noun)
