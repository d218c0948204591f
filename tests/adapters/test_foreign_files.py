"""Notes in files of Markdown: instructions, decision records and other tools' memories."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.adapters.foreign import reading
from holdfast.bootstrap.machine.sources import SOURCES, foreign_notes
from holdfast.domain.choices import Kind, LinkKind, Origin, Status
from holdfast.domain.errors import UnknownChoiceError
from holdfast.domain.exchange.foreign import Foreign, ForeignLink, FoundNotes
from holdfast.domain.refusals import NothingToImportError
from tests.requirements import requirement


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "person"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("MEMORY_FILE_PATH", raising=False)
    return home


@pytest.fixture
def project(tmp_path: Path, person: Path) -> Path:
    del person
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def read(what: str, project: Path, *paths: Path) -> FoundNotes:
    return foreign_notes(what, paths, folder=project).read()


def claims(found: FoundNotes) -> list[str]:
    return [note.claim for note in found.notes]


RULES = """# Working here

Some words about the project.
Never push to main. It is nice here.

## Testing

- Run `make test` before every commit.
- **Mocks**: use them only at the network.
- src/ holds the source
- See [the guide](docs/guide.md)
- Why?
- Beware: the clock of the build machine is wrong.
- Before a release:
  - tag it
- We decided to stay on Postgres.

<!-- holdfast:begin 0123456789ab -->
- Always read what holdfast says.
<!-- holdfast:end -->

```sh
- never a rule
```

## Code style

