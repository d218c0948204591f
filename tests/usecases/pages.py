"""A memory and the pages of its repository, without a disk."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from holdfast.adapters.inmemory.notebook import InMemoryNotebook
from holdfast.app import Holdfast
from holdfast.app.filing import Filing
from holdfast.domain.choices import Kind, Origin
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.entry import Flaw, PageEntry
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.pages.syncing import EntryOutcome, Synced, SyncStep
from holdfast.domain.pages.trusting import Trusted
from holdfast.domain.recall.question import Question
from holdfast.ports.anchors.clone import BroughtText, FileAtCommit
from holdfast.usecases.pages.sync import Sync
from tests.usecases.wishes import said

DECISIONS = ".holdfast/memory/decisions.md"


@dataclass
class PlainBook:
    """Trusted clones, in a dictionary."""

    kept: dict[str, Trusted] = field(default_factory=dict)

    def entries(self) -> list[Trusted]:
        """Return them all."""
        return list(self.kept.values())

    def put(self, trusted: Trusted) -> None:
        """Keep one."""
        self.kept[trusted.clone] = trusted

    def remove(self, clone: str) -> bool:
        """Remove one."""
        return self.kept.pop(clone, None) is not None


@dataclass
class PlainClone:
    """A clone that says what the test told it to say."""

    own_since: set[str] = field(default_factory=set)
    reverted_since: set[str] = field(default_factory=set)
    joins: bool = False
    then: dict[tuple[str, str], str] = field(default_factory=dict)
    untouched: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    elsewhere: set[str] = field(default_factory=set)
    held: set[str] = field(default_factory=set)
    fields: dict[str, frozenset[str]] = field(default_factory=dict)

    def not_checked_out(self, pages: Collection[str], *, everywhere: bool = True) -> frozenset[str]:
        """Return what the test said."""
        return frozenset(self.elsewhere.intersection(pages))

    def unedited(self, pages: Collection[str]) -> frozenset[str]:
        """Return what the test said."""
        return frozenset(self.untouched.intersection(pages))

    def brought(
        self,
        lines: Collection[str],
        *,
        entries: Collection[str] = (),
        since: Collection[str] = (),
    ) -> BroughtText:
        """Return what the test said."""
        return BroughtText(
            lines=frozenset(self.others.intersection(lines)),
            retouched=frozenset(self.changed.intersection(lines)),
            fields={name: self.fields[name] for name in entries if name in self.fields},
        )

    def held_since(self, since: str, entries: Collection[str]) -> frozenset[str]:
        """Return what the test said."""
        return frozenset(self.held.intersection(entries))

    def is_made_here(self, since: str, *, reverts: bool = False) -> bool:
        """Tell what the test said."""
        return since in self.own_since or (reverts and since in self.reverted_since)

    def is_joining(self) -> bool:
        """Tell what the test said."""
        return self.joins

    def files(self, cited: Collection[tuple[str, str]]) -> Mapping[tuple[str, str], FileAtCommit]:
        """Return the texts that the test said."""
        return {
            one: FileAtCommit(
                commit=one[0].ljust(40, "0"),
                blob="c" * 40,
                lines=tuple(self.then[one].splitlines()),
            )
            for one in cited
            if one in self.then
        }


@dataclass
class PlainSettings:
    """Settings of a repository that say what the test told them to say."""

    values: dict[str, str] = field(default_factory=dict)
    found: tuple[Flaw, ...] = ()

    def value(self, name: str) -> str | None:
        """Return one."""
        return self.values.get(name)

    def flaws(self) -> tuple[Flaw, ...]:
        """Return what must not be there."""
        return self.found


@dataclass
class UseCaseContext:
    """Somebody at work with a memory and its pages."""

    memory: Holdfast
    notebook: InMemoryNotebook = field(default_factory=InMemoryNotebook)
    book: PlainBook = field(default_factory=PlainBook)
    own_clone: PlainClone = field(default_factory=PlainClone)
    settings: PlainSettings = field(default_factory=PlainSettings)

    @property
    def filing(self) -> Filing:
        """The facet under test."""
        return Filing(
            memory=self.memory,
            notebook=self.notebook,
            book=self.book,
            clone="/home/ada/app",
            settings=self.settings,
            own_clone=self.own_clone,
        )

    def sync(self, **changes: Any) -> Synced:
        """Bring both in line."""
        fields: dict[str, Any] = {"by": "ada", "voice": Origin.HUMAN}
        return self.filing.sync(Sync(**(fields | changes)))

    def only(self, **changes: Any) -> EntryOutcome:
        """Bring both in line and return the one thing that happened."""
        told = self.sync(**changes).told
        assert len(told) == 1, told
        return told[0]

    def steps(self, **changes: Any) -> list[SyncStep]:
        """Bring both in line and return what happened."""
        return [one.step for one in self.sync(**changes).told]

    def decided(self, claim: str = "We deploy on Tuesdays.", **changes: Any) -> MemoryRecord:
        """Let a person decide something and write it into the pages."""
        record = said(self.memory, claim, kind=Kind.DECISION, **changes)
        self.sync()
        return record

    def entry(self, uid: str) -> PageEntry:
        """Return the entry of that name."""
        found = [one.entry for one in self.notebook.read().entries if one.entry.uid == uid]
        assert len(found) == 1, found
        return found[0]

    def record(self, name: str) -> MemoryRecord:
        """Return a memory as it stands now."""
        with self.memory.store.reading() as tx:
            return tx.memories.get(MemoryId(name))

    def recalled(self, words: str) -> list[str]:
        """Return the claims that a question is given."""
        answer = self.memory.answers.answer(Question(text=words))
        return [self.record(item.memory_id).memory.claim for item in answer.bundle.items]


def from_git(context: UseCaseContext, *entries: PageEntry) -> None:
    """Let entries come with a pull: they are in the file and in the last commit."""
    for entry in entries:
        context.notebook.add(entry)
    context.notebook.commit()


def a_decision(body: str = "We deploy on Fridays.", **changes: Any) -> PageEntry:
    """An entry that somebody else wrote."""
    fields: dict[str, Any] = {
        "kind": Kind.DECISION,
        "uid": MemoryId("m_01k0000000000000000000000a"),
        "label": "DEC-001",
        "evidence": ("statement: we met",),
    }
    return PageEntry(body=body, **(fields | changes))
