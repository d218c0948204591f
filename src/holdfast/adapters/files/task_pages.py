"""The pages of tasks below ``.holdfast/tasks``: one file for each task, so that branches merge.

A page has frontmatter and a body with the notes. A write replaces the values that differ, and
leaves every other byte: comments, unknown keys, the order of keys, line ends.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import write_whole
from holdfast.adapters.disk.json_files import read_json
from holdfast.adapters.files.clone_state import TASKS_FILE, from_other_branches, state_of
from holdfast.adapters.files.disk import UnreadableError, held_lock, open_folder, read_file
from holdfast.adapters.files.frontmatter import Field, FrontmatterTrouble, read_block
from holdfast.adapters.files.pages import HOME
from holdfast.adapters.files.replacing import Stash, Swapper
from holdfast.adapters.files.written import PROPOSED_FILE, OriginsFile
from holdfast.domain.choices import choose
from holdfast.domain.errors import InvalidError
from holdfast.domain.ids import TaskId
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.pages.syncing import NO_EDITS, Edits
from holdfast.domain.refusals import PageUnwritableError
from holdfast.domain.tasks.task import (
    USUAL_PRIORITY,
    TaskKind,
    TaskStatus,
    check_notes,
    check_priority,
    check_title,
)
from holdfast.domain.tasks.task_page import TaskEntry, join
from holdfast.domain.values import replace
from holdfast.ports.pages.task_pages import TaskBase, TaskFolder

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from holdfast.ports.anchors.clone import Versions

FOLDER = f"{HOME}/tasks"
_KEPT = ("digest", "at", "held", "waits", "updated")
_NAME = re.compile(r"(t_[0-9A-Za-z_]{1,62})\.md")
_PARTS = re.compile(
    r"---[ \t]*\r?\n(?P<head>.*?)^---[ \t]*(?:\r?\n|\Z)(?P<body>.*)", re.DOTALL | re.MULTILINE
)
_ID = re.compile(r"^id:[ \t]*(t_[0-9A-Za-z_]{1,62})[ \t]*\r?$", re.MULTILINE)
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_CONFLICT = "A merge left its conflict markers here. Choose one side, and run sync again."
_NO_HEAD = "It does not begin with frontmatter between two lines '---'."
_OTHER_ID = "Its id is not the one in its name."
_BAD_PRIORITY = "The priority must be a number from 0 to 4."
_NO_BRANCH = "-"
_FIELD = re.compile(r"(?:id|status|priority|kind|parent|after):|---$")
"""A line of a page that contains nobody's own words."""


class FileTaskPages:
    """The pages of tasks of one working tree.

    ``elsewhere`` returns the folders with the state of the other working trees of the clone.
    """

    def __init__(
        self,
        root: Path,
        versions: Versions,
        *,
        store: str = "",
        elsewhere: Callable[[], Iterable[Path]] = tuple,
    ) -> None:
        self._root, self._versions = root, versions
        state = versions.state_folder()
        self._lock = state / "pages.lock"
        self._bases = state_of(state, store) / TASKS_FILE
        self._elsewhere, self._store = elsewhere, store
        self._proposed = OriginsFile(state / PROPOSED_FILE, elsewhere=elsewhere)
        self._swapper = Swapper(root, Stash(state / "pages"))

    def read(self) -> TaskFolder:
        """Read every page; something else in place of their folder is a flaw."""
        try:
            with open_folder(self._root, *FOLDER.split("/")) as folder:
                found = TaskFolder() if folder is None else _read_pages(folder)
        except UnreadableError as error:
            found = TaskFolder(flaws=[Flaw(path=FOLDER, line=1, problem=str(error))])
        return replace(found, proposed=self._proposed.read())

    def path(self, task_id: TaskId) -> str:
        """Return the path of a task's page."""
        return f"{FOLDER}/{task_id}.md"

    def write(self, entry: TaskEntry, *, over: str | None) -> bool:
        """Write a page over the expected digest; other bytes stay."""
        path = self.path(entry.id)
        with held_lock(self._lock), suppress(UnreadableError):
            content = self._swapper.read(path)
            if content is None or over is None:
                return content is None and self._swapper.swap(path, None, _made(entry).encode())
            text = content.decode("utf-8")
            known = parsed(text, entry.id)
            if known.digest != over:
                return False
            return self._swapper.swap(path, content, _changed(text, known, entry).encode())
        return False  # something else is in its place

    def remove(self, task_id: TaskId, *, over: str) -> bool:
        """Remove a page with the expected digest."""
        path = self.path(task_id)
        with held_lock(self._lock), suppress(UnreadableError):
            content = self._swapper.read(path)
            if content is None or parsed(content.decode("utf-8"), task_id).digest != over:
                return False
            (self._root / path).unlink()
            return True
        return False

    def committed(self) -> Mapping[TaskId, str]:
        """Return the digests of the readable pages in the last commit."""
        return _digests(self._versions.committed(FOLDER))

    def bases(self) -> Mapping[TaskId, TaskBase]:
        """Return the synced state of this branch.

        A branch that was never synced begins with what page and store agreed on where it was made.
        """
        kept, branch = _read(self._bases), self._branch()
        if branch in kept:
            return _bases(kept[branch])
        there = (_read(state_of(one, self._store) / TASKS_FILE) for one in self._elsewhere())
        known = chain([kept], there)
        others = (_bases(some[name]) for some in known for name in reversed(some))
        return from_other_branches(others, self._versions, self._texts_at)

    def _texts_at(self, commit: str) -> dict[TaskId, frozenset[str]]:
        digests = _digests(self._versions.committed(FOLDER, at=commit))
        return {name: frozenset({digest}) for name, digest in digests.items()}

    def set_bases(self, bases: Mapping[TaskId, TaskBase], *, edits: Edits = NO_EDITS) -> None:
        """Store the synced state of this branch, and the edits that no person made."""
        with held_lock(self._lock):
            self._proposed.change(edits.proposed, without=edits.settled)
        shapes = {
            name: {key: value for key in _KEPT if (value := getattr(base, key)) is not None}
            for name, base in sorted(bases.items())
        }
        everything = _read(self._bases)
        everything.pop(self._branch(), None)  # the latest is the last
        everything[self._branch()] = shapes
        try:
            write_whole(self._bases, json.dumps(everything).encode())
        except OSError as error:
            raise PageUnwritableError(str(self._bases), str(error.strerror)) from error

    def _branch(self) -> str:
        return self._versions.branch() or _NO_BRANCH


