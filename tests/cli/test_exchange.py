"""export and import."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Filled
from tests.cli.program import Program
from tests.requirements import requirement


def other_home(program: Program) -> Program:
    return Program(home=program.home.parent / "other-home", folder=program.folder)


@requirement("export.lossless")
def test_an_export_reads_back_exactly(filled: Filled, tmp_path: Path) -> None:
    file, other = tmp_path / "all.jsonl", other_home(filled.program)
    filled.program("link", filled.memory, filled.other).well()
    filled.program("session", "turn", filled.session, "--q", "Wie geht's, Zoë? 🎉").well()

    told = filled.program("export", str(file)).well()
    brought = other("import", str(file)).well()
    again = other("import", str(file), "--json").well().json

    assert f"{len(file.read_bytes().splitlines())} lines" in told.out
    assert file.stat().st_mode & 0o777 == 0o600
    assert "refused" not in brought.out
    assert again["added"] == 0
    assert other("export").well().out == filled.program("export").well().out
    assert [path.name for path in tmp_path.glob(".all*")] == []


def test_an_export_that_cannot_be_written_leaves_the_old_file(
    filled: Filled, tmp_path: Path
) -> None:
    nowhere = filled.program("export", str(tmp_path / "none" / "x.jsonl"))
    folder = filled.program("export", str(tmp_path))

    assert (nowhere.code, folder.code) == (6, 6)
    assert "cannot be written" in nowhere.err


@requirement("import.bad-line-named")
def test_a_bad_line_is_named(filled: Filled) -> None:
    lines = filled.program("export").well().out.splitlines()
    other = other_home(filled.program)

    broken = other("import", "-", stdin="\n".join([*lines, "{"]))
    not_utf8 = other("import", "-", stdin=b"\xff\xff\n")
    missing = other("import", "nowhere.jsonl")

    assert broken.code == 2
    assert f"Line {len(lines) + 1}" in broken.err
    assert not_utf8.code == 2
    assert missing.code == 3


@requirement("import.resumable")
def test_an_import_that_was_refused_can_be_run_again(filled: Filled) -> None:
    claim = "The key is AKIA" + "IOSFODNN7EXAMPLA and works."
    secret = filled.program("remember", "--because", "I", "--allow-secret", claim).well().id
    export = filled.program("export").well().out
    other = other_home(filled.program)

    refused = other("import", "-", stdin=export)
    redacted = other("import", "-", "--redact", stdin=export).well()

    assert refused.code == 2
    assert "line " in refused.err
    assert other("show", filled.memory).code == 0
    assert "1 added" in redacted.out
    assert "AKIA" not in other("show", secret).well().out


def test_an_export_is_lines_of_json_that_name_their_type(filled: Filled) -> None:
    lines = [json.loads(line) for line in filled.program("export").well().out.splitlines()]

    assert lines[0] == {"type": "holdfast", "data": {"format": 2}}
    assert {line["type"] for line in lines} >= {"memory", "span", "bundle", "session"}


@requirement("export.notes")
def test_notes_replace_notes_of_ours_and_change_no_other_file(filled: Filled) -> None:
    program = filled.program
    vault = program.folder.parent / "vault"
    program("remember", "Carts are kept.", "--because", "x", "--key", "cart").well()

    first = program("export", "--notes", str(vault), "--json").well().json
    (vault / "mine.md").write_text("my own note")
    forgotten = program("forget", "cart", "--yes")
    again = program("export", "--notes", str(vault)).well()

    assert first["lines"] == 4
    assert forgotten.code == 7
    assert str(vault / "cart.md") in forgotten.out
    assert not (vault / "cart.md").exists()
    assert (vault / "mine.md").read_text() == "my own note"
    assert "notes to" in again.out


def test_a_file_of_the_same_name_that_is_no_note_stops_the_export(filled: Filled) -> None:
    vault = filled.program.folder.parent / "vault"
    vault.mkdir()
    (vault / "Holdfast.md").write_text("---\ntitle: mine\n---\n")

    done = filled.program("export", "--notes", str(vault))

    assert done.code == 6
    assert "it is no note of Holdfast" in done.err
    assert [path.name for path in vault.iterdir()] == ["Holdfast.md"]


def test_notes_and_a_file_do_not_go_together(filled: Filled) -> None:
    assert filled.program("export", "x.jsonl", "--notes", "vault").code == 2


def test_a_byte_order_mark_before_lines_is_left_out(filled: Filled, tmp_path: Path) -> None:
    mark = b"\xef\xbb\xbf"
    filled.program("task", "add", "Rotate the tokens\x85 today.").well()
    whole = filled.program("export").well().out.encode()
    tasks = tmp_path / "tasks.jsonl"
    tasks.write_bytes(mark + filled.program("task", "export").well().out.encode())
    file, other = tmp_path / "all.jsonl", other_home(filled.program)
    file.write_bytes(mark + whole)
    line = b'{"claim": "Tea is served at four.", "because": "the cook says so"}'

    assert "refused" not in other("import", str(file)).well().out
    assert other("import", "-", "--json", stdin=file.read_bytes()).well().json["added"] == 0
    assert "1 known" in other("task", "import", str(tasks)).well().out
    assert "1 known" in other("task", "import", "-", stdin=tasks.read_bytes()).well().out
    assert "1 added" in other("remember", "--batch", stdin=mark + line).well().err
