"""Reads many git objects at once: blobs, trees, and differences between commits.

Checks spans of files outside every repository, by their absolute paths.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.reading.reading import (
    LARGEST_FILE,
    NotThereError,
    read_content,
    text_lines,
)
from holdfast.adapters.git.reading.repository import ask_git_bytes
from holdfast.domain.errors import EvidenceUnreadableError, OutsideUnavailableError
from holdfast.domain.memory.anchor import FoundLines, Sighting, Verdict, text_hash

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.ids import SpanId
    from holdfast.domain.memory.evidence import Span


MOST_BYTES = 256 * 1024 * 1024
_MOST_RENAMES = 1_000
_NOTHING = "0"
_FILE, _SUBMODULE = "100", "160000"
_ROW_WORDS = 5
_EMPTY_TREES = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
"""The names of the tree without files, by their length."""


class TreeListing(NamedTuple):
    """The blobs of a commit's files by path, and the paths of submodules."""

    blobs: Mapping[str, str]
    submodules: frozenset[str]


class Differing(NamedTuple):
    """A changed file: its current path, its old blob (None if it is new), and its old path.

    A deleted file has only its old path.
    """

    path: str
    blob: str | None
    renamed_from: str | None = None
    is_gone: bool = False


def read_blobs(
    repository: Repository, names: Iterable[str], *, largest: int | None = None
) -> dict[str, bytes]:
    """Return the blobs that are present and not too large, by name.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository.
    """
    wanted = present(repository, dict.fromkeys(names))
    if not wanted:
        return {}
    most = LARGEST_FILE if largest is None else largest
    small, size = [], 0
    for line in git_answer(repository, "cat-file", "--batch-check", given=wanted).splitlines():
        name, kind, length = (line.decode().split() + ["", ""])[:3]
        if kind == "blob" and int(length) <= most and size + int(length) <= MOST_BYTES:
            small.append(name)
            size += int(length)
    if not small:
        return {}
    # A damaged blob ends git's output there; the output before it is valid.
    # With --buffer git writes full blocks instead of one block for each object.
    words = ("cat-file", "--batch", "--buffer")
    _, answer, _ = ask_git_bytes(repository, *words, given=_lines(small))
    return dict(_contents(answer))


def blobs_at(
    repository: Repository, files: Collection[tuple[str, bytes]]
) -> dict[tuple[str, bytes], str]:
    """Return the blob of each file of a commit; a file that is not there is missing.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository.
    """
    asked = sorted(one for one in files if one[1] and b"\n" not in one[1])
    if not asked:
        return {}
    lines = b"".join(commit.encode() + b":" + path + b"\n" for commit, path in asked)
    form = ("cat-file", "--batch-check=%(objectname) %(objecttype)")
    _, answer, _ = ask_git_bytes(repository, *form, given=lines)
    found = zip(asked, answer.splitlines(), strict=False)
    return {
        one: words[0].decode()
        for one, line in found
        if len(words := line.split()) == 2 and words[1] == b"blob"  # noqa: PLR2004 - a pair
    }


def _contents(answer: bytes) -> Iterator[tuple[str, bytes]]:
    at = 0
    while (end := answer.find(b"\n", at)) > 0:
        name, _, length = answer[at:end].decode().partition(" blob ")
        if not length:
            at = end + 1
            continue
        at = end + 1 + int(length)
        if at > len(answer):
            return
        yield name, answer[end + 1 : at]
        at += 1


def present(repository: Repository, names: Collection[str]) -> Collection[str]:
    """Leave out objects that a partial clone would fetch: older versions of git fail on them.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository.
    """
    from holdfast.adapters.git.reading.graph import is_partial

    if not names or not is_partial(repository):
        return names
    everything = ("--batch-all-objects", "--unordered", "--batch-check=%(objectname)")
    here = set(git_answer(repository, "cat-file", *everything).decode().split())
    return [name for name in names if name in here]


def existing(repository: Repository, commits: Iterable[str]) -> frozenset[str]:
    """Return the commits that exist here.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository.
    """
    wanted = present(repository, dict.fromkeys(commits))
    if not wanted:
        return frozenset()
    answer = git_answer(repository, "cat-file", "--batch-check", given=wanted).decode()
    pairs = [line.split()[:2] for line in answer.splitlines()]
    return frozenset(name for name, kind in pairs if kind == "commit")


def differing(
    repository: Repository, commits: Collection[str], *, since: str
) -> dict[str, list[Differing]]:
    """Return for each existing commit the files that differ from a later commit.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository.
    """
    if not commits:
        return {}
    # Git labels each result with the first name, so the older commit is first and -R swaps them.
    given = [f"{commit} {since}" for commit in commits]
    options = ("--stdin", "--always", "-R", "-r", "-z", "--raw", "--no-abbrev", "-M")
    limit = f"-l{_MOST_RENAMES}"
    answer = git_answer(repository, "diff-tree", *options, limit, given=given)
    found: dict[str, list[Differing]] = {commit: [] for commit in commits}
    here: list[Differing] = []
    fields = iter(answer.split(b"\0"))
    for field in fields:
        if not field.startswith(b":"):
            here = found.get(field.decode(errors="replace").strip(), here)
        else:
            here += difference_of(field.decode(), fields)
    return found