def _read(path: Path) -> dict[str, object]:
    with suppress(OSError, ValueError):
        kept = read_json(path)
        return kept if isinstance(kept, dict) else {}
    return {}


def _read_pages(folder: int) -> TaskFolder:
    """Read the pages of an open folder, so that no link can lead elsewhere."""
    entries: dict[TaskId, TaskEntry] = {}
    lines: dict[TaskId, frozenset[str]] = {}
    flaws: list[Flaw] = []
    for name in sorted(os.listdir(folder)):
        found = _NAME.fullmatch(name)
        if found is None:
            continue
        try:
            text = (read_file(folder, name) or b"").decode("utf-8")
            entries[TaskId(found[1])] = parsed(text, TaskId(found[1]))
            lines[TaskId(found[1])] = _own_words(text)
        except (UnreadableError, UnicodeDecodeError, InvalidError) as error:
            flaws.append(Flaw(path=f"{FOLDER}/{name}", line=1, problem=str(error)))
    return TaskFolder(entries=entries, flaws=flaws, lines=lines)


def _bases(kept: object) -> dict[TaskId, TaskBase]:
    found = kept if isinstance(kept, dict) else {}
    return {
        TaskId(name): TaskBase(**{key: one[key] for key in _KEPT if key in one})
        for name, one in found.items()
        if isinstance(one, dict)
    }


def _digests(pages: Mapping[str, bytes]) -> dict[TaskId, str]:
    """Return the digests of the readable ones of committed pages."""
    found: dict[TaskId, str] = {}
    for path, content in pages.items():
        name = _NAME.fullmatch(path.removeprefix(f"{FOLDER}/"))
        if name is not None:
            with suppress(UnicodeDecodeError, InvalidError):
                task_id = TaskId(name[1])
                found[task_id] = parsed(content.decode("utf-8"), task_id).digest
    return found


def task_fields_of(path: str, content: bytes, names: Collection[str]) -> dict[str, frozenset[str]]:
    """Return the marks of the fields that one of some tasks has in the content of its page.

    A file elsewhere can have been the page of any of them.
    """
    name = _NAME.fullmatch(path.removeprefix(f"{FOLDER}/"))
    known = {name[1]} if name is not None else set[str]()
    asked = known.intersection(names) if path.startswith(f"{FOLDER}/") else names
    with suppress(UnicodeDecodeError, InvalidError):
        text = content.decode("utf-8")
        return {one: parsed(text, TaskId(one)).field_marks for one in asked}
    return {}


