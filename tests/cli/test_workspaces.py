from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.program import Finished, Program
from tests.cli.test_terminal import at_terminal
from tests.patience import PATIENCE
from tests.requirements import requirement
from tests.rights import drop_root_rights


@pytest.fixture
def work(program: Program) -> Path:
    folder = program.folder / "work"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "app.py").write_text("one\ntwo\n", encoding="utf-8")
    (folder / "report.md").write_text("done\n", encoding="utf-8")
    return folder


def taken(program: Program, *more: str) -> str:
    kept = program("workspace", "snapshot", "work", *more, "--json").well().json
    return str(kept["snapshot"]["id"])


def failed(done: Finished, code: int) -> Finished:
    assert done.code == code, (done.code, done.err)
    return done


def inside(program: Program, *words: str) -> tuple[str, ...]:
    return ("workspace", *words, "-C", str(program.folder / "work"))


def test_a_folder_is_kept_listed_and_shown(program: Program, work: Path) -> None:
    (work / ".env").write_text("A=1\n", encoding="utf-8")
    (work / "link").symlink_to("src")

    first = program("workspace", "snapshot", "work", "--note", "before").well()
    second = program("workspace", "snapshot", "work").well()

    assert first.out.startswith("kept  v_")
    assert "4 entries, 13 B" in first.out
    assert "left out  .env  (secret)" in first.err
    assert "--include-secrets" in first.err
    assert second.out.startswith("unchanged  v_")
    listed = program("workspace", "list", "work").well().out
    assert "before" in listed
    assert "taken" in listed
    assert "work" in program("workspace", "list", "--everywhere").well().out
    shown = program(*inside(program, "show", "latest")).well()
    assert "note: before" in shown.out
    assert "link -> src" in shown.out
    assert "left out  .env" in shown.err
    assert "There are no snapshots" in program("workspace", "list").well().err


def test_ignored_and_secret_files_are_kept_if_they_are_asked_for(
    program: Program, work: Path
) -> None:
    (work / ".gitignore").write_text("*.log\n", encoding="utf-8")
    for name in ("a.log", ".env"):
        (work / name).write_text("x\n", encoding="utf-8")

    usual = program(*inside(program, "snapshot")).well()
    more = program(*inside(program, "snapshot", "--all", "--include-secrets", "--json")).well().json

    assert "left out  .env" in usual.err
    assert more["snapshot"]["entries"] == 6
    assert more["snapshot"]["left_out"] == []
    first = program("workspace", "list", "work", "--json").well().json["snapshots"][-1]
    assert "1 ignored by .gitignore" in program(*inside(program, "show", first["id"])).well().err


def test_many_omissions_are_summed_up(program: Program, work: Path) -> None:
    for number in range(12):
        (work / f"{number}.pem").touch()

    said = program("workspace", "snapshot", "work").well().err

    assert said.count("left out") == 10
    assert "and 2 more: holdfast workspace show v_" in said


@requirement("workspace.limits-hold")
def test_sizes_and_limits_are_options(program: Program, work: Path) -> None:
    (work / "large").write_bytes(bytes(3_000))

    kept = program("workspace", "snapshot", "work", "--max-file", "2K", "--json").well().json

    assert kept["snapshot"]["left_out"] == [{"path": "large", "reason": "too large"}]
    refused = failed(program("workspace", "snapshot", "work", "--max-files", "2"), 2)
    assert "more than 2 files and folders" in refused.err
    assert "--max-files" in refused.err
    failed(program("workspace", "snapshot", "work", "--max-total", "1k"), 2)
    assert "such as 500M" in failed(program("workspace", "snapshot", "--max-file", "x"), 2).err


def test_a_difference_is_shown_and_is_the_exit_code(program: Program, work: Path) -> None:
    first = taken(program)
    (work / "src" / "app.py").write_text("one\n2\n", encoding="utf-8")
    (work / "report.md").rename(work / "src" / "report.md")
    (work / "new").touch()

    now = failed(program(*inside(program, "diff", "latest", "--patch")), 1)

    assert "M  src/app.py" in now.out
    assert "R  src/report.md  (was report.md)" in now.out
    assert "A  new" in now.out
    assert "-two" in now.out
    assert "1 added, 1 changed, 1 renamed" in now.err
    second = taken(program)
    data = failed(program(*inside(program, "diff", first, second, "--path", "src", "--json")), 1)
    assert [one["change"] for one in data.json["changes"]] == ["changed", "added"]
    assert "no difference" in program(*inside(program, "diff", second)).well().err
    program(*inside(program, "diff", second, "--json")).well()


