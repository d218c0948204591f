"""Paths that a person names: odd ones are refused in words, and what is there is kept."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

import holdfast
from holdfast.surfaces.cli.command import PATHS, command_for
from holdfast.surfaces.cli.index import INDEX
from tests.cli.conftest import Filled
from tests.cli.program import Program
from tests.patience import PATIENCE
from tests.requirements import requirement

BUG = 70
LONGEST_ERROR = 4_000
SERVER_PATIENCE = 60.0
# How a verb is called with a path; {} is the path. Options that every verb has are tried once.
CALLS: dict[str, tuple[str, ...]] = {
    "adapters plugin DIR": ("adapters", "plugin", "{}"),
    "agent export FILE": ("agent", "export", "bot", "{}"),
    "curate --output": ("curate", "--digest", "--output", "{}"),
    "eval --compare": ("eval", "--compare", "{}", "{}"),
    "eval --data": ("eval", "--data", "{}"),
    "eval --keep": ("eval", "--data", "{}", "--keep", "{}"),
    "eval --out": ("eval", "--data", "{}", "--out", "{}"),
    "eval --plot": ("eval", "--data", "{}", "--plot", "{}"),
    "eval --save": ("eval", "--data", "{}", "--save", "{}"),
    "everywhere --folder": ("-C", "{}", "status"),
    "everywhere --home": ("--home", "{}", "remember", "--because", "I", "Kept."),
    "export --notes": ("export", "--notes", "{}"),
    "export FILE": ("export", "{}"),
    "import FILE": ("import", "{}"),
    "import PATH": ("import", "instructions", "{}"),
    "jobs add FILE": ("jobs", "add", "import", "{}"),
    "key add --file": ("key", "add", "--file", "{}"),
    "key create --file": ("key", "create", "--file", "{}"),
    "merge-file BASE": ("merge-file", "{}", "page", "page"),
    "merge-file OURS": ("merge-file", "page", "{}", "page"),
    "merge-file PATH": ("merge-file", "page", "page", "page", "{}"),
    "merge-file THEIRS": ("merge-file", "page", "page", "{}"),
    "model install --from": ("model", "install", "--from", "{}"),
    "propose --from": ("propose", "--from", "{}"),
    "propose PATH": ("propose", "{}"),
    "remote add --token-file": ("remote", "add", "http://127.0.0.1:9", "--token-file", "{}"),
    "task export FILE": ("task", "export", "{}"),
    "task import FILE": ("task", "import", "{}"),
    "token create --write": ("token", "create", "ci", "--write", "{}"),
    "verify --sarif": ("verify", "--checks", "--sarif", "{}"),
    "session did --changed": ("session", "did", "i_none", "Done.", "--changed", "{}"),
    "store compare TARGET": ("store", "compare", "{}"),
    "store copy TARGET": ("store", "copy", "{}"),
    "workspace diff --path": ("workspace", "diff", "latest", "--path", "{}"),
    "workspace list DIR": ("workspace", "list", "{}"),
    "workspace restore --into": ("workspace", "restore", "latest", "--into", "{}"),
    "workspace restore --path": ("workspace", "restore", "latest", "--path", "{}"),
    "workspace snapshot DIR": ("workspace", "snapshot", "{}"),
}
PATHS_OF_OPTIONS = {
    "export": ("export",),
    "import": ("import",),
    "propose": ("propose",),
    "sarif": ("verify", "--checks", "--sarif"),
    "notes": ("export", "--notes"),
    "compare": ("eval", "--compare", "one"),
    "snapshot": ("workspace", "snapshot"),
}
ELSEWHERE = {"serve --checkout", "tenant export FOLDER"}
"""One is tried below, where there is no repository; the other needs a database."""


def _described() -> set[str]:
    """Return every option and argument that names a file or a folder, as help calls it."""
    found = set()
    for verb in INDEX:
        for action in command_for(verb).every_action():
            if action.metavar in PATHS:
                name = action.option_strings[-1] if action.option_strings else action.metavar
                everywhere = name in {"--home", "--folder"}
                found.add(f"{'everywhere' if everywhere else verb} {name}")
    return found


@requirement("cli.named-paths")
def test_every_option_that_names_a_path_is_tried_here() -> None:
    others = {"store compare TARGET", "store copy TARGET"}

    assert _described() == {*CALLS, *ELSEWHERE} - others


def make_odd_paths(tmp_path: Path) -> dict[str, str]:
    """Return paths that a program may stumble over, by what is odd about them."""
    (tmp_path / "file").write_text("text", encoding="utf-8")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "folder").mkdir()
    return {
        "long": "n" * 300,
        "endless": "n" * 100_000,
        "below a file": str(tmp_path / "file" / "x"),
        "loop": str(tmp_path / "loop"),
        "below a loop": str(tmp_path / "loop" / "x"),
        "folder": str(tmp_path / "folder"),
        "device": "/dev/full",
        "empty": "",
        "nul": "a\0b",
    }


@pytest.fixture
def odd_paths(tmp_path: Path) -> dict[str, str]:
    return make_odd_paths(tmp_path)


@pytest.mark.parametrize("call", sorted(CALLS))
@requirement("cli.named-paths")
def test_no_path_is_a_bug(filled: Filled, odd_paths: dict[str, str], call: str) -> None:
    (filled.program.folder / "page").write_text("text", encoding="utf-8")
    filled.program("workspace", "snapshot", "src").well()
    bugs = []
    for name, path in odd_paths.items():
        done = filled.program(*(word.replace("{}", path) for word in CALLS[call]))
        is_flood = len(done.err) > LONGEST_ERROR
        if done.code == BUG or "Traceback" in done.err or is_flood:
            bugs.append((name, done.err[:LONGEST_ERROR]))

    assert bugs == []


@requirement("cli.named-paths")
def test_no_checkout_of_a_server_is_a_bug(tmp_path: Path, odd_paths: dict[str, str]) -> None:
    # In a repository the server would start, and stay: an empty folder is none.
    (tmp_path / "bare").mkdir()
    program = Program(home=tmp_path / "home", folder=tmp_path / "bare")
    # A word of a process ends at a NUL, so that path is tried in this process.
    given = {name: path for name, path in odd_paths.items() if "\0" not in path}

    found = {
        name: program.start("serve", "--port", "0", "--checkout", path, patience=SERVER_PATIENCE)
        for name, path in given.items()
    }

    assert {name: one.code for name, one in found.items() if one.code in {0, BUG}} == {}
    assert [name for name, one in found.items() if len(one.err) > LONGEST_ERROR] == []
    assert program("serve", "--port", "0", "--checkout", odd_paths["nul"]).code not in {0, BUG}


@pytest.mark.parametrize("option", [*PATHS_OF_OPTIONS, "--home", "-C"])
@requirement("cli.named-paths")
def test_an_empty_path_is_refused(filled: Filled, option: str) -> None:
    words = PATHS_OF_OPTIONS.get(option, ("status", option))

    done = filled.program(*words, "")

    assert done.code == 2
    assert "is empty; it must name" in done.err


WRITERS = {
    "export": ("export",),
    "task export": ("task", "export"),
    "curate": ("curate", "--digest", "--output"),
    "verify": ("verify", "--checks", "--sarif"),
    "agent export": ("agent", "export", "bot"),
}


@pytest.fixture
def writer(filled: Filled) -> Program:
    filled.program("task", "add", "Write it down").well()
    with holdfast.open(filled.program.folder, home=filled.program.home) as hf:
        hf.agents.open("bot")
    return filled.program


@pytest.mark.parametrize("verb", sorted(WRITERS))
@requirement("cli.named-paths")
def test_a_pipe_is_written_to_and_stays(writer: Program, tmp_path: Path, verb: str) -> None:
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()

    writer(*WRITERS[verb], str(pipe)).well()
    reader.join(PATIENCE)

    assert read[0].strip()
    assert stat.S_ISFIFO(pipe.lstat().st_mode)


@pytest.mark.parametrize("verb", sorted(WRITERS))
@requirement("cli.named-paths")
def test_a_link_stays_and_its_file_is_replaced(writer: Program, tmp_path: Path, verb: str) -> None:
    (tmp_path / "real").write_text("old", encoding="utf-8")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "dangling").symlink_to("later")

    writer(*WRITERS[verb], str(tmp_path / "link")).well()
    writer(*WRITERS[verb], str(tmp_path / "dangling")).well()

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text(encoding="utf-8") not in {"", "old"}
    assert (tmp_path / "later").is_file()
    assert not list(tmp_path.glob(".holdfast-*"))


@requirement("cli.named-paths")
def test_a_device_is_written_to_and_stays(writer: Program, tmp_path: Path) -> None:
    for name in ("null", "full"):
        (tmp_path / name).symlink_to(f"/dev/{name}")
    before = {name: Path(f"/dev/{name}").stat().st_rdev for name in ("null", "full")}

    writer("export", str(tmp_path / "null")).well()
    done = writer("export", str(tmp_path / "full"))

    assert done.code == 6
    assert "No space left on device" in done.err
    assert {name: (tmp_path / name).stat().st_rdev for name in before} == before
    assert (tmp_path / "full").is_symlink()


@requirement("cli.named-paths")
def test_a_name_of_the_open_output_does_not_part_it_from_its_writers(writer: Program) -> None:
    line = "{ echo first; holdfast -q task export /dev/stdout; echo last; } > all"

    writer.bash(line).well()

    lines = (writer.folder / "all").read_text(encoding="utf-8").splitlines()
    assert (lines[0], lines[-1]) == ("first", "last")
    assert "Write it down" in lines[1]


@requirement("cli.named-paths")
def test_a_folder_is_refused_and_a_full_name_is_not(writer: Program, tmp_path: Path) -> None:
    folder = writer("export", str(tmp_path))
    writer("export", str(tmp_path / ("n" * 255))).well()

    assert folder.code == 6
    assert "it is a folder; name a file" in folder.err


@requirement("cli.named-paths")
def test_only_exports_are_private(writer: Program, tmp_path: Path) -> None:
    report, export = tmp_path / "report", tmp_path / "export"
    for path in (report, export):
        path.touch(mode=0o640)
        path.chmod(0o640)

    writer("verify", "--checks", "--sarif", str(report)).well()
    writer("export", str(export)).well()

    assert [stat.S_IMODE(path.stat().st_mode) for path in (report, export)] == [0o640, 0o600]


@requirement("cli.named-paths")
def test_a_refusal_is_short_and_says_what_to_do(writer: Program, odd_paths: dict[str, str]) -> None:
    told = {name: writer("export", odd_paths[name]).err for name in ("endless", "below a file")}

    assert len(told["endless"]) < 300
    assert told["endless"].endswith("File name too long. Choose a shorter name.\n")
    assert "before the last is a file; name a folder there" in told["below a file"]
