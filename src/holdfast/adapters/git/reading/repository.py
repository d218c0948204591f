"""Finds the repository of a folder, and runs git in it."""

from __future__ import annotations

import os
from pathlib import Path

from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.values import dataclass, replace

_BRANCH = "ref: refs/heads/"
_LINK = "gitdir: "
# The placeholder in HEAD of a repository with reftable refs, so that old gits reject it.
_ELSEWHERE = ".invalid"
# A hook runs with these set to its own repository; they would point git at the wrong one.
_POINTERS = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_DIR",
        "GIT_EXTERNAL_DIFF",
        "GIT_INDEX_FILE",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    }
)
# English, so that error messages can be parsed; no prompts, no fetch of missing objects, and the
# history as it was committed, without grafts. A repository's own configuration names programs too:
# those of the environment take precedence.
_QUIET = {
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_ASKPASS": "false",
    "GIT_EDITOR": "false",
    "GIT_GRAFT_FILE": "/dev/null",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_PAGER": "cat",
    "GIT_SSH_COMMAND": "false",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
# No hook, no file monitor, no check of signatures, no submodules, no transport. The output does not
# depend on the configuration either: its encoding, the names in it, the order and form of a diff,
# the form of a found line.
_SETTINGS = (
    *("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor="),
    *("-c", "log.showSignature=false", "-c", "submodule.recurse=false"),
    *("-c", "protocol.allow=never", "-c", "core.alternateRefsCommand="),
    *("-c", "i18n.logOutputEncoding=UTF-8", "-c", "color.ui=false", "-c", "core.abbrev=auto"),
    *("-c", "advice.graftFileDeprecated=false"),
    *("-c", "log.mailmap=false", "-c", "mailmap.file=", "-c", "mailmap.blob="),
    *("-c", "log.showRoot=true", "-c", "log.follow=false", "-c", "log.decorate=false"),
    *("-c", "blame.ignoreRevsFile=", "-c", "diff.orderFile=/dev/null"),
    *("-c", "diff.algorithm=default", "-c", "diff.indentHeuristic=true"),
    *("-c", "diff.noprefix=false", "-c", "diff.mnemonicPrefix=false", "-c", "diff.relative=false"),
    *("-c", "diff.context=3", "-c", "diff.interHunkContext=0", "-c", "diff.submodule=short"),
    *("-c", "diff.ignoreSubmodules=none", "-c", "diff.suppressBlankEmpty=false"),
    *("-c", "grep.lineNumber=false", "-c", "grep.column=false"),
)
_MISUSED = 129
LONGEST_SECONDS = 120.0
"""How long one call of git may take; a setting may name a device or a pipe that never ends."""
_LONGEST_SLEEP = 5.0
"""How long git may do nothing at all: a setting may name a pipe that nobody writes to."""
_NO_GIT = "there is no program called git. Install git, or put it on the PATH."
_OTHER_INDEX = (
    "GIT_INDEX_FILE names an index that is not in the git folder of this repository, so nobody can"
    " tell what is about to be committed. Unset it, or run this in the repository of that index."
)
OLDEST_GIT = (2, 22)


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A working tree, the git folder its worktrees share, and the branch checked out.

    ``index`` is the index that git reads; None is the ordinary one of the working tree.
    """

    root: Path
    git_dir: Path
    common_dir: Path
    branch: str | None
    index: Path | None = None


def find_repository(folder: Path) -> Repository | None:
    """Return the repository that contains a folder, or None.

    A ``.git`` that leads to no repository is skipped.

    Raises:
        OutsideUnavailableError: There is one, and it may not be read.
    """
    for root in (folder, *folder.parents):
        try:
            git_dir = _git_dir(root / ".git")
            if (git_dir / "HEAD").exists():
                return _described(root, git_dir)
        except PermissionError as error:
            words = f"{error.filename} cannot be read: {error.strerror}. Check its permissions."
            raise OutsideUnavailableError(who="The system", words=words) from error
        except (OSError, ValueError):
            continue  # a name too long for a file, or with a NUL in it
    return None


def _git_dir(marker: Path) -> Path:
    """Return the git folder: the marker itself, or the target of a ``.git`` file."""
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
    if branch == _ELSEWHERE:
        branch = None
    return Repository(root=root, git_dir=git_dir, common_dir=common_dir, branch=branch)


def with_proposed_index(repository: Repository) -> Repository:
    """Return a repository that is read with the index of the commit that git is about to make.

    ``git commit -a`` and ``git commit PATH`` write that index beside the ordinary one, and name it
    to their hooks. An index elsewhere may be one of another repository.

    Raises:
        OutsideUnavailableError: The environment names an index that is not in the git folder.
    """
    named = os.environ.get("GIT_INDEX_FILE")
    if not named:
        return repository
    index = Path(os.path.realpath(repository.root / named))
    if not index.is_relative_to(os.path.realpath(repository.git_dir)) or not index.is_file():
        raise OutsideUnavailableError(who="The environment", words=_OTHER_INDEX)
    return replace(repository, index=index)


def ask_git(
    repository: Repository,
    *words: str,
    given: bytes | None = None,
    timeout: float = LONGEST_SECONDS,
) -> tuple[int, str, str]:
    """Run git in a repository; return its exit code, stdout and stderr.

    The output is decoded as UTF-8, with U+FFFD for invalid bytes; line ends stay unchanged. Git
    does not prompt, runs no hook, and fetches nothing: an object that is not here is missing.

    Raises:
        OutsideUnavailableError: Git is not installed, is too old, or exceeded the timeout.
    """
    status, answer, complaints = ask_git_bytes(repository, *words, given=given, timeout=timeout)
    return status, answer.decode(errors="replace"), complaints


def ask_git_bytes(
    repository: Repository,
    *words: str,
    given: bytes | None = None,
    timeout: float = LONGEST_SECONDS,
    settings: tuple[str, ...] = _SETTINGS,
) -> tuple[int, bytes, str]:
    """Run git as ``ask_git`` does, and return its answer as the bytes it wrote."""
    from holdfast.adapters.processes.running import run_program

    command = ["git", *settings, "--no-optional-locks", "--no-replace-objects"]
    try:
        status, answer, errors = run_program(
            [*command, "-C", str(repository.root), *words],
            environment=_environment() | _pointers(repository),
            given=given or b"",
            timeout=timeout,
            idle=_LONGEST_SLEEP,
        )
    except TimeoutError as error:
        words_said = f"it {error}. Try again, and look at the configuration of the repository."
        raise OutsideUnavailableError(who="git", words=words_said) from error
    except FileNotFoundError as error:
        raise OutsideUnavailableError(who="The system", words=_NO_GIT) from error
    except (OSError, ValueError) as error:
        raise OutsideUnavailableError(who="git", words=str(error)) from error
    complaints = errors.decode(errors="replace")
    if status == _MISUSED or "is not a git command" in complaints:
        _refuse_old_git()
    return status, answer, complaints


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _POINTERS}
    return kept | _QUIET


def _pointers(repository: Repository) -> dict[str, str]:
    # A repository's own configuration may name another working tree.
    pointers = {"GIT_WORK_TREE": str(repository.root)}
    if repository.index is not None:
        pointers["GIT_INDEX_FILE"] = str(repository.index)
    return pointers


def _refuse_old_git() -> None:
    """Say so where git did not understand us because it is older than what we ask of it."""
    from holdfast.adapters.processes.running import run_program

    _, said, _ = run_program(
        ["git", "version"], environment=_environment(), timeout=LONGEST_SECONDS
    )
    version = said.decode(errors="replace").removeprefix("git version ").strip()
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers and numbers < OLDEST_GIT:
        needed = ".".join(str(number) for number in OLDEST_GIT)
        old = f"version {version} is too old; Holdfast needs {needed} or newer. Upgrade git."
        raise OutsideUnavailableError(who="git", words=old)
