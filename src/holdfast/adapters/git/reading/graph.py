"""Reads the commit graph of a repository with few git processes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.reading.repository import ask_git
from holdfast.domain.errors import OutsideUnavailableError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from holdfast.adapters.git.reading.repository import Repository

_FULL = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
# No colon and no white space: the text must name a commit, not search for one.
_NAME = re.compile(r"[^\W_][\w./@{}~^+-]{0,199}")
_FORM = "--format=%H%x1f%T%x1f%P%x1f%ct%x1f%at %ae"
_COMPLAINTS_SHOWN = 300


class CommitNode(NamedTuple):
    """A commit: its tree, its parents, its time, and the author stamp that copies keep."""

    id: str
    tree: str
    parents: tuple[str, ...]
    at: int
    stamp: str


class ResolvedNames(NamedTuple):
    """The commit of each name that has one, and the ambiguous names."""

    commits: Mapping[str, str]
    ambiguous: frozenset[str]


class OutsideCommits(NamedTuple):
    """Commits outside a history, newest first, and the commits of the history they start from."""

    own: Mapping[str, CommitNode]
    forks: Mapping[str, CommitNode]
    is_whole: bool


def is_full(name: str) -> bool:
    """Return whether a name is a full object hash."""
    return _FULL.fullmatch(name) is not None


def is_shallow(repository: Repository) -> bool:
    """Return whether the repository is a shallow clone."""
    return (repository.common_dir / "shallow").is_file()


def is_partial(repository: Repository) -> bool:
    """Return whether the repository is a partial clone."""
    try:
        words = (repository.common_dir / "config").read_bytes().lower()
    except OSError:
        return False
    return b"promisor" in words or b"partialclone" in words


def meanings(repository: Repository, names: Iterable[str]) -> ResolvedNames:
    """Return the commits that names mean; nothing is fetched.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read the repository.
    """
    asked = [name for name in dict.fromkeys(names) if _NAME.fullmatch(name)]
    if is_partial(repository):
        asked = _here(repository, asked)
    if not asked:
        return ResolvedNames({}, frozenset())
    # The plain name is asked too: only its answer reports an ambiguous abbreviation.
    lines = [line for name in asked for line in (f"{name}^{{commit}}", name)]
    words = _answer(
        repository, "cat-file", "--batch-check=%(objectname) %(objecttype)", given=lines
    ).split("\n")
    commits: dict[str, str] = {}
    ambiguous: set[str] = set()
    for name, line, plain in zip(asked, words[::2], words[1::2], strict=False):
        found, _, kind = line.rpartition(" ")
        if kind == "commit":
            commits[name] = found
        elif plain.endswith(" ambiguous"):
            ambiguous.add(name)
    return ResolvedNames(commits, frozenset(ambiguous))


def _here(repository: Repository, names: list[str]) -> list[str]:
    """Return the names without hashes that are missing here: git would try to fetch them."""
    hashes = [name for name in names if is_full(name)]
    words = _answer(
        repository,
        *("rev-list", "--no-walk=unsorted", "--missing=allow-any", "--ignore-missing", "--stdin"),
        given=hashes,
    )
    present = set(words.split())
    return [name for name in names if not is_full(name) or name in present]


def not_in(repository: Repository, commits: Collection[str], target: str | None) -> tuple[str, ...]:
    """Return the commits that are not in the history of another one, newest first.

    If a commit's own history has gaps, the function walks the history of the other one.

    Raises:
        OutsideUnavailableError: The history of the other commit cannot be read.
    """
    if target is None:
        return tuple(commits)
    asked = set(commits) - {target}
    if not asked:
        return ()
    status, words, _ = ask_git(
        repository, "rev-list", "--stdin", given=_lines([*sorted(asked), f"^{target}"])
    )
    if status == 0:
        return tuple(name for name in words.split() if name in asked)
    return tuple(asked.difference(_answer(repository, "rev-list", target, "--").split()))


def apart(
    repository: Repository, tips: Collection[str], target: str | None, most: int
) -> OutsideCommits:
    """Return the newest commits that lead to the tips and not to the target."""
    without = [] if target is None else [f"^{target}"]
    status, words, _ = ask_git(
        repository,
        *("rev-list", "--topo-order", "--boundary", f"--max-count={most}", _FORM, "--stdin"),
        given=_lines([*sorted(tips), *without]),
    )
    if status != 0:
        # A gap in a history that is no longer reachable is no reason to stop.
        return OutsideCommits({}, {}, is_whole=False)
    own, forks = _read(words)
    return OutsideCommits(own, forks, is_whole=len(own) < most)


def leading_to(
    repository: Repository, target: str, *, after: str | None, most: int
) -> Mapping[str, CommitNode]:
    """Return the newest commits that lead to a commit, and not to an earlier one."""
    without = () if after is None else (f"^{after}",)
    words = _answer(repository, "rev-list", f"--max-count={most}", _FORM, target, *without, "--")
    return _read(words)[0]


def common_start(repository: Repository, commits: Collection[str]) -> str | None:
    """Return the best common ancestor of the commits; None if there is none."""
    if len(commits) == 1:
        return next(iter(commits))
    if not commits:
        return None
    status, words, _ = ask_git(repository, "merge-base", "--octopus", *sorted(commits))
    return words.split()[0] if status == 0 and words.strip() else None


def whereabouts(repository: Repository, commits: Collection[str]) -> Mapping[str, str]:
    """Return how each commit is reached from a branch or tag, such as ``feature~2``."""
    if not commits:
        return {}
    words = _answer(repository, "name-rev", *sorted(commits))
    pairs = (line.partition(" ") for line in words.splitlines())
    return {commit: name for commit, _, name in pairs if name != "undefined"}


def written_before(
    repository: Repository, commits: Collection[str], target: str, *, slack: int
) -> frozenset[str]:
    """Return the commits that were authored before another one was committed.

    A copy keeps the author time of its original, so the other commits cannot be part of the target.
    ``slack`` is how many seconds clocks may differ.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read a commit.
    """
    form = ("--no-walk=unsorted", "--no-show-signature", "--format=%H %at %ct", "--stdin")
    words = _answer(repository, "log", *form, given=[target, *sorted(commits)])
    rows = {name: (int(wrote), int(at)) for name, wrote, at in map(str.split, words.splitlines())}
    latest = rows[target][1] + slack
    return frozenset(name for name in commits if rows[name][0] <= latest)


def author_stamps(repository: Repository, commits: Collection[str]) -> Mapping[str, str]:
    """Return the author and the author's time of each commit, which copies keep.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read a commit.
    """
    if not commits:
        return {}
    form = ("--no-walk=unsorted", "--no-show-signature", "--format=%H %an <%ae> %at", "--stdin")
    words = _answer(repository, "log", *form, given=sorted(commits))
    return dict(line.split(" ", 1) for line in words.split("\n") if line)


def is_part_of(repository: Repository, earlier: str, later: str) -> bool:
    """Return whether one commit leads to another; false if unknown."""
    status, _, _ = ask_git(repository, "merge-base", "--is-ancestor", earlier, later)
    return status == 0


def is_on_main_line(repository: Repository, commit: str, target: str, *, after: str) -> bool:
    """Return whether a commit is on the first-parent line to another; true if unknown."""
    status, words, _ = ask_git(repository, "rev-list", "--first-parent", target, f"^{after}", "--")
    return status != 0 or commit in words.split()


def _read(words: str) -> tuple[dict[str, CommitNode], dict[str, CommitNode]]:
    """Return the commits and, separately, the boundary commits."""
    inside: dict[str, CommitNode] = {}
    border: dict[str, CommitNode] = {}
    kept = inside
    for line in filter(None, words.split("\n")):
        if line.startswith("commit "):
            kept = border if line.startswith("commit -") else inside
            continue
        name, tree, parents, at, stamp = line.split("\x1f", 4)
        kept[name] = CommitNode(name, tree, tuple(parents.split()), int(at), stamp)
    return inside, border


def _answer(repository: Repository, *words: str, given: Collection[str] | None = None) -> str:
    lines = None if given is None else _lines(given)
    status, answer, trouble = ask_git(repository, *words, given=lines)
    if status != 0:
        raise OutsideUnavailableError(
            who="git",
            words=f"{trouble.strip()[:_COMPLAINTS_SHOWN]} Run 'git fsck' to see what is damaged.",
        )
    return answer


def _lines(words: Collection[str]) -> bytes:
    return "".join(f"{word}\n" for word in words).encode("utf-8", "replace")