@requirement("workspace.compared-with-its-own-folder")
def test_a_snapshot_is_compared_with_its_own_folder_wherever_one_is(
    program: Program, work: Path
) -> None:
    name = taken(program)
    (work / "new").touch()
    empty = program.folder / "empty"
    empty.mkdir()

    now = failed(program("workspace", "diff", name), 1)
    other = failed(program("workspace", "diff", name, "-C", str(empty)), 1)

    assert now.out.splitlines() == ["A  new"]
    assert "D  report.md" in other.out


@requirement("workspace.restore-keeps-what-it-replaces")
def test_a_restore_shows_what_it_would_replace_and_keeps_it(program: Program, work: Path) -> None:
    taken(program)
    (work / "report.md").write_text("edited\n", encoding="utf-8")
    (work / "extra").touch()

    rehearsed = program(*inside(program, "restore", "latest", "--dry-run")).well()
    refused = failed(program(*inside(program, "restore", "latest")), 4)
    done = program(*inside(program, "restore", "latest", "--force", "--delete")).well()

    assert "M  report.md" in rehearsed.out
    assert "1 differs; --force replaces it, and keeps it" in rehearsed.err
    assert "would replace report.md" in refused.err
    assert "--force" in refused.err
    assert "D  extra" in done.out
    assert f"to bring back what was there: holdfast -C {work} workspace restore v_" in done.err
    assert (work / "report.md").read_text(encoding="utf-8") == "done\n"


def test_a_snapshot_is_restored_elsewhere_and_by_path(program: Program, work: Path) -> None:
    name = taken(program)
    os.utime(work / "report.md", (1, 1))
    other = taken(program)

    out = program.folder / "out"
    options = ("--path", "report.md", "--mtime", "--json")
    done = program("workspace", "restore", other, "--into", "out", *options)

    assert done.well().json["steps"] == [{"step": "create", "path": "report.md"}]
    assert (out / "report.md").stat().st_mtime == 1
    program("workspace", "restore", name, "--into", "out").well()
    assert (out / "src" / "app.py").read_text(encoding="utf-8") == "one\ntwo\n"
    missing = failed(program("workspace", "restore", name, "--path", "none"), 3)
    assert f"holdfast workspace show {name}" in missing.err
    assert "workspace list --everywhere" in failed(program("workspace", "show", "v_zzz"), 3).err


def test_a_folder_in_the_way_is_moved_aside_and_long_lists_are_cut(
    program: Program, work: Path
) -> None:
    for number in range(60):
        (work / f"file-{number}").touch()
    taken(program)
    for number in range(60):
        (work / f"file-{number}").unlink()
    (work / "file-0").mkdir()
    (work / "file-0" / "kept").touch()

    done = program(*inside(program, "restore", "latest", "--force")).well()

    assert "and 10 more; --json shows all" in done.err
    assert "moved aside  file-0.displaced-" in done.err


@requirement("workspace.restore-leaves-no-empty-folder")
def test_folders_that_became_files_leave_no_empty_folder(program: Program, work: Path) -> None:
    (work / "a").touch()
    (work / "deep").mkdir()
    (work / "deep" / "b").touch()
    name = taken(program)
    (work / "a").unlink()
    (work / "a" / "x" / "y").mkdir(parents=True)
    (work / "a" / "x" / "file").write_text("text\n", encoding="utf-8")
    (work / "deep" / "b").unlink()
    (work / "deep" / "b").mkdir()

    done = program(*inside(program, "restore", name, "--force", "--delete")).well()

    assert (work / "a").is_file()
    assert (work / "deep" / "b").is_file()
    assert list(work.rglob("*.displaced-*")) == []
    assert "moved aside" not in done.err


