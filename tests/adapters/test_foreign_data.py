"""Notes that other tools keep as data: databases, exports and lines of JSON."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from holdfast.adapters.foreign import reading
from holdfast.adapters.foreign.reading import listed
from holdfast.bootstrap.machine.sources import foreign_notes
from holdfast.domain.choices import Kind, LinkKind, Origin
from holdfast.domain.exchange.foreign import ForeignLink
from holdfast.domain.moments import moment_of
from holdfast.domain.refusals import UnreadableSourceError
from tests.adapters.test_foreign_files import claims, person, project, put, read
from tests.adapters.transcript_samples import written
from tests.requirements import requirement

__all__ = ["person", "project"]


def a_claude_mem(path: Path, *rows: dict[str, object], schema: str = "") -> Path:
    columns = schema or (
        "project TEXT, type TEXT, title TEXT, narrative TEXT, facts TEXT, concepts TEXT,"
        " created_at_epoch INTEGER"
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"CREATE TABLE observations (id INTEGER PRIMARY KEY, {columns})")
        database.execute(
            "CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, project TEXT, learned TEXT)"
        )
        for row in rows:
            names, marks = ", ".join(row), ", ".join("?" for _ in row)
            database.execute(
                f"INSERT INTO observations ({names}) VALUES ({marks})",  # noqa: S608 - a test's own words
                tuple(row.values()),
            )
        database.execute("INSERT INTO session_summaries VALUES (1, 'shop', 'The queue is slow.')")
        database.execute("INSERT INTO session_summaries VALUES (2, 'shop', NULL)")
        database.commit()
    return path


def test_observations_of_claude_mem_are_notes_of_this_project(project: Path, person: Path) -> None:
    a_claude_mem(
        person / ".claude-mem" / "claude-mem.db",
        {
            "project": "shop",
            "type": "decision",
            "title": "Queue",
            "narrative": "Jobs go through Postgres.",
            "created_at_epoch": 1794725467805,
        },
        {"project": "shop", "type": "discovery", "title": "Ports", "facts": '["8080 is taken"]',
         "concepts": '["gotcha"]'},
        {"project": "shop", "type": "feature", "title": "Added a page"},
        {"project": "other", "type": "decision", "title": "Elsewhere"},
        {"project": "shop", "type": "discovery"},
    )  # fmt: skip

    found = read("claude-mem", project)
    everywhere = foreign_notes("claude-mem", [], folder=project, is_everywhere=True).read()

    assert [(note.kind, note.claim) for note in found.notes] == [
        (Kind.DECISION, "Queue: Jobs go through Postgres."),
        (Kind.GOTCHA, "Ports: 8080 is taken"),
        (Kind.INSIGHT, "The queue is slow."),
    ]
    assert found.notes[0].place == "~/.claude-mem/claude-mem.db#observations/1"
    assert found.notes[0].origin is Origin.AGENT
    assert found.notes[0].created_at is not None
    assert [left.why for left in found.left] == [
        "says what was done, not what is so",
        "about another project (other); --all takes it",
        "nothing is written in it",
    ]
    assert "Elsewhere" in claims(everywhere)


@requirement("import.other-versions-refused")
def test_a_database_of_another_version_of_claude_mem_is_refused(
    project: Path, tmp_path: Path
) -> None:
    other = a_claude_mem(tmp_path / "a.db", {"blob": "x"}, schema="blob TEXT")
    without = tmp_path / "b.db"
    with closing(sqlite3.connect(without)) as database:
        database.execute("CREATE TABLE notes (id)")
        database.commit()
    text = put(tmp_path / "c.db", "no database at all, but long enough to be looked at")

    for path, words in ((other, "another version"), (without, "no table"), (text, "no database")):
        with pytest.raises(UnreadableSourceError, match=words):
            read("claude-mem", project, path)


def test_an_export_of_mem0_is_read_in_its_shapes(project: Path, tmp_path: Path) -> None:
    row = {
        "id": "0f",
        "memory": "The team prefers Postgres.",
        "metadata": {"type": "preference"},
        "categories": ["databases"],
        "created_at": "2026-01-02T03:04:05",
    }
    plain = put(tmp_path / "a.json", json.dumps([row, {"id": "x"}, 4]))
    wrapped = put(tmp_path / "b.json", json.dumps({"results": [{"text": "B."}]}))

    found = read("mem0", project, plain, wrapped)

    assert [(note.kind, note.claim) for note in found.notes] == [
        (Kind.RULE, "The team prefers Postgres."),
        (Kind.FACT, "B."),
    ]
    assert found.notes[0].place == f"{plain}#0f"
    assert found.notes[0].tags == ("mem0", "databases")
    assert [flaw.problem for flaw in found.flaws] == [
        "Memory 2 of the list has no text.",
        "Memory 3 of the list has no text.",
    ]


def test_an_export_that_makes_no_sense_is_refused(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(put(tmp_path / "a.json", "[]"))
    for path in (put(tmp_path / "b.json", "{"), put(tmp_path / "c.json", '{"a": 1}'), link):
        with pytest.raises(UnreadableSourceError):
            read("mem0", project, path)
    monkeypatch.setattr("holdfast.adapters.foreign.mem0.LARGEST_FILE", 1)
    with pytest.raises(UnreadableSourceError, match="in parts"):
        read("mem0", project, tmp_path / "a.json")


@requirement("import.bad-line-of-notes-told")
def test_entities_of_the_mcp_server_are_notes_and_relations_links(
    project: Path, tmp_path: Path
) -> None:
    lines: list[object] = [
        {"type": "entity", "name": "Billing", "entityType": "service",
         "observations": ["runs at night", "Billing is owned by the shop team"]},
        {"type": "entity", "name": "Ledger", "entityType": "decision", "observations": ["is kept"]},
        {"type": "entity", "name": "Empty", "entityType": "x", "observations": []},
        "{broken",
        {"type": "relation", "from": "Billing", "to": "Ledger", "relationType": "depends_on"},
        {"type": "else"},
    ]  # fmt: skip
    path = written(tmp_path / "memory.jsonl", lines)

    found = read("mcp-memory", project, path)

    assert claims(found) == [
        "Billing: runs at night",
        "Billing is owned by the shop team",
        "Ledger: is kept",
    ]
    assert [note.name for note in found.notes] == ["Billing", "", "Ledger"]
    assert found.notes[0].links == (ForeignLink(to="Ledger", kind=LinkKind.DEPENDS_ON),)
    assert found.notes[2].kind is Kind.DECISION
    assert [(flaw.path, flaw.line) for flaw in found.flaws] == [(str(path), 4), (str(path), 6)]
    assert [left.text for left in found.left] == ["Empty"]


def test_the_server_may_name_its_file_by_a_variable(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = {"type": "entity", "name": "A", "entityType": "x", "observations": ["is so"]}
    monkeypatch.setenv("MEMORY_FILE_PATH", str(written(tmp_path / "m.jsonl", [line])))

    assert claims(read("mcp-memory", project)) == ["A: is so"]


def test_issues_and_memories_of_beads_are_notes_of_the_repository(project: Path) -> None:
    depends = [{"issue_id": "bd-1", "depends_on_id": "bd-2", "type": "blocks"}, "odd"]
    lines: list[object] = [
        {"_type": "memory", "key": "host", "value": "Staging runs on ivy."},
        {"_type": "memory", "key": "none", "value": ""},
        {"id": "bd-1", "title": "Move the queue", "description": "To Postgres.\n\nLater.",
         "status": "open", "issue_type": "task", "labels": ["infra"], "dependencies": depends},
        {"id": "bd-2", "title": "Use Postgres", "status": "closed", "issue_type": "decision",
         "close_reason": "It is there already."},
        {"id": "bd-3", "title": "Rename a file", "status": "closed", "issue_type": "task"},
        {"id": "bd-4", "title": "Gone", "status": "tombstone"},
        {"id": "bd-5"},
        "{broken",
    ]  # fmt: skip
    written(project / ".beads" / "issues.jsonl", lines)

    found = read("beads", project)

    assert [(note.kind, note.place, note.claim) for note in found.notes] == [
        (Kind.FACT, ".beads/issues.jsonl:1", "Staging runs on ivy."),
        (Kind.PLAN, ".beads/issues.jsonl:3", "Move the queue: To Postgres"),
        (Kind.DECISION, ".beads/issues.jsonl:4", "Use Postgres: It is there already"),
    ]
    assert found.notes[0].key == "beads:host"
    assert found.notes[1].links == (ForeignLink(to="bd-2", kind=LinkKind.DEPENDS_ON),)
    assert found.notes[1].tags == ("beads", "task", "infra")
    assert found.notes[0].origin is Origin.REPO
    assert [left.why for left in found.left] == [
        "nothing is written in it",
        "a finished task; what came of it is in the history",
        "it was deleted",
        "it has no title",
    ]
    assert [(flaw.path, flaw.line) for flaw in found.flaws] == [(".beads/issues.jsonl", 8)]


@requirement("import.large-files-capped")
def test_lines_that_are_too_long_or_too_many_are_told(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "LONGEST_LINE", 60)
    monkeypatch.setattr(reading, "LARGEST_LINES", 150)
    lines: list[object] = [
        {"_type": "memory", "key": "a", "value": "x" * 200},
        {"_type": "memory", "key": "b", "value": "Short enough."},
        {"_type": "memory", "key": "c", "value": "Too late."},
    ]
    written(project / ".beads" / "issues.jsonl", lines)

    found = read("beads", project)

    assert claims(found) == ["Short enough."]
    assert [flaw.line for flaw in found.flaws] == [1, 3]


def test_odd_values_are_read_as_nothing() -> None:
    assert listed("a, b") == ["a", "b"]
    assert listed('["a", 1]') == ["a"]
    assert listed("[broken") == ["[broken"]
    assert listed(4) == []
    assert moment_of("never") is None
    assert moment_of(10**30) is None
    assert moment_of(None) is None
