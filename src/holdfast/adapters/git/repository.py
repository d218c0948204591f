"""Which repository a folder belongs to, read from its files; git itself is asked once."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.values import dataclass

_BRANCH = "ref: refs/heads/"
_LINK = "gitdir: "
# A hook runs with these set to its own repository; they would lead git away from ours.
_POINTERS = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_DIR",
        "GIT_INDEX_FILE",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A working tree, the folder git shares between its worktrees, and the branch checked out."""

    root: Path
    git_dir: Path
    common_dir: Path
    branch: str | None


def find_repository(folder: Path) -> Repository | None:
    """Return the repository that holds a folder, or None.

    A ``.git`` that leads to no repository is passed over.
    """
    for root in (folder, *folder.parents):
        git_dir = _git_dir(root / ".git")
        if (git_dir / "HEAD").exists():
            return _described(root, git_dir)
    return None


def _git_dir(marker: Path) -> Path:
    """Return where git keeps its things: the marker itself, or where a file in its place leads."""
    if not marker.is_file():
        return marker
    words = marker.read_text(encoding="utf-8", errors="replace").strip()
    return (marker.parent / words.removeprefix(_LINK)).resolve()


def _described(root: Path, git_dir: Path) -> Repository:
    common = git_dir / "commondir"
    common_dir = git_dir
    if common.is_file():
        common_dir = (git_dir / common.read_text(encoding="utf-8").strip()).resolve()
    head = (git_dir / "HEAD").read_text(encoding="utf-8", errors="replace").strip()
    branch = head.removeprefix(_BRANCH) if head.startswith(_BRANCH) else None
    return Repository(root=root, git_dir=git_dir, common_dir=common_dir, branch=branch)


def repository_id(repository: Repository, *, cache: Path) -> str:
    """Return the id that every clone of the repository has: a hash of its first commits.

    It is asked of git once and then remembered for this folder, by the folder's own
    identity on disk, so that another repository put in its place is not mistaken for it.
    A repository without a commit keeps the id it is given now.

    Raises:
        OutsideUnavailableError: Git is not there, or does not want to read the repository.
    """
    here = _identity(repository)
    known = _read(cache)
    if here not in known:
        known[here] = _from_roots(_root_commits(repository)) or _unborn(here)
        _write(cache, known)
    return known[here]


def _identity(repository: Repository) -> str:
    """Return what tells this folder from a later one of the same name.

    An inode is soon given to the next folder, so the moments at which git made its parts
    count too: nothing git does later changes a file as old and as dull as its description.
    """
    parts = [repository.common_dir, repository.common_dir / "description"]
    seen = [str(repository.common_dir)]
    for part in parts:
        with suppress(OSError):
            status = part.stat()
            made = status.st_mtime_ns if part.is_file() else ""
            seen.append(f"{status.st_dev}.{status.st_ino}.{made}")
    return ":".join(seen)


def _from_roots(roots: list[str]) -> str:
    if not roots:
        return ""
    return "repo_" + hashlib.sha256("\n".join(sorted(roots)).encode()).hexdigest()[:20]


def _unborn(here: str) -> str:
    return "repo_" + hashlib.sha256(f"unborn:{here}".encode()).hexdigest()[:20]


def _root_commits(repository: Repository) -> list[str]:
    """Return the first commits, or none where nothing was committed yet."""
    status, words, _ = ask_git(repository, "rev-list", "--max-parents=0", "HEAD", "--")
    if status == 0:
        return words.split()
    # Git refuses an unborn branch and a repository it does not trust alike; this tells them apart.
    status, _, trouble = ask_git(repository, "rev-list", "--max-count=1", "--all")
    if status != 0:
        raise OutsideUnavailableError(who="git", words=trouble)
    return []


def ask_git(repository: Repository, *words: str) -> tuple[int, str, str]:
    """Run git in a repository; return its exit code, its answer and its complaints.

    Raises:
        OutsideUnavailableError: Git is not there.
    """
    import subprocess

    command = ["git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor="]
    command += ["--no-optional-locks", "--no-replace-objects", "-C", str(repository.root), *words]
    surroundings = {name: value for name, value in os.environ.items() if name not in _POINTERS}
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False, env=surroundings
        )
    except OSError as error:
        raise OutsideUnavailableError(who="git", words=str(error)) from error
    return answer.returncode, answer.stdout, answer.stderr


def _read(cache: Path) -> dict[str, str]:
    try:
        found = json.loads(cache.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {here: name for here, name in found.items() if isinstance(name, str)}


def _write(cache: Path, known: dict[str, str]) -> None:
    """Keep the cache if we can; it is derived, so a full or read-only disk is no reason to stop."""
    fresh = cache.with_name(f"{cache.name}.{os.getpid()}")
    try:
        cache.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh.write_text(json.dumps(known, indent=1, sort_keys=True), encoding="utf-8")
        fresh.replace(cache)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