def test_a_snapshot_is_restored_into_its_own_folder_from_anywhere(
    program: Program, work: Path
) -> None:
    name = taken(program)
    (work / "report.md").write_text("edited\n", encoding="utf-8")
    other = program.folder / "other"
    other.mkdir()

    done = program("workspace", "restore", name, "--force").well()

    assert f"into {work}" in done.out
    assert (work / "report.md").read_text(encoding="utf-8") == "done\n"
    assert not (program.folder / "report.md").exists()
    hint = done.err.partition("to bring back what was there: holdfast ")[2].split("\n")[0]
    assert hint.endswith(" --force")
    program(*hint.split()).well()
    assert (work / "report.md").read_text(encoding="utf-8") == "edited\n"
    program("workspace", "restore", name, "-C", str(other)).well()
    assert (other / "report.md").read_text(encoding="utf-8") == "done\n"


def test_a_restore_names_what_it_would_remove_and_counts_what_was_asked_for(
    program: Program, work: Path
) -> None:
    taken(program)
    (work / "extra").touch()

    removing = failed(program(*inside(program, "restore", "latest", "--delete")), 4)
    (work / "src" / "app.py").write_text("x\n", encoding="utf-8")
    both = failed(program(*inside(program, "restore", "latest", "--delete")), 4)
    done = program(*inside(program, "restore", "latest", "--path", "src/app.py", "--force"))

    assert "would remove extra." in removing.err
    assert "would replace src/app.py and remove extra." in both.err
    assert "restored  1 of 1 into" in done.well().out


def test_a_folder_without_snapshots_says_so(program: Program, work: Path) -> None:
    said = failed(program(*inside(program, "diff", "latest")), 3)

    assert f"Nobody took a snapshot of {work}" in said.err
    assert f"holdfast -C {work} workspace snapshot" in said.err


def test_a_person_is_asked_before_a_snapshot_is_deleted(program: Program, work: Path) -> None:
    name = taken(program)
    (work / "report.md").write_text("edited\n", encoding="utf-8")
    restored = program("workspace", "restore", name, "--force", "--json").well().json
    displaced = restored["displaced"]

    unasked = failed(program("workspace", "delete", displaced), 2)
    refused = at_terminal(program, "workspace", "delete", displaced, typed="n\n")
    agreed = at_terminal(program, "workspace", "delete", displaced, typed="y\n")

    assert "only way to undo that restore" in unasked.err
    assert refused.code == 1
    assert "only way to undo that restore" in refused.out
    assert "deleted" in agreed.well().out
    failed(program("workspace", "show", displaced), 3)


@requirement("workspace.cited-is-kept")
@requirement("workspace.artifacts-are-evidence")
def test_a_cited_snapshot_is_not_deleted_and_others_are(program: Program, work: Path) -> None:
    cited = taken(program)
    evidence = f"artifact:{cited}/report.md"
    memory = program("remember", "--evidence", evidence, "The report is done.").well().id
    (work / "report.md").write_bytes(os.urandom(200_000))
    other = taken(program)

    refused = failed(program("workspace", "delete", cited), 4)
    asked = failed(program("workspace", "delete", other), 2)
    gone = program("workspace", "delete", other, "--yes").well()
    rehearsed = program("workspace", "gc", "--dry-run").well()
    done = program("workspace", "gc", "--json").well().json

    assert memory in refused.err
    assert "Add --yes" in asked.err
    assert "only way to undo" not in asked.err
    assert gone.out.startswith("deleted  v_")
    assert "would free" in rehearsed.out
    assert "1 snapshot needs the rest" in rehearsed.out
    assert done["freed"] > 190_000
    assert "freed  0 B" in program("workspace", "gc").well().out
    assert f"artifact: {cited}/report.md" in program("show", memory).well().out
    assert "fresh" in program("verify", memory).well().out
    program("workspace", "restore", cited, "--into", "out").well()
    failed(program("remember", "--evidence", "artifact:v_1/x", "It is."), 2)


