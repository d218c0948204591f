"""Determines the fate of commits relative to HEAD, from git's objects alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.lineage.commit_changes import Replacement
from holdfast.adapters.git.lineage.sameness import Likeness, likenesses
from holdfast.adapters.git.lineage.successors import compare
from holdfast.adapters.git.reading.graph import (
    ResolvedNames,
    is_full,
    is_partial,
    is_shallow,
    meanings,
    not_in,
    whereabouts,
)
from holdfast.adapters.git.reading.refs import left_behind, read_refs, tip_of
from holdfast.domain.memory.anchor import CommitFate, CommitPosition, RewriteHow

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from holdfast.adapters.git.lineage.comparison import CommitComparison, Successor
    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.memory.anchor import CommitName, Rewrite

_SHORT = 7
_SHORTEST = 4
_BY = {
    RewriteHow.HOOK: "git said so when it was rewritten",
    RewriteHow.PATCH: "it makes the same change",
    RewriteHow.TREE: "it holds the same files",
    RewriteHow.SQUASH: "it contains the change",
}
_ALTERED = {
    RewriteHow.HOOK: "it does not make the same change",
    RewriteHow.PATCH: "it makes the change with other white space, or in another place",
    RewriteHow.TREE: "it does not make the whole change",
    RewriteHow.SQUASH: "it does not contain the whole change",
}
_MOST_OTHERS = 8
_UNKNOWN = Likeness(is_same=True, share=None)
"""What was not compared counts as the same: the patch-ids decide alone."""


class _Seen(NamedTuple):
    """The facts that git gave about the commits in question and their known replacements."""

    repository: Repository
    known: Mapping[str, Rewrite]
    names: ResolvedNames
    lost: frozenset[str]
    elsewhere: Mapping[str, str]
    comparison: CommitComparison | None


def fates(
    repository: Repository, commits: Collection[CommitName], known: Mapping[str, Rewrite]
) -> Mapping[str, CommitFate]:
    """Return the fate of each commit, by the name that was asked for.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read an object.
    """
    refs = read_refs(repository)
    target = refs.tip("HEAD")
    chains = {commit.id: tuple(_chain(commit.id, known)) for commit in commits}
    behind = left_behind(repository)
    asked = [name for chain in chains.values() for name in chain]
    names = meanings(repository, [*asked, *behind])
    here = {names.commits[name] for name in asked if name in names.commits}
    lost = frozenset(not_in(repository, here, target))
    elsewhere = whereabouts(repository, lost)
    noted = {commit.patch for commit in commits if commit.patch and not _is_here(commit, names)}
    comparison = None
    if target is not None and (lost or noted):
        tips = {tip for name in elsewhere.values() if (tip := tip_of(name, refs)) is not None}
        tips |= {names.commits[name] for name in behind if name in names.commits}
        comparison = compare(repository, lost, target, tips=tips, noted=noted)
    seen = _Seen(repository, known, names, lost, elsewhere, comparison)
    found = {commit.id: _fate(commit, chains[commit.id], seen) for commit in commits}
    return _judged(found, seen)


class _Replaced(NamedTuple):
    """The commits that may have replaced another, the likeliest first, and how each is known."""

    by: tuple[tuple[str, RewriteHow], ...]


def _judged(found: Mapping[str, CommitFate | _Replaced], seen: _Seen) -> Mapping[str, CommitFate]:
    """Compare what was replaced with its replacements, and choose one that makes its change."""
    pairs = {
        Replacement(own, new)
        for name, fate in found.items()
        if isinstance(fate, _Replaced) and (own := seen.names.commits.get(name)) is not None
        for new, _ in fate.by
    }
    made = likenesses(seen.repository, pairs)
    return {
        name: _rewritten(fate, seen.names.commits.get(name, ""), made)
        if isinstance(fate, _Replaced)
        else fate
        for name, fate in found.items()
    }


def _rewritten(found: _Replaced, own: str, made: Mapping[Replacement, Likeness]) -> CommitFate:
    likeness = {new: made.get(Replacement(own, new), _UNKNOWN) for new, _ in found.by}
    alike = [one for one in found.by if likeness[one[0]].is_same]
    is_altered = not alike
    now, how = (alike or found.by)[0]
    share = likeness[now].share
    # What a patch-id finds has every line, with other white space or in another place.
    if share is not None and share.is_told and how is not RewriteHow.PATCH:
        words = share.words(now[:_SHORT])
    else:
        reason = f", but {_ALTERED[how]}" if is_altered else f": {_BY[how]}"
        words = f"{now[:_SHORT]} took its place{reason}"
    if rivals := sum(1 for other, likewise in alike if other != now and likewise is how):
        several = "1 other commit does" if rivals == 1 else f"{rivals} other commits do"
        words += f"; {several} too, this is the likeliest"
    return CommitFate(
        whereabouts=CommitPosition.REWRITTEN, now=now, how=how, words=words, is_altered=is_altered
    )


def _is_here(commit: CommitName, names: ResolvedNames) -> bool:
    return commit.id in names.commits


def _chain(name: str, known: Mapping[str, Rewrite]) -> Iterator[str]:
    """Return a commit and its known replacements, one after the other."""
    yield name
    seen = {name}
    current = name if name in known else _whole(name, known)
    while current in known and (current := known[current].new) not in seen:
        seen.add(current)
        yield current


def _whole(name: str, known: Mapping[str, Rewrite]) -> str:
    """Return the one known commit with this abbreviated hash, or the name unchanged."""
    if len(name) < _SHORTEST or is_full(name):
        return name
    fits = [old for old in known if old.startswith(name)]
    return fits[0] if len(fits) == 1 else name


def _fate(commit: CommitName, chain: tuple[str, ...], seen: _Seen) -> CommitFate | _Replaced:
    own = seen.names.commits.get(commit.id)
    if own is not None and own not in seen.lost:
        return CommitFate(whereabouts=CommitPosition.REACHABLE)
    if by := (*_followed(chain, seen), *_compared(commit, chain, seen)):
        return _Replaced(by[:_MOST_OTHERS])
    return _somewhere(chain, seen) or _gone(commit, own, seen)


def _followed(chain: tuple[str, ...], seen: _Seen) -> list[tuple[str, RewriteHow]]:
    """Return the known replacement, if it is part of what is checked out."""
    for place, name in enumerate(chain[1:]):
        now = seen.names.commits.get(name)
        if now is not None and now not in seen.lost:
            old = chain[place]
            rewrite = seen.known.get(old) or seen.known[_whole(old, seen.known)]
            return [(now, rewrite.how)]
    return []


def _compared(
    commit: CommitName, chain: tuple[str, ...], seen: _Seen
) -> list[tuple[str, RewriteHow]]:
    """Return the commits that may have replaced one, as the comparison of changes shows."""
    if seen.comparison is None:
        return []
    found: Successor | None = None
    for name in reversed(chain):
        found = found or seen.comparison.of(seen.names.commits.get(name, ""))
    if found is None and commit.patch is not None and not _is_here(commit, seen.names):
        found = seen.comparison.of_patch(commit.patch)
    return [] if found is None else [(name, found.how) for name in (found.id, *found.others)]


def _somewhere(chain: tuple[str, ...], seen: _Seen) -> CommitFate | None:
    for name in chain:
        place = seen.elsewhere.get(seen.names.commits.get(name, ""))
        if place is not None:
            words = f"it is not part of what is checked out, but of {place}"
            return CommitFate(whereabouts=CommitPosition.ELSEWHERE, words=words)
    return None


def _gone(commit: CommitName, own: str | None, seen: _Seen) -> CommitFate:
    if commit.id in seen.names.ambiguous:
        words = "the name fits several objects; write more of it"
        return CommitFate(whereabouts=CommitPosition.LOST, words=words)
    for is_so, kind in ((is_shallow, "shallow"), (is_partial, "partial")):
        if is_so(seen.repository):
            words = f"this is a {kind} clone, which does not have all of the history"
            return CommitFate(whereabouts=CommitPosition.UNVERIFIABLE, words=words)
    if own is None:
        words = "no commit here has that name, and none makes the change that was noted"
        words = words if commit.patch else "no commit here has that name"
    else:
        words = "no branch has it any more, and no commit here makes its change"
    return CommitFate(whereabouts=CommitPosition.LOST, words=words)
