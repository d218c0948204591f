"""forget: the text in pages, generated files, git history and other clones."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from holdfast.adapters.embedding.network import kept as vector_cache
from holdfast.adapters.embedding.network.kept import CacheTraces, cache_folder
from holdfast.adapters.git.pages.page_history import HistoryTraces
from holdfast.adapters.git.reading.repository import Repository
from holdfast.adapters.machine import written_files
from holdfast.adapters.machine.written_files import LARGEST, HomeTraces, WrittenFiles
from holdfast.domain.ids import MemoryId
from holdfast.domain.review.traces import GoneText, Reach
from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.cli.scenes import Scenes
from tests.requirements import requirement

CLAIM = "The canary gateway listens on port 9443."
DECISIONS = ".holdfast/memory/decisions.md"


def made(program: Program) -> Clone:
    program("init", "--files", "--no-model").well()
    made = Clone(program)
    made.commit("Keep pages")
    return made


@pytest.fixture
def clone(scenes: Scenes) -> Clone:
    return scenes.of(made)


def holding(program: Program) -> list[str]:
    """Return the files of the working tree and the home that hold the text."""
    found = []
    for root in (program.folder, program.home):
        for path in root.rglob("*"):
            if path.is_file() and "/.git/objects" not in str(path):
                content = path.read_bytes()
                if b"canary" in content:
                    found.append(path.name)
    return found


def decide(program: Program, claim: str = CLAIM) -> str:
    words = ["remember", "--kind", "decision", "--because", "canary told by ops", claim]
    made = program(*words).well().id
    program("sync").well()
    return made


@requirement("forget.names-the-other-memory")
def test_an_entry_of_another_memory_with_the_text_is_named_as_such(clone: Clone) -> None:
    program = clone.program
    other = decide(program, f"As everybody knows: {CLAIM} It stays so.")
    memory = decide(program)

    told = program("forget", "--id", memory, "--yes", "--json")
    places = told.json["forgotten"][0]["places"]
    (left,) = (one for one in places if one["place"].startswith(f"{DECISIONS}:"))

    assert f"The entry is another memory, {other}" in left["advice"]
    assert "edited" not in left["advice"]


@requirement("forget.reaches-what-was-written")
def test_what_holdfast_kept_in_the_git_folder_is_not_called_the_git_folder(clone: Clone) -> None:
    program = clone.program
    session = program("session", "start").well().out.split()[0]
    program("session", "did", session, CLAIM).well()
    memory = decide(program)

    told = program("forget", memory, "--yes", "--json")
    places = [one["place"] for one in told.json["forgotten"][0]["places"]]

    assert "what Holdfast keeps in the git folder" in places
    assert (program.folder / ".git/HEAD").exists()


@requirement("forget.reaches-what-was-written")
def test_pages_and_generated_files_lose_the_text_at_once(clone: Clone) -> None:
    program = clone.program
    other = program("remember", "--kind", "decision", "--because", "I say", "Another one.")
    memory = decide(program)
    program("run", "start", "tidy up").well()
    program("journal", "--write").well()
    assert {"active.md", "decisions.md"} <= set(holding(program))

    done = program("forget", memory, "--yes").well()

    assert holding(program) == []
    assert f"removed  {DECISIONS}" in done.out
    assert "removed  .holdfast/context/active.md" in done.out
    assert (program.folder / ".holdfast/context/active.md").exists()
    assert "Another one." in (program.folder / DECISIONS).read_text()
    assert program("show", other.id).code == 0
    assert program("sync").code == 0


@requirement("forget.names-what-remains")
def test_what_lies_in_the_history_of_git_is_named_and_the_exit_code_says_so(clone: Clone) -> None:
    program = clone.program
    memory = decide(program)
    clone.commit("Decide")
    commit = clone.git("rev-parse", "HEAD").strip()[:10]

    done = program("forget", memory, "--yes", "--json")

    assert done.code == 7
    places = {(one["place"], one["state"]): one for one in done.json["forgotten"][0]["places"]}
    assert (DECISIONS, "removed") in places
    assert f"Commit {commit} holds it." in places[DECISIONS, "in git history"]["advice"]
    assert "filter-repo" in places[DECISIONS, "in git history"]["advice"]
    assert holding(program) == []


@requirement("forget.names-what-remains")
def test_an_entry_that_a_person_edited_is_left_and_named(clone: Clone) -> None:
    program = clone.program
    memory = decide(program)
    page = program.folder / DECISIONS
    page.write_text(page.read_text().replace("9443.", "9443, says the canary."))
    (program.folder / "CLAUDE.md").write_text(f"# Notes\n\n{CLAIM}\n")

    done = program("forget", memory, "--yes")

    assert done.code == 7
    assert f"left  {DECISIONS}:" in done.out
    assert "left  CLAUDE.md:3" in done.out
    assert "says the canary" in page.read_text()


@requirement("files.forgotten-stays-forgotten")
def test_no_sync_brings_the_text_back_with_or_without_its_uid(clone: Clone) -> None:
    program = clone.program
    memory = decide(program)
    page = program.folder / DECISIONS
    before = page.read_text()
    program("forget", memory, "--yes").well()
    bare = f"# Decisions\n\n---\ntype: decision\n---\n{CLAIM}\n"

    for text in (before, bare):
        page.write_text(text)
        done = program("sync")
        assert done.code == 4
        assert "forgotten" in done.out
    assert "canary" not in program("list").out


@requirement("forget.names-what-remains")
def test_files_that_other_verbs_wrote_are_named(clone: Clone, tmp_path: Path) -> None:
    program = clone.program
    check = f"command: echo {CLAIM}"
    memory = program("remember", "--because", "I say", "--check", check, CLAIM).well().id
    program("task", "add", CLAIM).well()
    program("task", "export", str(tmp_path / "tasks.jsonl")).well()
    program("verify", "--checks", "--sarif", str(tmp_path / "checks.sarif"))
    program("store", "copy", str(tmp_path / "copy")).well()
    aside = tmp_path / "copy/spaces/other"
    aside.mkdir(parents=True)
    shutil.copy(tmp_path / "copy/holdfast.db", aside)
    names = ("tasks.jsonl", "checks.sarif", "copy/holdfast.db", "copy/spaces/other/holdfast.db")
    held = {str(tmp_path / name) for name in names if CLAIM in read(tmp_path / name)}
    assert held == {str(tmp_path / name) for name in names}

    told = program("forget", memory, "--yes", "--json")

    places = told.json["forgotten"][0]["places"]
    assert told.code == 7
    assert held <= {one["place"] for one in places}
    copies = [one["advice"] for one in places if one["place"].endswith("holdfast.db")]
    assert len(copies) == 2
    assert all("copy of the store" in advice for advice in copies)


def read(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


@requirement("forget.names-what-remains")
def test_a_copy_of_the_store_that_is_too_large_to_be_searched_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "holdfast.db").write_text("Something else.", encoding="utf-8")
    (tmp_path / "holdfast.db").write_text(CLAIM, encoding="utf-8")
    written = WrittenFiles(tmp_path)
    written.note(copy)
    written.note(tmp_path)
    gone = [GoneText(memory=MemoryId("m_1"), claim=CLAIM)]
    assert written.remove(gone) == [], "the store itself is scrubbed elsewhere"

    monkeypatch.setattr(written_files, "LARGEST", 1)

    (trace,) = written.remove(gone)
    assert trace.place == str(copy / "holdfast.db")
    assert "too large to be searched" in trace.advice


@requirement("forget.reaches-what-was-written")
def test_other_clones_on_this_machine_lose_the_text_too(clone: Clone, tmp_path: Path) -> None:
    program = clone.program
    memory = decide(program)
    clone.commit("Decide")
    clone.clone(tmp_path / "other")
    Program(home=program.home, folder=tmp_path / "other")("sync").well()
    page = tmp_path / "other" / DECISIONS
    assert "canary" in page.read_text()

    done = program("forget", memory, "--yes")

    assert "canary" not in page.read_text()
    assert f"removed  {page}" in done.out


@requirement("forget.reaches-what-was-written")
def test_outside_a_repository_only_the_store_and_its_folder_are_looked_at(
    program: Program, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    away = Program(home=program.home, folder=outside)
    memory = away("remember", "--because", "I say", CLAIM).well().id
    (program.home / "cache").mkdir(exist_ok=True)
    (program.home / "cache" / "odd").write_text(CLAIM)
    (program.home / "notes.txt").write_text(CLAIM)

    done = away("forget", memory, "--yes")

    assert done.code == 7
    assert not (program.home / "cache" / "odd").exists()
    assert f"left  {program.home / 'notes.txt'}" in done.out


@requirement("forget.names-what-remains")
def test_a_history_that_git_cannot_read_is_named(tmp_path: Path) -> None:
    nothing = Repository(root=tmp_path, git_dir=tmp_path, common_dir=tmp_path, branch=None)

    (trace,) = HistoryTraces(nothing, ".holdfast").remove(
        [GoneText(memory=MemoryId("m_1"), claim=CLAIM)]
    )

    assert (trace.place, trace.reach) == (".holdfast", Reach.HISTORY)
    assert "git log --all" in trace.advice


@requirement("forget.names-what-remains")
def test_text_that_is_staged_and_not_committed_is_named(clone: Clone) -> None:
    program = clone.program
    memory = decide(program)
    clone.git("add", "-A")

    done = program("forget", memory, "--yes")

    assert done.code == 7
    assert f"left  staged in git: {DECISIONS}" in done.out
    assert "restore --staged" in done.out
    assert "unused object" not in done.out


@requirement("forget.names-what-remains")
def test_text_that_was_staged_before_the_first_commit_is_named(program: Program) -> None:
    program("init", "--files", "--no-model").well()
    memory = decide(program)
    Clone(program).git("add", "-A")

    done = program("forget", memory, "--yes")

    assert done.code == 7
    assert f"staged in git: {DECISIONS}" in done.out


@requirement("forget.names-what-remains")
@pytest.mark.parametrize("is_packed", [False, True])
def test_text_that_nothing_in_git_refers_to_is_named(clone: Clone, *, is_packed: bool) -> None:
    program = clone.program
    memory = decide(program)
    clone.git("add", "-A")
    clone.git("reset", "-q", "--mixed")
    if is_packed:
        clone.git("gc", "-q", "--cruft")

    done = program("forget", memory, "--yes")

    assert done.code == 7
    assert "left  unused object of git: " in done.out
    assert "gc --prune=now" in done.out


@requirement("forget.names-what-remains")
def test_stashes_and_the_index_of_another_worktree_are_named(clone: Clone, tmp_path: Path) -> None:
    program = clone.program
    memory = decide(program)
    other = tmp_path / "other"
    clone.git("worktree", "add", "-q", "--detach", str(other))
    page = other / DECISIONS
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text((program.folder / DECISIONS).read_text())
    clone.git("-C", str(other), "add", "-A")
    clone.git("stash", "push", "-q", "--include-untracked")

    done = program("forget", memory, "--yes")

    assert done.code == 7
    assert f"left  staged in git: {page}" in done.out
    assert f"in git history  {DECISIONS}" in done.out
    assert f"removed  {page}" in done.out
    assert "canary" not in page.read_text()


@requirement("forget.names-what-remains")
def test_files_that_a_person_had_us_write_are_named(clone: Clone, tmp_path: Path) -> None:
    program = clone.program
    memory = decide(program)
    digest, export, gone = program.folder / "digest.md", tmp_path / "all.jsonl", tmp_path / "gone"
    program("curate", "--digest", "--output", "digest.md").well()
    program("export", str(export)).well()
    program("export", str(gone)).well()
    gone.unlink()
    assert CLAIM in digest.read_text()

    done = program("forget", memory, "--yes")

    assert done.code == 7
    assert f"left  {digest}" in done.out
    assert f"left  {export}" in done.out
    assert str(gone) not in done.out
    assert digest.exists()


@pytest.mark.parametrize(("content", "code"), [("not json", 7), ("{}", 0), ("[1]", 0)])
def test_a_damaged_list_of_written_files_names_none(
    clone: Clone, tmp_path: Path, content: str, code: int
) -> None:
    program = clone.program
    memory = decide(program)
    (program.home / "written.json").write_text(content)

    assert program("forget", memory, "--yes").code == code
    program("export", str(tmp_path / ("ghp_" + "x8Kq2ZtY7Lw4Bv9NmR3PcHs6JdFgA1uE0oTi"))).well()
    assert "ghp_" not in (program.home / "written.json").read_text()


def bytes_of(program: Program) -> bytes:
    """Return every byte below the folder of the store."""
    return b"".join(path.read_bytes() for path in program.home.rglob("*") if path.is_file())


@requirement("forget.leaves-no-bytes")
def test_no_word_of_the_text_stays_in_the_index_of_code_or_commits(clone: Clone) -> None:
    program = clone.program
    memory = decide(program, "The zyxophone relay uses quuxification over port 9443.")
    (program.folder / "digest.md").write_text("The zyxophone relay uses quuxification.\n")
    clone.commit("Mention the zyxophone")
    program("index").well()
    program("import", "git").well()
    assert b"zyxophon" in bytes_of(program)

    done = program("forget", memory, "--yes")

    assert b"zyxophon" not in bytes_of(program)
    assert "made again" in done.out
    program("index").well()


def test_pages_of_holdfast_are_no_code(clone: Clone) -> None:
    program = clone.program
    decide(program, "The zyxophone relay uses quuxification over port 9443.")
    program("forget", decide(program, "Something else."), "--yes")
    program("index").well()

    databases = [path.read_bytes() for path in (program.home / "cache/code").glob("*.db*")]

    assert databases
    assert not any(b"zyxophon" in content for content in databases)


def test_a_cached_database_goes_with_what_lies_beside_it(clone: Clone) -> None:
    program = clone.program
    memory = decide(program)
    cache = program.home / "cache" / "code"
    cache.mkdir(parents=True, exist_ok=True)
    for name in ("other.db", "other.db-wal", "other.db-shm"):
        (cache / name).write_text(CLAIM if name.endswith("-wal") else "nothing")

    program("forget", memory, "--yes").well()

    assert list(cache.glob("other.*")) == []


@requirement("forget.damaged-list-lets-nothing-in")
@pytest.mark.parametrize("damage", ["emptied", "changed", "pipe"])
def test_a_damaged_list_of_forgotten_texts_lets_no_text_in(clone: Clone, damage: str) -> None:
    program = clone.program
    memory = decide(program)
    program("forget", memory, "--yes").well()
    (texts,) = (program.folder / ".git/holdfast").glob("stores/*/forgotten.json")
    if damage == "pipe":
        texts.unlink()
        os.mkfifo(texts)
    elif damage == "emptied":
        texts.write_bytes(b"")
    else:
        shape = json.loads(texts.read_bytes())
        texts.write_text(json.dumps({**shape, "hashes": []}))
    page = program.folder / DECISIONS
    page.write_text(f"---\ntype: decision\n---\n{CLAIM}\n")

    synced = program("sync")
    checked = program("doctor")

    assert synced.code == 4
    assert "may have been forgotten here" in synced.out
    assert "forgotten.json is damaged" in checked.out
    assert checked.code == 1
    assert CLAIM not in program("list").out
    assert "list of texts" in program("doctor", "--repair").out
    assert "forgotten" not in program("doctor").well().out


@requirement("store.owner-only-files")
def test_folders_in_the_git_folder_are_for_their_owner_whatever_the_umask_is(clone: Clone) -> None:
    before = os.umask(0)
    try:
        memory = decide(clone.program)
        clone.program("forget", memory, "--yes").well()
    finally:
        os.umask(before)

    state = clone.program.folder / ".git/holdfast"
    folders = [state, *(path for path in state.rglob("*") if path.is_dir())]
    assert {path.stat().st_mode & 0o077 for path in folders} == {0}


@requirement("forget.names-what-remains")
def test_a_task_with_the_text_is_named_with_the_command_that_removes_it(program: Program) -> None:
    memory = program("remember", "--because", "Ada", CLAIM).well().id
    task = program("task", "add", "Oil it", "--notes", CLAIM, "--json").well().json["task"]["id"]

    done = program("forget", memory, "--yes")

    assert done.code == 7
    assert f"left  the task {task}" in done.out
    assert "holdfast task delete" in done.err
    program("task", "delete", task, "--yes").well()
    assert all(
        b"canary" not in one.read_bytes() for one in program.home.rglob("*") if one.is_file()
    )


@requirement("forget.names-what-remains")
def test_memories_that_go_together_do_not_keep_the_text(program: Program) -> None:
    first = program("remember", "--because", "Ada", CLAIM).well().id
    second = program("remember", "--because", CLAIM, "Another claim.").well().id

    both = program("forget", first, second, "--yes", "--json")

    assert both.code == 0
    assert [one["places"] for one in both.json["forgotten"]] == [[], []]


@requirement("forget.revert-names-what-remains")
def test_a_revert_that_forgets_cleans_pages_and_names_what_remains(clone: Clone) -> None:
    program = clone.program
    words = ("remember", "--kind", "decision", "--because", "canary", "--source", "notes")
    program(*words, CLAIM).well()
    task = program("task", "add", f"Tell ops: {CLAIM}").well().out.split()[0]
    program("sync").well()
    assert "decisions.md" in holding(program)

    done = program("revert", "--source", "notes", "--forget", "--yes")

    assert done.code == 7
    assert f"removed  {DECISIONS}" in done.out
    assert f"left  the task {task}" in done.out
    assert "holdfast task delete ID" in done.err
    assert "decisions.md" not in holding(program)
    program("task", "delete", task, "--yes").well()


@requirement("forget.revert-names-what-remains")
def test_a_revert_that_forgets_answers_the_places_in_json(clone: Clone) -> None:
    program = clone.program
    program("remember", "--kind", "decision", "--because", "x", "--source", "notes", CLAIM).well()
    program("sync").well()

    rehearsed = program("revert", "--source", "notes", "--forget", "--dry-run", "--json").well()
    done = program("revert", "--source", "notes", "--forget", "--yes", "--json").well()

    assert rehearsed.json["places"] == []
    assert (DECISIONS, "removed") in [(one["place"], one["state"]) for one in done.json["places"]]


@requirement("forget.names-what-remains")
def test_a_task_with_exactly_the_text_is_named_once(program: Program) -> None:
    memory = program("remember", "--because", "I say", CLAIM).well().id
    task = program("task", "add", CLAIM).well().out.split()[0]

    done = program("forget", memory, "--yes")

    assert done.code == 7
    assert done.out.count(task) == 1
    assert "nearly the same words" not in done.out


@requirement("forget.names-what-remains")
def test_a_damaged_store_that_a_repair_kept_is_named(program: Program) -> None:
    memory = program("remember", "--because", "ops say so", CLAIM).well().id
    other = program("remember", "--because", "I say", "Another one.").well().id
    with sqlite3.connect(program.home / "holdfast.db") as connection:
        connection.execute("UPDATE memory SET row_hash = zeroblob(32) WHERE id = ?", (other,))
    connection.close()
    program("doctor", "--repair")
    (kept,) = program.home.glob("holdfast.db.damaged-*[!lm]")

    done = program("forget", memory, "--yes")

    assert done.code == 7
    assert str(kept) in done.out
    assert "Delete it" in done.out


@requirement("forget.names-what-remains")
def test_a_damaged_store_that_is_too_large_to_be_searched_is_named(tmp_path: Path) -> None:
    kept = tmp_path / "holdfast.db.damaged-20260101T000000Z"
    with kept.open("wb") as large:
        large.truncate(LARGEST + 1)
    gone = [GoneText(memory=MemoryId("m_1"), claim=CLAIM)]

    (found,) = HomeTraces(tmp_path).remove(gone)

    assert (found.place, found.reach) == (str(kept), Reach.LEFT)
    kept.unlink()
    with (tmp_path / "other.log").open("wb") as large:
        large.truncate(LARGEST + 1)
    assert HomeTraces(tmp_path).remove(gone) == []


@requirement("forget.names-what-remains")
def test_content_of_snapshots_is_named_without_the_advice_to_delete_it(program: Program) -> None:
    memory = program("remember", "--because", "ops say so", CLAIM).well().id
    (program.folder / "notes.txt").write_text(f"{CLAIM}\n")
    program("workspace", "snapshot", str(program.folder)).well()
    (pack,) = program.home.glob("workspaces/packs/*.pack")

    done = program("forget", memory, "--yes")

    (line,) = [line for line in done.out.splitlines() if str(pack) in line]
    assert done.code == 7
    assert "not part of the store" not in line
    assert "do not delete it. Delete the snapshots with the text" in line


@requirement("forget.names-what-remains")
@pytest.mark.parametrize(
    ("path", "advice"),
    [
        ("remotes/team/outbox/1-a.json", "Send it, or drop it."),
        ("remotes/team/refused/1-a.json", "Send it, or drop it."),
        ("sittings/one.json", "This file is not part of the store."),
    ],
)
def test_each_file_beside_the_store_is_named_with_what_to_do(
    tmp_path: Path, path: str, advice: str
) -> None:
    gone = [GoneText(memory=MemoryId("m_1"), claim=CLAIM)]
    kept = tmp_path / path
    kept.parent.mkdir(parents=True)
    kept.write_text(CLAIM)

    (found,) = HomeTraces(tmp_path).remove(gone)

    assert (found.place, found.reach) == (str(kept), Reach.LEFT)
    assert advice in found.advice


@pytest.mark.parametrize("name", ["embeddings/model/0", "rows"])
def test_a_cached_file_that_cannot_be_removed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    gone = [GoneText(memory=MemoryId("m_1"), claim=CLAIM, embedded=(CLAIM,))]
    path = tmp_path / "cache" / name / hashlib.sha256(CLAIM.encode()).hexdigest()
    path.parent.mkdir(parents=True)
    path.write_text(CLAIM)

    def refuse(_path: Path, *, missing_ok: bool = False) -> None:
        del missing_ok
        raise PermissionError

    monkeypatch.setattr(Path, "unlink", refuse)
    traces = HomeTraces(tmp_path) if name == "rows" else CacheTraces(tmp_path)

    (found,) = traces.remove(gone)

    assert (found.place, found.reach) == (str(path), Reach.LEFT)
    assert "Delete" in found.advice


@requirement("model.forgotten-leaves-the-cache")
def test_a_cache_that_a_running_process_may_still_fill_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = [GoneText(memory=MemoryId("m_1"), claim=CLAIM, embedded=(CLAIM,))]
    assert CacheTraces(tmp_path).remove(gone) == []
    cache_folder(tmp_path).mkdir(parents=True)

    def refuse(*_given: object, **_named: object) -> None:
        raise PermissionError

    monkeypatch.setattr(vector_cache, "write_whole", refuse)

    (found,) = CacheTraces(tmp_path).remove(gone)

    assert (found.place, found.reach) == (str(cache_folder(tmp_path)), Reach.LEFT)
    assert "Delete this folder" in found.advice


@requirement("forget.dry-run-changes-nothing")
def test_a_memory_is_forgotten_by_its_key(program: Program) -> None:
    said = ("remember", "--key", "deploy-day", "--because", "I say", "We deploy on Tuesdays.")
    name = program(*said).well().out.split()[0]

    tried = program("forget", "--key", "deploy-day", "--dry-run").well()
    unknown = program("forget", "--key", "release-day", "--dry-run")

    assert tried.out.startswith(f"would forget {name}")
    assert unknown.code != 0
    assert "release-day" in unknown.err
