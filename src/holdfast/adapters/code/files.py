"""Which files of a checkout are worth reading, as git and the disk list them."""

from __future__ import annotations

import os
import stat
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, Protocol

from holdfast.adapters.code.passing import GENERATED_MARK, LARGEST_FILE, VENDORED_MARK, by_path
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

LINK, SUBMODULE, TOO_LARGE = "links", "submodules", "larger than 1 MiB"
UNREADABLE, NO_FILE, OUT_OF_WORDS = "not readable", "not files", "no UTF-8 name"
# Two writes within one tick of the disk's clock look the same; some disks tick every two seconds.
RACY_NANOSECONDS = 2_000_000_000
_LINGUIST = b"linguist"


class AskGit(Protocol):
    """Runs git in one repository; gives its exit code, its answer and its complaints."""

    def __call__(self, *words: str, given: bytes | None = None) -> tuple[int, str, str]:
        """Ask; ``given`` is what git reads."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkout:
    """A working tree: where it is, how to ask git about it, and where its index is kept."""

    root: Path
    ask: AskGit
    database: Path


class Candidate(NamedTuple):
    """A file that may be read, and what the disk says of it.

    ``is_kept`` says that people want it, whatever its text looks like.
    """

    path: str
    signature: str
    is_kept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """The files to read, and why others were passed over, each reason with its number."""

    candidates: Sequence[Candidate]
    passed_over: dict[str, int]


def list_files(checkout: Checkout) -> Files:
    """Return what is tracked, or neither tracked nor ignored, and is worth reading.

    Raises:
        OutsideUnavailableError: Git is not there, or does not want to read the repository.
    """
    status, words, trouble = checkout.ask(
        "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"
    )
    if status != 0:
        raise OutsideUnavailableError(who="git", words=trouble)
    paths = words.split("\0")[:-1]
    attributes = _attributes(checkout, paths)
    sight = _Sight(str(checkout.root))
    candidates: list[Candidate] = []
    passed_over: dict[str, int] = {}
    for path in paths:
        marks = attributes.get(path, {})
        reason = by_path(path, marks) or sight.reason(path)
        if reason is None:
            if sight.signature:
                is_kept = marks.get(GENERATED_MARK) is False
                signature = marked(sight.signature, is_kept=is_kept)
                candidates.append(Candidate(path, signature, is_kept))
        else:
            passed_over[reason] = passed_over.get(reason, 0) + 1
    return Files(candidates=candidates, passed_over=passed_over)


class _Sight:
    """Looks at one file after another without following any link."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._is_plain: dict[str, bool] = {"": True}
        self.signature = ""

    def reason(self, path: str) -> str | None:
        """Return why the file cannot be read; its signature is there else, or '' if it is gone."""
        self.signature = ""
        try:
            status = os.lstat(f"{self._root}/{path}")
        except OSError:
            return OUT_OF_WORDS if "\ufffd" in path else None
        except ValueError:
            return OUT_OF_WORDS
        if not stat.S_ISREG(status.st_mode):
            return self._kind(path, status.st_mode)
        if status.st_size > LARGEST_FILE:
            return TOO_LARGE
        if not self._is_folder(path.rpartition("/")[0]):
            return LINK
        self.signature = signature_of(status)
        return None

    def _kind(self, path: str, mode: int) -> str | None:
        """Return what stands there instead of a file; a plain folder means it is gone."""
        if stat.S_ISDIR(mode):
            return SUBMODULE if os.path.lexists(f"{self._root}/{path}/.git") else None
        return LINK if stat.S_ISLNK(mode) else NO_FILE

    def _is_folder(self, folder: str) -> bool:
        """Tell whether a folder is one, and lies in folders that are: none of them a link."""
        known = self._is_plain.get(folder)
        if known is None:
            known = False
            with suppress(OSError):
                mode = os.lstat(f"{self._root}/{folder}").st_mode
                known = stat.S_ISDIR(mode) and self._is_folder(folder.rpartition("/")[0])
            self._is_plain[folder] = known
        return known


def signature_of(status: os.stat_result) -> str:
    """Return what changes when a file does."""
    return f"{status.st_size}.{status.st_mtime_ns}.{status.st_ctime_ns}.{status.st_ino}"


def marked(signature: str, *, is_kept: bool) -> str:
    """Return a signature that changes too when people change their mind about the file."""
    return f"{signature}.kept" if is_kept and signature else signature


def is_settled(status: os.stat_result, *, now: int) -> bool:
    """Tell whether a later change would show in the signature: the last one is old enough."""
    return status.st_ctime_ns < now - RACY_NANOSECONDS


class ReadFile(NamedTuple):
    """The bytes of a file, and its signature; none while a change could hide behind it."""

    content: bytes
    signature: str


def read_file(root: Path, path: str) -> ReadFile | None:
    """Return what a file holds now; None where it is gone, a link, too large or not to be read."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        handle = os.open(f"{root}/{path}", flags)
    except (OSError, ValueError):
        return None
    with os.fdopen(handle, "rb") as file:
        now = time.time_ns()
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST_FILE:
            return None
        try:
            content = file.read(LARGEST_FILE + 1)
        except OSError:
            return None
    if len(content) > LARGEST_FILE:
        return None
    return ReadFile(content, signature_of(status) if is_settled(status, now=now) else "")


def _attributes(checkout: Checkout, paths: Sequence[str]) -> dict[str, dict[str, bool]]:
    """Return what the attributes say of files, by path; git is asked only if they say anything."""
    if not _speak_of_code(checkout, paths):
        return {}
    asked = "".join(f"{path}\0" for path in paths).encode("utf-8", "replace")
    status, words, trouble = checkout.ask(
        "check-attr", "-z", "--stdin", GENERATED_MARK, VENDORED_MARK, given=asked
    )
    if status != 0:
        raise OutsideUnavailableError(who="git", words=trouble)
    return _marks(words.split("\0"))


def _marks(fields: Sequence[str]) -> dict[str, dict[str, bool]]:
    found: dict[str, dict[str, bool]] = {}
    for path, name, value in zip(fields[::3], fields[1::3], fields[2::3], strict=False):
        if value in {"set", "true"}:
            found.setdefault(path, {})[name] = True
        elif value in {"unset", "false"}:
            found.setdefault(path, {})[name] = False
    return found


def _speak_of_code(checkout: Checkout, paths: Iterable[str]) -> bool:
    """Tell whether any file of attributes in the checkout names what we look for."""
    for path in paths:
        if path.endswith(".gitattributes") and path.rpartition("/")[2] == ".gitattributes":
            found = read_file(checkout.root, path)
            if found is not None and _LINGUIST in found.content:
                return True
    return False