class BadTaskPageError(InvalidError, code="bad-task-page"):
    """A page of a task cannot be read."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem, problem=problem)


def parsed(text: str, task_id: TaskId) -> TaskEntry:
    """Read the page of a task.

    Raises:
        InvalidError: It cannot be read; the message says why.
    """
    head, body = _parts(text)
    fields = read_block(head)
    if isinstance(fields, FrontmatterTrouble):
        raise BadTaskPageError(fields.problem)
    if _word(fields, "id") not in {"", task_id}:
        raise BadTaskPageError(_OTHER_ID)
    priority = _word(fields, "priority") or str(USUAL_PRIORITY)
    if not priority.isdigit():
        raise BadTaskPageError(_BAD_PRIORITY)
    return TaskEntry(
        id=task_id,
        title=check_title(_word(fields, "title")),
        status=choose(TaskStatus, _word(fields, "status") or "open", what="status of a task"),
        priority=check_priority(int(priority)),
        kind=choose(TaskKind, _word(fields, "kind") or "task", what="kind of task"),
        parent=TaskId(_word(fields, "parent")) if _word(fields, "parent") else None,
        after=tuple(map(TaskId, _words(fields, "after"))),
        labels=_words(fields, "labels"),
        notes=check_notes(body.replace("\r\n", "\n")),
    )


def merged(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Merge two versions of a task's page field by field.

    None if one is no such page, or if both sides changed one field in different ways.
    """
    try:
        texts = [content.decode("utf-8") for content in (base, ours, theirs)]
        named = [_ID.search(text) for text in texts]
        names = {TaskId(one[1]) for one in named if one is not None}
        if len(names) != 1 or None in named:
            return None
        (name,) = names
        before, mine, other = (parsed(text, name) for text in texts)
    except (UnicodeDecodeError, InvalidError):
        return None
    joined = join(before, mine, other)
    return None if joined is None else _changed(texts[1], mine, joined).encode()


def _own_words(text: str) -> frozenset[str]:
    """Return the lines of a page that contain somebody's own words."""
    lines = (line.strip() for line in text.splitlines())
    return frozenset(line for line in lines if line and not _FIELD.match(line))


def _parts(text: str) -> tuple[str, str]:
    if re.search(r"^(?:<{7}|>{7}) ", text, re.MULTILINE):
        raise BadTaskPageError(_CONFLICT)
    found = _PARTS.match(text)
    if found is None:
        raise BadTaskPageError(_NO_HEAD)
    return found["head"], found["body"]


def _word(fields: Mapping[str, Field], key: str) -> str:
    field = fields.get(key)
    return "" if field is None or field.scalar is None else field.scalar.text.strip()


def _words(fields: Mapping[str, Field], key: str) -> tuple[str, ...]:
    field = fields.get(key)
    return () if field is None else field.texts or ()


def _said(entry: TaskEntry) -> dict[str, str]:
    """Return the values of a page's keys, in the order of a new page."""
    found = {
        "id": entry.id,
        "title": _quoted(entry.title),
        "status": entry.status.value,
        "priority": str(entry.priority),
        "kind": entry.kind.value,
        "parent": entry.parent or "",
        "after": _listed(entry.after),
        "labels": _listed(entry.labels),
    }
    return {key: value for key, value in found.items() if value or key == "title"}


def _made(entry: TaskEntry) -> str:
    lines = [f"{key}: {value}" for key, value in _said(entry).items()]
    return "\n".join(["---", *lines, "---", *([entry.notes] if entry.notes else [])]) + "\n"


def _changed(text: str, known: TaskEntry, wanted: TaskEntry) -> str:
    """Return a page with the values that differ replaced."""
    end = "\r\n" if "\r\n" in text.partition("\n")[0] + "\n" else "\n"
    head, body = _parts(text)
    fields = read_block(head)
    before, after = _said(known), _said(wanted)
    fresh = head
    if not isinstance(fields, FrontmatterTrouble):
        for key, field in sorted(fields.items(), key=lambda one: -one[1].after_colon):
            if key in before.keys() | after.keys() and before.get(key) != after.get(key):
                value = after.get(key, "")
                fresh = (
                    fresh[: field.after_colon] + (f" {value}" if value else "") + fresh[field.end :]
                )
        added = [key for key in after if key not in fields and before.get(key) != after[key]]
        fresh += "".join(f"{key}: {after[key]}{end}" for key in added)
    if known.notes.strip() != wanted.notes.strip():
        notes = wanted.notes.replace("\n", end)
        body = f"{notes}{end}" if notes else ""
    at = text.index(head, text.index("\n") + 1)
    closing = text[at + len(head) : len(text) - len(_parts(text)[1])]
    return text[:at] + fresh + closing + body


def _listed(items: Sequence[str]) -> str:
    return f"[{', '.join(_quoted(item) for item in items)}]" if items else ""


def _quoted(text: str) -> str:
    """Return a text as YAML reads it back; a word stays as it is."""
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)