def difference_of(head: str, fields: Iterator[bytes]) -> list[Differing]:
    """Parse one difference; a path that is no longer a regular file counts as deleted."""
    _, mode, blob, _, kind = head.split()
    path, old = path_of(next(fields)), None
    if kind.startswith(("R", "C")):
        old, path = path, path_of(next(fields))
    name = blob if blob.strip(_NOTHING) else None
    return [Differing(path, name, old, not mode.startswith(_FILE))]


def listed_at(repository: Repository, commit: str, *within: str) -> TreeListing:
    """Return the files of a commit, or those below some folders.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository.
    """
    files, submodules = {}, set()
    for entry in git_answer(repository, "ls-tree", "-r", "-z", commit, *within).split(b"\0")[:-1]:
        head, _, name = entry.partition(b"\t")
        mode, _, blob = head.decode().split()
        if mode == _SUBMODULE:
            submodules.add(path_of(name))
        elif mode.startswith(_FILE):
            files[path_of(name)] = blob
    return TreeListing(files, frozenset(submodules))


def pages_in(
    repository: Repository, commits: Iterable[str], folder: str
) -> frozenset[tuple[str, str]]:
    """Return the different files that commits have below a folder, as paths and blobs.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository.
    """
    asked = [f"{commit}:{folder}" for commit in commits]
    form = "--batch-check=%(objectname) %(objecttype)"
    answer = git_answer(repository, "cat-file", form, given=asked).decode(errors="replace")
    rows = (line.split() for line in answer.splitlines())
    trees = sorted({row[0] for row in rows if row[1:] == ["tree"]})
    given = [f"{_EMPTY_TREES[len(tree)]} {tree}" for tree in trees]
    options = ("--stdin", "-r", "-z", "--raw", "--no-abbrev", "--no-renames")
    files = git_answer(repository, "diff-tree", *options, given=given) if given else b""
    # A line with the two trees comes before the first file of each; a path may have line ends.
    fields = iter(files.split(b"\0"))
    rows = (one.rpartition(b"\n")[2].decode(errors="replace").split() for one in fields)
    found = ((words, path_of(next(fields, b""))) for words in rows if len(words) == _ROW_WORDS)
    return frozenset(
        (f"{folder}/{path}", words[3]) for words, path in found if words[1].startswith(_FILE)
    )


def path_of(name: bytes) -> str:
    """Return a path as text, whatever its encoding."""
    return name.decode("utf-8", "surrogateescape")


def _lines(words: Iterable[str]) -> bytes:
    return "".join(f"{word}\n" for word in words).encode()


def git_answer(repository: Repository, *words: str, given: bytes | Collection[str] = ()) -> bytes:
    """Return git's stdout; ``given`` is its stdin, as bytes or as lines.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository.
    """
    sent = given if isinstance(given, bytes) else _lines(given)
    status, answer, trouble = ask_git_bytes(repository, *words, given=sent)
    if status != 0:
        raise OutsideUnavailableError(who="git", words=trouble)
    return answer


_ROOT = Path("/")
_NO_PLACE = "it was read outside any repository, and nobody noted where"


def examined(spans: Iterable[Span]) -> dict[SpanId, Sighting]:
    """Return the verdicts on spans outside repositories; every file is read once."""
    read: dict[str, list[str] | Sighting] = {}
    found: dict[SpanId, Sighting] = {}
    for span in spans:
        if span.path not in read:
            read[span.path] = _loose_lines(span.path)
        lines = read[span.path]
        found[span.id] = lines if isinstance(lines, Sighting) else _sighted(span, lines)
    return found


def _loose_lines(path: str) -> list[str] | Sighting:
    """Return the current lines of a file, or why they cannot be read."""
    if not path.startswith("/"):
        return _unknown(_NO_PLACE)
    try:
        content = read_content(_ROOT, Path(path).relative_to(_ROOT))
        return text_lines(content, path)
    except NotThereError:
        return _unknown("that file is not on this machine, or not any more")
    except EvidenceUnreadableError as error:
        return _unknown(str(error))


def _sighted(span: Span, lines: list[str]) -> Sighting:
    size = span.last - span.first + 1
    starts = [
        first
        for first in range(1, len(lines) - size + 2)
        if text_hash(lines[first - 1 : first - 1 + size]) == span.text_hash
    ]
    if span.first in starts:
        starts = [span.first]
    places = tuple(FoundLines(path=span.path, first=one, last=one + size - 1) for one in starts)
    if len(starts) != 1:
        how = f"its text stands {len(starts)} times in the file" if starts else "its lines changed"
        return Sighting(verdict=Verdict.DRIFTED, how=how)
    verdict = Verdict.FRESH if starts == [span.first] else Verdict.MOVED
    return Sighting(verdict=verdict, places=places)


def _unknown(how: str) -> Sighting:
    return Sighting(verdict=Verdict.UNVERIFIABLE, how=how)
