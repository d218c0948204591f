"""Stories of branches: in every checkout every reader says what reaches it, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from holdfast.app.part_ports import means_of
from holdfast.bootstrap.opening.wiring import open_holdfast
from holdfast.domain.memory.anchor import Arrivals, BranchPoint
from holdfast.domain.memory.selection import View
from holdfast.surfaces.mcp.calling import ToolCall
from holdfast.surfaces.mcp.tools.knowing_tools import assemble_context
from holdfast.surfaces.mcp.tools.memory_tools import list_memories
from holdfast.surfaces.python.api import MemoryStore
from holdfast.usecases.anchors import checking
from holdfast.usecases.recall.briefing import briefing
from tests.builders import ADA
from tests.cli.clones import MEMORY, Clone
from tests.cli.program import Program
from tests.requirements import requirement

WORDS = ("amber", "cobalt", "crimson", "ivory")
"""Every claim of a story has one of these words, so that a leak is easily seen."""
QUESTION = "how many items does the cart hold"

BEGIN = ("say amber", "branch feat", "commit feat.txt", "say cobalt")
AWAY = (*BEGIN, "to main", "commit main.txt")
TWO = (*AWAY, "branch other", "commit other.txt", "say crimson", "to main")
STORIES: dict[str, tuple[str, ...]] = {
    "each branch sees its own": (
        *(*BEGIN, "stands cobalt", "over amber"),
        *("to main", "stands amber", "over", "to feat", "stands cobalt", "over amber"),
    ),
    "a branch without commits of its own": (
        *("say amber", "branch feat", "say cobalt", "stands cobalt", "over amber"),
        *("to main", "stands amber", "over"),
    ),
    "merged": (*AWAY, "merge feat", "stands cobalt", "over amber"),
    "merged and deleted": (*AWAY, "merge feat", "delete feat", "stands cobalt", "over amber"),
    "merged fast-forward": (*BEGIN, "to main", "merge feat", "stands cobalt", "over amber"),
    "squashed": (*AWAY, "squash feat", "stands cobalt", "over amber"),
    "squashed and deleted": (*AWAY, "squash feat", "delete feat", "stands cobalt", "over amber"),
    "rebased and merged": (
        *(*AWAY, "to feat", "rebase main", "stands cobalt", "over amber"),
        *("to main", "stands amber", "over", "merge feat", "stands cobalt", "over amber"),
    ),
    "cherry-picked": (*AWAY, "pick feat", "stands cobalt", "over amber"),
    "cherry-picked in part": (
        *(*BEGIN, "commit feat2.txt", "say crimson", "stands crimson", "over amber cobalt"),
        *("to main", "commit main.txt", "pick feat~1", "stands cobalt", "over amber"),
    ),
    "deleted": (*AWAY, "delete feat", "stands amber", "over"),
    "deleted and pruned": (*AWAY, "delete feat", "prune", "stands amber", "over"),
    "deleted, pruned and cloned": (
        *(*AWAY, "delete feat", "prune", "clone", "stands amber", "over"),
    ),
    "a clone that has no such branch": (*AWAY, "clone", "stands amber", "over"),
    "two clones, merged in one": (
        *(*AWAY, "clone", "stands amber", "over", "return", "merge feat"),
        *("stands cobalt", "over amber", "enter", "stands amber", "over"),
        *("pull", "stands cobalt", "over amber"),
    ),
    "two branches say the key anew": (
        *(*TWO, "stands amber", "over", "to feat", "stands cobalt", "over amber"),
        *("to other", "stands crimson", "over amber"),
    ),
    "two branches, one merged": (
        *(*TWO, "merge feat", "stands cobalt", "over amber"),
        *("to other", "stands crimson", "over amber"),
    ),
    "a branch of a branch": (
        *(*BEGIN, "branch more", "commit more.txt", "say crimson", "stands crimson"),
        *("over amber cobalt", "to feat", "stands cobalt", "over amber"),
        *("to main", "stands amber", "over"),
    ),
    "said again on the same branch": (
        *(*BEGIN, "say crimson", "stands crimson", "over amber cobalt"),
        *("to main", "stands amber", "over", "merge feat", "stands crimson", "over amber cobalt"),
    ),
    "main says the key anew meanwhile": (
        *(*AWAY, "say crimson", "stands crimson", "over amber"),
        *("to feat", "stands cobalt", "over amber crimson"),
    ),
    "two branches, both merged": (
        *(*TWO, "clash 0", "merge feat", "merge other", "clash 1"),
        *("stands cobalt crimson", "over amber", "to feat", "clash 0", "stands cobalt"),
    ),
    "main says the key anew meanwhile, then merged": (
        *(*AWAY, "say crimson", "clash 0", "merge feat", "clash 1"),
        *("stands cobalt crimson", "over amber"),
    ),
    "main says it anew after the merge": (
        *(*AWAY, "merge feat", "say crimson", "stands crimson", "over amber cobalt"),
        *("to feat", "stands crimson", "over amber cobalt"),
    ),
    "an edit on a branch": (
        *("say amber", "branch feat", "commit feat.txt", "edit amber cobalt"),
        *("stands cobalt", "over amber", "to main", "stands amber", "over"),
        *("commit main.txt", "merge feat", "stands cobalt", "over amber"),
    ),
    "a candidate of a branch": (
        *("say amber", "branch feat", "commit feat.txt", "propose cobalt", "waits 1"),
        *("to main", "waits 0", "stands amber", "to feat", "accept cobalt", "stands cobalt"),
        *("over amber", "to main", "stands amber", "over", "merge feat", "stands cobalt"),
    ),
    "forgotten on the branch": (*AWAY, "forget cobalt", "merge feat", "stands amber", "over"),
    "a worktree of the branch": (*AWAY, "worktree feat", "stands cobalt", "over amber"),
    "detached at the branch": (*AWAY, "detach feat", "stands cobalt", "over amber"),
    "deleted, and the name used again": (
        *(*AWAY, "delete feat", "branch feat", "stands amber", "over"),
        *("commit new.txt", "stands amber", "over", "to main", "merge feat", "stands amber"),
    ),
    "deleted before its first commit, and the name used again": (
        *("say amber", "branch feat", "say cobalt", "to main", "delete feat", "commit main.txt"),
        *("branch feat", "commit new.txt", "stands amber", "to main", "merge feat"),
        *("stands amber", "over"),
    ),
    "thrown away, and the branch used for other work": (
        *(*AWAY, "to feat", "reset --hard main", "commit new.txt", "stands amber", "over"),
    ),
    "amended": (*BEGIN, "amend feat.txt", "stands cobalt", "over amber"),
    "rebased, then amended": (
        *(*AWAY, "to feat", "rebase main", "amend feat.txt", "stands cobalt", "over amber"),
    ),
    "commits joined by hand": (
        *(*BEGIN, "commit feat2.txt", "reset --soft main", "stands cobalt", "amend feat.txt main"),
        *("stands cobalt", "over amber"),
    ),
    "with pages": (
        *("pages", *BEGIN, "to main", "stands amber", "over"),
        *("to feat", "stands cobalt", "over amber", "to main", "merge feat", "stands cobalt"),
    ),
    "with pages, deleted": (
        *("pages", *BEGIN, "to main", "delete feat", "prune", "stands amber", "over"),
    ),
}


@dataclass
class CommitRecord:
    """A person who works in clones of one repository, with one memory."""

    clone: Clone
    homes: list[Clone] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    has_pages: bool = False

    def tell_all(self, lines: tuple[str, ...]) -> None:
        """Do what the lines of the story say, one after the other."""
        for line in lines:
            self.tell(line)

    def tell(self, line: str) -> None:
        """Do what a line of the story says."""
        verb, *words = line.split()
        getattr(self, f"do_{verb}")(*words)

    def holdfast(self, *words: str) -> str:
        """Run the program and return all that it says to a person."""
        done = self.clone.program(*words)
        assert "Traceback" not in done.err
        return f"{done.out}{done.err}"

    def do_say(self, word: str) -> None:
        self.names[word] = self._remember(word)
        self._file()

    def do_propose(self, word: str) -> None:
        self.names[word] = self._remember(word, "--origin", "agent")

    def _remember(self, word: str, *more: str) -> str:
        words = ("--kind", "decision", "--key", "cart", "--because", "I decided", *more)
        said = self.clone.program("remember", *words, f"The cart holds {word} items.").well()
        seen = set(self.names) - self.reaching()
        assert not seen & _words_in(f"{said.out}{said.err}")
        assert not any(self.names[one] in f"{said.out}{said.err}" for one in seen)
        return said.id

    def do_accept(self, word: str) -> None:
        self.clone.program("resolve", self.names[word], "--supersede").well()

    def do_edit(self, old: str, new: str) -> None:
        claim = f"The cart holds {new} items."
        self.clone.program("edit", self.names[old], "--claim", claim).well()

    def do_forget(self, word: str) -> None:
        self.clone.program("forget", self.names.pop(word), "--yes").well()

    def do_branch(self, name: str) -> None:
        self.clone.git("switch", "-q", "-c", name)

    def do_to(self, name: str) -> None:
        self.clone.git("switch", "-q", name)

    def do_detach(self, name: str) -> None:
        self.clone.git("switch", "-q", "--detach", name)

    def do_commit(self, name: str) -> None:
        (self.clone.folder / name).write_text(f"{name}\n" * 5, encoding="utf-8")
        self.clone.commit(f"Add {name}")

    def do_merge(self, name: str) -> None:
        self.clone.git("merge", "-q", "--no-edit", name)

    def do_squash(self, name: str) -> None:
        self.clone.git("merge", "-q", "--squash", name)
        self.clone.commit(f"Take {name} in")

    def do_rebase(self, name: str) -> None:
        self.clone.git("rebase", "-q", name)

    def do_reset(self, how: str, to: str) -> None:
        self.clone.git("reset", "-q", how, to)

    def do_amend(self, name: str, base: str = "") -> None:
        """Change a file and put it into the last commit, or into a new one after a reset."""
        (self.clone.folder / name).write_text("changed\n", encoding="utf-8")
        self.clone.git("add", "-A")
        self.clone.git("commit", "-q", *([] if base else ["--amend"]), "-m", "Told better")

    def do_pick(self, name: str) -> None:
        self.clone.git("cherry-pick", "HEAD..." + name, "--right-only", "--no-merges")

    def do_delete(self, name: str) -> None:
        self.clone.git("branch", "-q", "-D", name)

    def do_prune(self) -> None:
        self.clone.git("reflog", "expire", "--expire=now", "--all")
        self.clone.git("prune", "--expire=now")

    def do_clone(self) -> None:
        self._go(self.clone.folder.parent / "clone", "clone", "-q", "-b", "main", "--single-branch")

    def do_worktree(self, name: str) -> None:
        folder = self.clone.folder.parent / "worktree"
        self.clone.git("worktree", "add", "-q", str(folder), name)
        self._enter(folder)

    def do_return(self) -> None:
        self.homes.append(self.clone)
        self.clone = self.homes.pop(0)

    do_enter = do_return

    def do_pull(self) -> None:
        self.clone.git("pull", "-q")

    def _go(self, folder: Path, *words: str) -> None:
        self.clone.git(*words, f"file://{self.clone.folder}", str(folder))
        self._enter(folder)

    def _enter(self, folder: Path) -> None:
        self.homes.append(self.clone)
        self.clone = Clone(replace(self.clone.program, folder=folder))

    def do_pages(self) -> None:
        self.clone.program("init", "--files").well()
        self.clone.commit("Keep pages")
        self.has_pages = True

    def _file(self) -> None:
        if self.has_pages:
            self.clone.program("sync").well()
            self.clone.commit("Bring the pages in line")

    def do_waits(self, many: str) -> None:
        """Everything that counts candidates counts as many as the review shows."""
        program = self.clone.program
        shown = program("review", "--json").well().json
        status = program("status", "--json").well().json
        badge = program("status", "--badge", "--json").well().json
        line = program("status", "--badge").well().out
        counted = {
            *(len(shown["waiting"]), shown["total"], status["by_status"]["candidate"]),
            *(status["waiting"]["candidates"], badge["candidates"]),
        }
        assert counted == {int(many)}
        assert (f"{many} to review" in line) == (many != "0")

    def do_clash(self, many: str) -> None:
        """Everything that counts conflicts counts as many as there are to settle."""
        program = self.clone.program
        shown = program("conflicts", "--json").well().json["conflicts"]
        status = program("status", "--json").well().json
        badge = program("status", "--badge").well().out
        assert {len(shown), status["waiting"]["conflicts"]} == {int(many)}
        assert (f"{many} conflict" in badge) == (many != "0")

    def do_over(self, *words: str) -> None:
        """The memories with these words are superseded here, and no others are."""
        assert _words_in(self.holdfast("list", "--status", "superseded")) == set(words)

    def do_stands(self, *words: str) -> None:
        """The memories with these words hold here; nobody says a word of another branch."""
        if self.has_pages:
            self.holdfast("sync")
        told = {name: _words_in(text) for name, text in self.exactly().items()}
        assert told == {name: set(words) for name in told}
        counts = self.clone.program("status", "--json").well().json
        assert counts["here"] == counts["by_status"]["accepted"] == len(words)
        hidden = set(self.names) - self.reaching()
        leaks = {name: _words_in(text) & hidden for name, text in self.loosely().items()}
        assert leaks == {name: set() for name in leaks}

    def reaching(self) -> set[str]:
        """The words of all memories that reach this checkout, whatever became of them."""
        every = [f"--status={one}" for one in ("accepted", "candidate", "superseded")]
        return _words_in(self.holdfast("list", *every))

    def exactly(self) -> dict[str, str]:
        """What the readers say that give what holds here, and nothing else."""
        return {
            "recall": self.holdfast("recall", "--md", QUESTION),
            "list": self.holdfast("list", "--status", "accepted"),
            "list --json": self.holdfast("list", "--status", "accepted", "--json"),
            "list --words": self.holdfast("list", "-w", "cart items", "--status", "accepted"),
            **self._opened(),
        }

    def _opened(self) -> dict[str, str]:
        program = self.clone.program
        app = open_holdfast(principal=ADA, home=program.home, folder=program.folder)
        try:
            hidden = set(self.names) - self.reaching()
            assert not _words_in(str(MemoryStore(app).list("cart items"))) & hidden
            return {
                "memory.list": str(list_memories(ToolCall(app=app, given={}, source="test"))),
                "context.assemble": str(
                    assemble_context(ToolCall(app=app, given={"q": QUESTION}, source="test"))
                ),
                "a session's start": briefing("", ports=means_of(app)).text,
            }
        finally:
            app.close()

    def loosely(self) -> dict[str, str]:
        """What the other readers say."""
        first = next(iter(self.names.values()))
        verbs = {
            "export": ("export", "--here"),
            "journal": ("journal",),
            "review": ("review",),
            "conflicts": ("conflicts",),
            "curate": ("curate",),
            "digest": ("curate", "--digest"),
            "verify": ("verify",),
            "related": ("related", first),
            "explain": ("explain", first),
            "show": ("show", first),
            "status": ("status",),
        }
        said = {name: self.holdfast(*words) for name, words in verbs.items()}
        pages = (self.clone.folder / MEMORY).glob("**/*.md")
        return said | {one.name: one.read_text(encoding="utf-8") for one in pages}


def _words_in(text: str) -> set[str]:
    return {word for word in WORDS if word in text}


@requirement("branch.supersedes-where-it-reaches")
@requirement("branch.one-view-for-every-reader")
@requirement("counts.of-this-checkout")
@pytest.mark.parametrize("lines", STORIES.values(), ids=STORIES)
def test_every_reader_says_what_reaches_the_checkout_and_nothing_else(
    program: Program, lines: tuple[str, ...]
) -> None:
    story = CommitRecord(clone=Clone(program))

    story.tell_all(lines)


@requirement("diff.only-of-the-two-ends")
def test_a_difference_names_no_memory_of_a_third_branch(program: Program) -> None:
    story = CommitRecord(clone=Clone(program))
    story.tell_all((*TWO, "stands amber"))

    found = story.clone.program("diff", "main..feat").well()
    assert _words_in(found.out) == {"cobalt", "amber"}
    assert "0 added, 1 changed, 0 contradicted" in found.err
    found = story.clone.program("diff", "feat..other").well()
    assert _words_in(found.out) == {"cobalt", "crimson"}
    assert found.out.count("cobalt") == found.out.count("crimson") == 1


def _hide_nothing(
    _place: object, points: Sequence[BranchPoint], *_given: object, **_named: object
) -> tuple[Arrivals, str]:
    return Arrivals(points=frozenset(points)), ""


def _keep_the_stored_status(_supersessions: object, *, unseen: Any, **_named: object) -> View:
    return View(unseen=unseen)


@pytest.mark.parametrize(
    ("name", "plant", "title"),
    [
        ("_arrived", _hide_nothing, "deleted"),
        ("view_of", _keep_the_stored_status, "merged"),
        ("view_of", _keep_the_stored_status, "cherry-picked in part"),
    ],
    ids=["nothing is hidden", "nothing is superseded across branches", "nothing is restored"],
)
def test_a_planted_bug_is_caught(
    program: Program, monkeypatch: pytest.MonkeyPatch, name: str, plant: object, title: str
) -> None:
    monkeypatch.setattr(checking, name, plant)
    story = CommitRecord(clone=Clone(program))

    with pytest.raises(AssertionError):
        story.tell_all(STORIES[title])