@requirement("workspace.artifacts-are-evidence")
def test_recall_does_not_read_a_large_cited_file_but_verify_does(
    program: Program, work: Path
) -> None:
    (work / "large").write_bytes(bytes(17 * 1024 * 1024))
    name = taken(program)
    evidence = f"artifact:{name}/large"
    memory = program("remember", "--evidence", evidence, "The archive is complete.").well().id

    recalled = program("recall", "archive complete", "--json").well().out

    assert "unverifiable" in recalled
    assert "fresh" in program("verify", memory).well().out


@requirement("workspace.damage-is-reported")
def test_doctor_names_damaged_snapshots(program: Program, work: Path) -> None:
    name = taken(program)
    assert work.is_dir()
    for pack in (program.home / "workspaces" / "packs").glob("*.pack"):
        pack.write_bytes(b"damaged")

    said = failed(program("doctor"), 6)

    assert name in said.out + said.err
    assert "workspace delete" in said.out + said.err
    assert "doctor" in failed(program("workspace", "show", name), 6).err


@requirement("store.copy-names-contents")
@pytest.mark.usefixtures("work")
def test_a_copy_of_a_store_without_content_names_no_folder_to_copy(
    program: Program, tmp_path: Path
) -> None:
    taken(program)
    shutil.rmtree(program.home / "workspaces")

    assert "cp -R" not in program("store", "copy", str(tmp_path / "copy")).well().err


@requirement("store.copy-names-contents")
@pytest.mark.usefixtures("work")
def test_a_copy_of_the_store_says_how_to_copy_the_content(program: Program, tmp_path: Path) -> None:
    place = tmp_path / "the copy"
    taken(program)
    copied = program("store", "copy", str(place)).well()
    there = replace(program, home=place)
    damaged = there("doctor")

    assert "The content of 1 snapshot is not part of a store. Copy it too:" in copied.err
    told = [line.strip() for line in copied.err.splitlines() if line.startswith("  ")]
    assert damaged.code != 0
    program.bash(" && ".join(told)).well()
    assert "snapshots" not in there("doctor").well().err


@requirement("workspace.partial-snapshots")
def test_a_partial_snapshot_is_named_so_and_undoes_a_restore(program: Program) -> None:
    work = program.folder / "ws"
    work.mkdir()
    for name in ("keep.txt", "a.txt", "lost.txt"):
        (work / name).write_text("one\n")
    program("workspace", "snapshot", "ws").well()
    (work / "a.txt").write_text("two\n")
    (work / "lost.txt").unlink()

    done = program("workspace", "restore", "latest", "--force", "-C", "ws").well()
    command = done.err.strip().rpartition("holdfast ")[2].split()
    undone = program(*command).well()

    assert command[:4] == ["-C", "ws", "workspace", "restore"]
    assert command[5:] == ["--force", "--delete"]
    assert undone.out.splitlines()[:2] == ["M  a.txt", "D  lost.txt"]
    assert sorted(one.name for one in work.iterdir()) == ["a.txt", "keep.txt"]
    assert "displaced, partial" in program("workspace", "list", "ws").well().out
    assert "partial: it holds only" in program("workspace", "show", command[4]).well().out


@requirement("workspace.read-only-is-read")
def test_snapshots_are_read_where_nothing_can_be_written(program: Program, work: Path) -> None:
    kept = taken(program)
    (work / "report.md").write_text("lost\n", encoding="utf-8")
    places = [*program.home.rglob("*"), program.home]
    for place in places:
        place.chmod(0o500 if place.is_dir() else 0o400)

    def reader(*words: str) -> Finished:
        done = subprocess.run(
            [sys.executable, "-m", "holdfast", *words],
            capture_output=True,
            cwd=program.folder,
            env=program.environment,
            preexec_fn=drop_root_rights,
            check=False,
            timeout=PATIENCE,
        )
        return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())

    try:
        assert "report.md" in reader("workspace", "show", kept).well().out
        assert "M  report.md" in failed(reader(*inside(program, "diff", kept)), 1).out
        reader("workspace", "restore", kept, "--into", "before").well()
        assert "Every row" in reader("doctor").out
        refused = failed(reader("workspace", "snapshot", "work"), 6)
        assert "Permission denied" in refused.err or "read-only" in refused.err
    finally:
        for place in places:
            place.chmod(0o700)
    assert (program.folder / "before" / "report.md").read_text(encoding="utf-8") == "done\n"
