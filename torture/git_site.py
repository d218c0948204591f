"""A real repository and a model of its lines; every step is done in both."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from torture.git_editing import some_edits
from torture.git_lines import Patch, Tree, applied
from torture.git_truth import KeptProposal
from torture.git_writing import Author

MAIN, TOPIC = "main", "topic"
_SETTINGS = """\
[init]
\tdefaultBranch = main
[user]
\tname = somebody
\temail = somebody@example.org
[core]
\tfsync = none
\tautocrlf = false
[gc]
\tauto = 0
[protocol "file"]
\tallow = always
[advice]
\tdetachedHead = false
\tskippedCherryPicks = false
"""
_EPOCH = 1_700_000_000


class GitRefusedError(RuntimeError):
    """Git did not do what an operation asked for."""


class DisagreementError(RuntimeError):
    """The files are not what the model says; the model must never be wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit: the files before it, its change, the files after it."""

    sha: str
    before: Tree
    patch: Patch
    tree: Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """The commits that may correctly be called successors; ``surely`` if git can prove it."""

    now: frozenset[str]
    surely: bool = False


@dataclass(slots=True, kw_only=True)
class Site:
    """A checkout, its model, and the memories written in it.

    ``looking`` is the folder in which the program is asked in the end; ``joined`` means that the
    topic is part of what is checked out there.
    """

    work: Path
    root: Path
    author: Author
    tree: Tree = field(default_factory=dict)
    commits: dict[str, Commit] = field(default_factory=dict)
    main: list[str] = field(default_factory=list)
    topic: list[str] = field(default_factory=list)
    kept: list[KeptProposal] = field(default_factory=list)
    cited: dict[str, str] = field(default_factory=dict)
    rewritten: dict[str, Rewritten] = field(default_factory=dict)
    looking: Path = Path()
    absent: frozenset[str] = frozenset()
    is_joined: bool = False
    is_topic_thrown_away: bool = False
    is_shallow: bool = False
    clock: int = 0

    @property
    def store(self) -> Path:
        """The folder of this site's store."""
        return self.work / "store"

    def git(self, *words: str, folder: Path | None = None, given: str | None = None) -> str:
        """Run git in the checkout and return its output.

        Raises:
            GitRefusedError: It failed.
        """
        done = self.try_git(*words, folder=folder, given=given)
        if done.returncode:
            said = f"{' '.join(words)}: {done.stdout}{done.stderr}"
            raise GitRefusedError(said)
        return done.stdout.strip()

    def try_git(
        self, *words: str, folder: Path | None = None, given: str | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run git in the checkout, whether or not it fails."""
        self.clock += 60
        date = f"{_EPOCH + self.clock} +0000"
        dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        return subprocess.run(
            ["git", *words],
            cwd=folder or self.root,
            env=os.environ | git_surroundings(self.work) | dates,
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )

    def edit(self, patch: Patch) -> None:
        """Change the files on disk and in the model."""
        self.become(applied(patch, self.tree))

    def become(self, tree: Tree) -> None:
        """Write these files to disk and into the model."""
        for path in self.tree:
            if path not in tree:
                (self.root / path).unlink()
        for path, page in tree.items():
            if self.tree.get(path) is not page:
                whole = self.root / path
                whole.parent.mkdir(parents=True, exist_ok=True)
                whole.write_bytes(page.raw)
        self.tree = tree

    def commit(self, words: str, patch: Patch, *options: str) -> str:
        """Change the files, commit, and record the commit; return its name."""
        before = self.tree
        self.edit(patch)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", words, *options)
        return self.note(Commit(sha=self.head(), before=before, patch=patch, tree=self.tree))

    def note(self, commit: Commit) -> str:
        """Record a commit."""
        self.commits[commit.sha] = commit
        return commit.sha

    def head(self, folder: Path | None = None) -> str:
        """Return the commit that is checked out."""
        return self.git("rev-parse", "HEAD", folder=folder)

    def some(self, *, side: int | None = None, number: int = 5) -> Patch:
        """Return a random change of the files."""
        busy = frozenset(line.id for kept in self.kept for line in kept.lines)
        return some_edits(self.author, self.tree, busy, side=side, number=number)

    def checkout(self, name: str, *options: str) -> None:
        """Check out a commit whose files are recorded."""
        self.git("checkout", "-q", *options, name)
        self.tree = self.commits[self.head()].tree

    def replayed(self, old: Iterable[str], base: Tree, span: str, *, surely: bool = True) -> Tree:
        """Record a range's commits as replays of the old ones; return the last one's files."""
        tree = base
        new = self.git("rev-list", "--reverse", span).split()
        for before, after in zip(old, new, strict=True):
            patch = self.commits[before].patch
            now = applied(patch, tree)
            self.note(Commit(sha=after, before=tree, patch=patch, tree=now))
            self.rewritten[before] = Rewritten(now=frozenset({after}), surely=surely)
            tree = now
        return tree

    def agree(self) -> None:
        """Compare the folder in question with the model.

        Raises:
            DisagreementError: A file differs from the model.
        """
        there = {
            path.relative_to(self.looking).as_posix(): path.read_bytes()
            for path in self.looking.rglob("*")
            if path.is_file() and ".git" not in path.relative_to(self.looking).parts
        }
        there.pop(".gitattributes", None)
        wanted = {path: page.raw for path, page in self.tree.items() if path not in self.absent}
        if there != wanted:
            odd = sorted(path for path in {*there, *wanted} if there.get(path) != wanted.get(path))
            raise DisagreementError(", ".join(odd))

    def moved_to(self, work: Path, author: Author) -> Site:
        """Return a copy of everything at another path."""
        shutil.copytree(self.work, work, symlinks=True)
        root = work / self.root.relative_to(self.work)
        site = Site(
            work=work,
            root=root,
            author=author,
            tree=self.tree,
            commits=dict(self.commits),
            main=list(self.main),
            topic=list(self.topic),
            kept=list(self.kept),
            cited=dict(self.cited),
            looking=root,
            clock=self.clock,
        )
        site.git("update-index", "-q", "--refresh")  # same files, other inodes
        return site


Keeper = Callable[[Site, int], None]


def git_surroundings(work: Path) -> dict[str, str]:
    """Return an environment that isolates git from the settings of the person and machine."""
    return {
        "HOME": str(work),
        "XDG_CONFIG_HOME": str(work),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_EDITOR": "true",
        "LC_ALL": "C.UTF-8",
    }


def made(work: Path, author: Author, keep: Keeper, *, format_name: str = "sha1") -> Site:
    """Create a repository with a history, a branch, and memories of all of it.

    The main branch and the topic change different blocks, so that git can merge them.
    """
    root = work / "project"
    root.mkdir(parents=True)
    (work / ".gitconfig").write_text(_SETTINGS)
    site = Site(work=work, root=root, author=author, looking=root)
    site.git("init", "-q", f"--object-format={format_name}")
    site.become(author.project())
    site.git("add", "-A")
    site.git("commit", "-q", "-m", "begin")
    site.main.append(site.note(Commit(sha=site.head(), before={}, patch=(), tree=site.tree)))
    site.main.append(site.commit("grow", site.some()))
    _read_dirty(site, keep, site.main, side=None)
    keep(site, 7)
    site.git("checkout", "-q", "-b", TOPIC)
    keep(site, 1)
    _read_dirty(site, keep, site.topic, side=1)
    site.topic.append(site.commit("topic: more", site.some(side=2)))
    keep(site, 2)
    site.checkout(MAIN)
    site.main.append(site.commit("go on", site.some(side=0)))
    site.agree()
    return site


def _read_dirty(site: Site, keep: Keeper, line: list[str], *, side: int | None) -> None:
    """Remember uncommitted lines, then commit them with a further change."""
    before = site.tree
    first = site.some(side=side, number=4)
    site.edit(first)
    keep(site, 2)
    second = site.some(side=side, number=1)
    site.edit(second)
    site.git("commit", "-q", "-a", "-m", f"work {len(line)}")
    patch = (*first, *second)
    line.append(site.note(Commit(sha=site.head(), before=before, patch=patch, tree=site.tree)))
