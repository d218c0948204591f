"""Reads a set as trials: documents that are stored together, and questions about them.

Converts a document of a set to a memory, in the same way for every set.
"""

from __future__ import annotations

import random
from collections import defaultdict
from typing import TYPE_CHECKING

from holdfast.adapters.benchsets.answerable import answerable, document_ids, not_asked
from holdfast.adapters.benchsets.documents import RawDocument, as_documents, documents_in
from holdfast.adapters.benchsets.files import part, records
from holdfast.adapters.benchsets.questions import questions_in
from holdfast.domain.evaluation.benchmark import BadSetError, NoSetError, Trial
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from holdfast.adapters.benchsets.files import SetFolder
    from holdfast.adapters.benchsets.questions import AskedQuestion


_FALLBACK_SPLIT = "dev"
_SEED = 20_261_115
# Each group has its own store with hundreds of files; all groups would take hours.
MOST_LISTED = 24


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
        BadSetError: A file is damaged, has invalid values or repeats an id, or no question can
            be asked.
        NoSetError: The set has no documents.
    """
    asked = [one for one in questions_in(found.questions) if one.query.gold]
    names = dict.fromkeys(one.corpus for one in asked)
    sources = {name: _corpus(found, name) for name in names}
    kept = [one for one in asked if sources[one.corpus] is not None]
    notes = _unasked(asked, kept)
    if asked and not kept:
        raise NoSetError(str(found.whole), "it has questions but no documents.")
    listed = part(found.questions, "groups")
    members = None if listed is None else _members(listed)
    kept, reasons = answerable(kept, document_ids(sources, members), total=len(asked))
    notes += reasons
    if asked and not kept:
        raise BadSetError(str(part(found.questions, "queries")), _unanswerable(notes))
    most = limit if listed is None else limit or MOST_LISTED
    if most is not None and most < len(kept):
        notes = (*notes, f"a seeded sample of {most:,} of {len(kept):,} questions")
        kept = _sample(kept, most)
    count = len({(one.corpus, one.group) for one in kept})
    return TrialPlan(trials=_trials(found, kept, sources, members), count=count, notes=notes)


def _unasked(asked: Sequence[AskedQuestion], kept: Sequence[AskedQuestion]) -> tuple[str, ...]:
    if len(kept) == len(asked):
        return ()
    missing = {one.corpus or "" for one in asked} - {one.corpus or "" for one in kept}
    count = len(asked) - len(kept)
    which = ", ".join(sorted(missing))
    return (not_asked(count, len(asked), f"their documents ({which}) are not here"),)


def _unanswerable(notes: Sequence[str]) -> str:
    advice = "Give each question the group of its documents, and their ids."
    return f"has no question with documents. {'. '.join(notes)}. {advice}"


def _trials(
    found: SetFolder,
    asked: Sequence[AskedQuestion],
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


def _sample(asked: list[AskedQuestion], count: int) -> list[AskedQuestion]:
    """Return a fixed sample of the questions, in their order."""
    chance = random.Random(_SEED)  # noqa: S311 - a seeded draw is the point: no secret is made
    chosen = sorted(chance.sample(range(len(asked)), count))
    return [asked[place] for place in chosen]


def _grouped(found: SetFolder, asked: Sequence[AskedQuestion], corpus: Path) -> Iterator[Trial]:
    groups: dict[str, list[AskedQuestion]] = defaultdict(list)
    for one in asked:
        groups[one.group].append(one)
    documents: dict[str, list[RawDocument]] = defaultdict(list)
    for raw in documents_in(corpus):
        if raw.searched_group in groups:
            documents[raw.searched_group].append(raw)
    for group, ours in groups.items():
        yield _trial(f"{found.name}/{group}", documents.get(group, []), ours)


def _trial(name: str, raws: Sequence[RawDocument], asked: Sequence[AskedQuestion]) -> Trial:
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
    found: SetFolder,
    asked: Sequence[AskedQuestion],
    corpus: Path,
    members: Mapping[str, frozenset[str]],
) -> Iterator[Trial]:
    """Return one trial for each group of a set that lists the documents of its groups."""
    wanted = {one.group: members.get(one.group, frozenset()) for one in asked}
    used = frozenset[str]().union(*wanted.values())
    raws = {raw.id: raw for raw in documents_in(corpus, is_one_group=True) if raw.id in used}
    for one in asked:
        ours = [raw for name, raw in raws.items() if name in wanted[one.group]]
        yield _trial(f"{found.name}/{one.group}", ours, [one])


def _members(path: Path) -> dict[str, frozenset[str]]:
    return {
        fields.text("group"): frozenset(fields.words("docs"))
        for _, fields in records(path, noun="group")
    }


def _corpus(found: SetFolder, name: str | None) -> Path | None:
    """Return the file of documents: the split's, the set's, or that of the set it refers to."""
    folders = [found.questions, found.whole, found.whole / _FALLBACK_SPLIT]
    if name is not None:
        other = found.whole.parent / name
        folders = [other / found.questions.name, other, other / _FALLBACK_SPLIT]
    paths = (part(folder, "corpus") for folder in folders)
    return next((path for path in paths if path is not None), None)
