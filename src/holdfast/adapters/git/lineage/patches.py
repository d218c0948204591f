"""Reads the changes of commits: their files, and the patch-id that copies share.

Finds ranges of commits that may have been squashed into one commit.
"""

from __future__ import annotations

import os
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from holdfast.adapters.git.reading.repository import ask_git_bytes
from holdfast.domain.errors import OutsideUnavailableError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from holdfast.adapters.git.reading.repository import Repository


Found = TypeVar("Found")

_MOST_NAMED = 200
_DIFF = ("diff-tree", "--root", "-r", "--no-renames")
# The diff options; with them, the patch-id of a change is the same everywhere.
PATCH = (*_DIFF, "-p", "--full-index", "--no-ext-diff", "--no-textconv", "--no-color")


class CommitStep(NamedTuple):
    """The change between two commits; without a first one, from the commit's parent or nothing."""

    base: str | None
    end: str


def patch_ids(repository: Repository, steps: Sequence[CommitStep]) -> Mapping[CommitStep, str]:
    """Return the stable patch-id of each step; an empty change has none.

    Renames are not detected and white space is ignored, as in ``git patch-id``.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read an object.
    """
    if not steps:
        return {}
    ordered = sorted(set(steps), key=lambda step: (step.end, step.base or ""))
    diffs = asked(repository, *PATCH, "--stdin", given=given(ordered))
    words = asked(repository, "patch-id", "--stable", given=diffs)
    found: dict[str, list[str]] = defaultdict(list)
    for line in words.decode("ascii", "replace").splitlines():
        patch, _, end = line.partition(" ")
        found[end].append(patch)
    return dict(paired(ordered, found))


def patches_of(repository: Repository, commits: Collection[str]) -> Mapping[str, str]:
    """Return the patch-id of each commit that changes something and is no merge.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read an object.
    """
    found = patch_ids(repository, [CommitStep(None, commit) for commit in commits])
    return {step.end: patch for step, patch in found.items()}


def changes(
    repository: Repository, steps: Sequence[CommitStep], *, among: Collection[bytes] = ()
) -> Mapping[CommitStep, Mapping[bytes, str]]:
    """Return the files that each step changes, with the old and new modes and hashes.

    If some files are named, and they are not too many, only those are compared.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read an object.
    """
    if not steps:
        return {}
    ordered = sorted(set(steps), key=lambda step: (step.end, step.base or ""))
    paths = sorted(os.fsdecode(path) for path in among) if len(among) <= _MOST_NAMED else ()
    words = asked(
        repository,
        *("--literal-pathspecs", *_DIFF, "--stdin", "--raw", "-z", "--", *paths),
        given=given(ordered),
    )
    found: dict[str, list[dict[bytes, str]]] = defaultdict(list)
    parts = iter(words.split(b"\0"))
    files: dict[bytes, str] = {}
    for part in parts:
        if part.startswith(b":"):
            files[next(parts)] = part.decode("ascii", "replace").rpartition(" ")[0]
        elif part:
            files = {}
            found[part.decode("ascii", "replace")].append(files)
    return dict(paired(ordered, found))


def paired(
    steps: Sequence[CommitStep], found: Mapping[str, list[Found]]
) -> Iterator[tuple[CommitStep, Found]]:
    """Pair each step with its result, in order; if the counts differ, the steps get none."""
    by_end: dict[str, list[CommitStep]] = defaultdict(list)
    for step in steps:
        by_end[step.end].append(step)
    for end, of_end in by_end.items():
        if len(found.get(end, ())) == len(of_end):
            yield from zip(of_end, found[end], strict=True)


def given(steps: Sequence[CommitStep]) -> bytes:
    """Return steps as ``git diff-tree --stdin`` reads them."""
    lines = (step.end if step.base is None else f"{step.end} {step.base}" for step in steps)
    return "".join(f"{line}\n" for line in lines).encode("ascii", "replace")


def asked(repository: Repository, *words: str, given: bytes) -> bytes:
    """Return the answer of git.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read an object.
    """
    status, answer, trouble = ask_git_bytes(repository, *words, given=given)
    if status != 0:
        raise OutsideUnavailableError(
            who="git", words=f"{trouble.strip()[:300]} Run 'git fsck' to see what is damaged."
        )
    return answer