- Two spaces in YAML everywhere
"""


@requirement("import.rules-of-instruction-files")
def test_every_rule_of_an_instruction_file_is_a_note_with_its_lines(project: Path) -> None:
    put(project / "CLAUDE.md", RULES)

    found = read("instructions", project)

    assert [(note.place, note.kind.value, note.claim) for note in found.notes] == [
        ("CLAUDE.md:3-4", "rule", "Never push to main. It is nice here."),
        ("CLAUDE.md:8", "rule", "Run `make test` before every commit."),
        ("CLAUDE.md:9", "rule", "Mocks: use them only at the network."),
        ("CLAUDE.md:13", "gotcha", "Beware: the clock of the build machine is wrong."),
        ("CLAUDE.md:16", "decision", "We decided to stay on Postgres."),
        ("CLAUDE.md:28", "rule", "Code style: Two spaces in YAML everywhere"),
    ]
    assert {note.origin for note in found.notes} == {Origin.REPO}
    assert found.notes[1].source == "import:instructions:CLAUDE.md"
    assert found.notes[1].tags == ("instructions", "testing")
    assert [(left.text, left.why) for left in found.left] == [
        ("Some words about the project.", "does not read like a rule"),
        ("src/ holds the source", "does not read like a rule"),
        ("See [the guide](docs/guide.md)", "does not read like a rule"),
        ("Why?", "too short to stand alone"),
        ("tag it", "too short to stand alone"),
        ("- never a rule", "a fenced block"),
    ]


def test_the_instruction_files_of_every_tool_are_found(project: Path) -> None:
    names = (
        "AGENTS.md", "GEMINI.md", "src/AGENTS.md", ".cursorrules", ".clinerules/a.md",
        ".cursor/rules/b.mdc", ".windsurf/rules/c.md", ".github/copilot-instructions.md",
        ".github/instructions/d.instructions.md", ".claude/rules/e.md",
    )  # fmt: skip
    for number, name in enumerate(names):
        put(project / name, f"---\nalwaysApply: true\n---\n- Always keep rule number {number}.\n")
    put(project / "node_modules" / "x" / "AGENTS.md", "- Always ignore this one.\n")
    put(project / "README.md", "- Always read this page.\n")

    found = read("instructions", project)

    assert {note.place.rpartition(":")[0] for note in found.notes} == set(names)
    assert len(found.notes) == len(names)


def test_files_that_are_named_are_read_wherever_they_are(project: Path, person: Path) -> None:
    put(person / ".claude" / "CLAUDE.md", "- Never use tabs in Python files.\n")
    put(project / "deep" / "rules" / "one.md", "- Always sign the commits you push.\n")

    outside = read("instructions", project, person / ".claude" / "CLAUDE.md").notes[0]
    inside = foreign_notes("instructions", [Path("rules")], folder=project / "deep").read().notes[0]

    assert (outside.origin, outside.is_here, outside.place) == (
        Origin.AGENT,
        False,
        "~/.claude/CLAUDE.md:1",
    )
    assert (inside.place, inside.is_here) == ("rules/one.md:1", True)


@requirement("import.links-not-followed")
def test_a_link_is_told_and_not_followed(project: Path, tmp_path: Path) -> None:
    secret = put(tmp_path / "secret.md", "- Never tell anybody the password.\n")
    (project / "AGENTS.md").symlink_to(secret)
    put(project / "GEMINI.md", "- Never push on a Friday afternoon.\n")

    found = read("instructions", project)
    named = read("instructions", project, project / "AGENTS.md")

    assert claims(found) == ["Never push on a Friday afternoon."]
    assert [flaw.path for flaw in named.flaws] == ["AGENTS.md"]


@requirement("import.large-files-capped")
def test_a_file_that_is_too_large_is_read_to_the_cap_and_told(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "LARGEST_FILE", 100)
    put(project / "AGENTS.md", "- Never push on a Friday.\n" * 10)

    found = read("instructions", project)

    assert len(found.notes) == 3
    assert [(flaw.path, flaw.line) for flaw in found.flaws] == [("AGENTS.md", 4)]


def test_what_is_no_text_is_told(project: Path) -> None:
    (project / "AGENTS.md").write_bytes(b"\0\1")
    put(project / "GEMINI.md", "\ufeff- Never push on a Friday.\r\n- Never pull on a Monday.\r\n")
    missing = project / "NONE.md"

    found = read("instructions", project)
    none = read("instructions", project, missing)

    assert [flaw.problem for flaw in found.flaws] == ["It is binary, so it was not read."]
    assert claims(found) == ["Never push on a Friday.", "Never pull on a Monday."]
    assert len(none.flaws) == 1


@pytest.mark.parametrize("what", SOURCES)
def test_where_there_is_nothing_the_places_are_named(what: str, project: Path) -> None:
    with pytest.raises(NothingToImportError, match=what):
        read(what, project)


def test_a_sort_of_notes_nobody_knows_is_refused(project: Path) -> None:
    with pytest.raises(UnknownChoiceError, match="instructions"):
        read("dreams", project)


def a_record(title: str, status: str, decision: str) -> str:
    return (
        f"# {title}\n\n## Status\n\n{status}\n\n## Context\n\nLong.\n\n## Decision\n\n{decision}\n"
    )


@requirement("import.decision-records-keep-their-status")
def test_decision_records_keep_their_status_and_what_they_replace(project: Path) -> None:
    folder = project / "docs" / "adr"
    put(
        folder / "0001-mysql.md",
        a_record("1. Use MySQL", "Superseded by [2](0002-pg.md)", "MySQL."),
    )
    put(folder / "0002-pg.md", a_record("2. Use Postgres", "Accepted", "We will use Postgres."))
    put(folder / "0003-kafka.md", a_record("3. Use Kafka", "Proposed", "Kafka."))
    put(folder / "0004-mongo.md", a_record("4. Use Mongo", "Rejected", "Mongo."))
    put(folder / "0005-old.md", a_record("5. Old way", "Deprecated", "Old."))
    put(folder / "template.md", a_record("Title", "Status", "Decision"))

    found = read("adr", project)

    old, new = found.notes
    assert (old.name, old.status, old.key) == ("0001", Status.SUPERSEDED, "adr:0001")
    assert new.claim == "We will use Postgres."
    assert (new.kind, new.status, new.place) == (
        Kind.DECISION,
        Status.CANDIDATE,
        "docs/adr/0002-pg.md:13",
    )
    assert new.links == (ForeignLink(to="0001", kind=LinkKind.SUPERSEDES),)
    assert [left.why for left in found.left] == [
        "its status is 'proposed': nobody has decided it yet",
        "its status is 'rejected'",
        "its status is 'deprecated', and no record here replaces it",
    ]


def test_other_ways_to_write_a_record_are_read(project: Path) -> None:
    folder = project / "records"
    put(
        folder / "adr-007-cache.md",
        "---\nstatus: accepted\ndate: 2026-01-01\n---\n# Cache in Redis\n\n## Decision Outcome\n\n"
        "Chosen option: Redis.\n\n### Consequences\n\n- Supersedes ADR-006.\n",
    )
    put(folder / "adr-006-none.md", "# No cache\n\n* Status: superseded\n\nNothing is cached.\n")
    put(folder / "adr-008-empty.md", "\n")

    found = read("adr", project, folder)

    by_name = {note.name: note for note in found.notes}
    assert by_name["0007"].claim.startswith("Cache in Redis: Chosen option: Redis.")
    assert by_name["0007"].links == (ForeignLink(to="0006", kind=LinkKind.SUPERSEDES),)
    assert (by_name["0006"].claim, by_name["0006"].status) == ("No cache", Status.SUPERSEDED)
    assert [left.why for left in found.left] == ["no decision is written in it"]


def test_one_record_can_be_named(project: Path) -> None:
    path = put(project / "notes.md", a_record("Use Postgres", "Accepted", "Postgres it is."))

    assert claims(read("adr", project, path)) == ["Use Postgres: Postgres it is."]


def test_claudes_own_memory_is_one_note_per_file(project: Path, person: Path) -> None:
    slug = str(project).replace("/", "-").replace("_", "-")
    folder = person / ".claude" / "projects" / slug / "memory"
    put(
        folder / "MEMORY.md",
        "# Memory\n\n- [Tests](tests.md) — how to run them\n- The staging host is called ivy.\n",
    )
    put(
        folder / "tests.md",
        "---\nname: run-tests\ndescription: how\nmetadata:\n  type: feedback\n---\n"
        "Run the tests with `make quick`.\n\n**Why:** they are fast. See [[staging]].\n",
    )
    put(
        folder / "staging.md",
        "---\nname: staging\ndescription: Staging is reset every night.\n---\n",
    )
    put(folder / "empty.md", "\n")

    found = read("claude-memory", project)

    by_name: dict[str, Foreign] = {note.name: note for note in found.notes}
    rule = by_name["run-tests"]
    assert rule.claim.startswith("Run the tests with `make quick`.")
    assert (rule.kind, rule.key, rule.origin) == (
        Kind.RULE,
        "claude-memory:run-tests",
        Origin.AGENT,
    )
    assert rule.links == (ForeignLink(to="staging", kind=LinkKind.RELATED),)
    assert by_name["staging"].claim == "Staging is reset every night."
    assert by_name[""].claim == "Memory: The staging host is called ivy."
    assert [left.text for left in found.left] == ["empty.md"]


def test_codex_memories_come_without_its_bookkeeping(project: Path, person: Path) -> None:
    folder = person / ".codex" / "memories"
    put(
        folder / "MEMORY.md",
        "# Task Group: shop\n\n## Reusable knowledge\n\n"
        "- The worker queue is named billing and runs on the second host.\n"
        "- Use uv for every install.\n- short\n"
        "- rollout_summaries/x.md (thread_id=1)\n\n## keywords\n\n- a, b, c, d, e, f\n",
    )
    put(folder / "skills" / "x.md", "- Never read a skill as a memory of mine.\n")

    found = read("codex-memories", project)

    assert [(note.kind, note.claim) for note in found.notes] == [
        (Kind.FACT, "The worker queue is named billing and runs on the second host."),
        (Kind.RULE, "Reusable knowledge: Use uv for every install."),
    ]
    assert [left.why for left in found.left] == [
        "too short to stand alone",
        "Codex's own bookkeeping",
        "Codex's own bookkeeping",
    ]


@requirement("import.claims-keep-their-subject")
@pytest.mark.parametrize("what", ["codex-memories", "claude-memory"])
def test_a_nested_point_of_another_memory_keeps_its_subject(
    what: str, project: Path, tmp_path: Path
) -> None:
    page = "- The worker queue runs on the second host.\n  - It holds a lock while it runs there.\n"
    put(tmp_path / "notes" / "MEMORY.md", page)

    found = read(what, project, tmp_path / "notes")

    assert [note.claim for note in found.notes] == [
        "The worker queue runs on the second host.",
        "The worker queue runs on the second host. It holds a lock while it runs there.",
    ]


def test_observations_of_basic_memory_are_notes_and_its_relations_links(
    project: Path, person: Path
) -> None:
    folder = person / "basic-memory"
    put(
        folder / "auth.md",
        "---\ntitle: Auth\ntags: [security]\npermalink: auth\ncreated: 2026-01-02\n---\n# Auth\n\n"
        "- [decision] Tokens live fifteen minutes #jwt (after the audit)\n"
        "- [ ] not an observation\n- [[Sessions]]\n- depends_on [[Users]]\n",
    )
    put(folder / "users.md", "---\ntitle: Users\n---\n- [fact] Users of `a #b  c` stay\n")
    put(folder / "prose.md", "# Prose\n\nOnly words.\n")

    found = read("basic-memory", project)

    first, second = found.notes
    assert first.claim == "Auth: Tokens live fifteen minutes (after the audit)"
    assert first.tags == ("basic-memory", "decision", "jwt", "security")
    assert first.created_at is not None
    assert first.links == (
        ForeignLink(to="Sessions", kind=LinkKind.RELATED),
        ForeignLink(to="Users", kind=LinkKind.DEPENDS_ON),
    )
    assert (second.claim, second.tags) == ("Users of `a #b  c` stay", ("basic-memory", "fact"))
    assert [left.text for left in found.left] == ["prose"]


@requirement("import.left-out-is-told")
def test_nothing_of_another_tools_memory_is_passed_by_in_silence(
    project: Path, tmp_path: Path
) -> None:
    page = (
        "# Notes\n\nThe worker restarts at midnight and forgets its offsets.\n\nShort one.\n\n"
        "```\nmake it\n```\n\n| a | b |\n\n- [one](one.md) points at a file\n"
    )
    index = put(tmp_path / "memory" / "MEMORY.md", page)
    codex = put(tmp_path / "codex" / "MEMORY.md", page)

    claude = read("claude-memory", project, index.parent)
    other = read("codex-memories", project, codex.parent)

    said = "The worker restarts at midnight and forgets its offsets."
    assert claims(claude) == [f"Notes: {said}"]
    assert said in claims(other)[0]
    assert [left.why for left in claude.left] == [
        "too short to stand alone",
        "no prose",
        "no prose",
    ]
    assert [left.why for left in other.left] == [
        "too short to stand alone",
        "a fenced block",
        "a table",
    ]
