"""Finds the questions whose documents are in the set, and says why the others are not asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.benchsets.documents import documents_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from holdfast.adapters.benchsets.questions import AskedQuestion

Pool = tuple[str | None, str]
"""The name of a corpus, and a group of it: the documents that a question searches."""

_SHOWN = 5


def document_ids(
    sources: Mapping[str | None, Path | None], members: Mapping[str, frozenset[str]] | None
) -> dict[Pool, AbstractSet[str]]:
    """Return the ids of the documents in each pool; ``members`` lists those of each group.

    Raises:
        BadSetError: A file is damaged, has invalid values, or repeats an id.
    """
    pools: dict[Pool, AbstractSet[str]] = {}
    for name, path in sources.items():
        if path is None:
            continue
        if members is None:
            groups: dict[str, set[str]] = {}
            for raw in documents_in(path):
                groups.setdefault(raw.searched_group, set()).add(raw.id)
            pools |= {(name, group): ids for group, ids in groups.items()}
        else:
            ids = {raw.id for raw in documents_in(path, is_one_group=True)}
            pools |= {(name, group): ids & listed for group, listed in members.items()}
    return {pool: ids for pool, ids in pools.items() if ids}


def answerable(
    asked: Sequence[AskedQuestion], pools: Mapping[Pool, AbstractSet[str]], *, total: int
) -> tuple[list[AskedQuestion], tuple[str, ...]]:
    """Return the questions with all the documents they name, and notes about the others."""
    kept: list[AskedQuestion] = []
    groups: dict[str, int] = {}
    missing: dict[str, str] = {}
    for one in asked:
        ids = pools.get((one.corpus, one.group))
        if ids is None:
            groups[one.group] = groups.get(one.group, 0) + 1
        elif absent := [name for name in _named(one) if name not in ids]:
            missing[one.query.id] = f"{few(absent)} (question {one.query.id})"
        else:
            kept.append(one)
    notes = []
    if groups:
        there = dict.fromkeys(group for _, group in pools)
        only = f", only of {few(there)}" if there else ""
        why = f"the set has no documents of group {few(groups)}{only}"
        notes.append(not_asked(sum(groups.values()), total, why))
    if missing:
        why = f"the group has no document with the id {few(missing.values())}"
        notes.append(not_asked(len(missing), total, why))
    return kept, tuple(notes)


def not_asked(count: int, total: int, why: str) -> str:
    """Return the note about questions that are left out of the figures."""
    verb = "is" if count == 1 else "are"
    return f"{count:,} of {total:,} questions {verb} not asked: {why}"


def few(names: Iterable[str]) -> str:
    """Return the first names, and the number of the others."""
    every = list(names)
    rest = len(every) - _SHOWN
    return ", ".join(every[:_SHOWN]) + (f" and {rest:,} more" if rest > 0 else "")


def _named(one: AskedQuestion) -> Iterable[str]:
    """Return the ids of the documents that a question names."""
    query = one.query
    newest = () if one.before is None else (one.before,)
    return dict.fromkeys((*query.gold, *query.key, *query.stale, *newest))
