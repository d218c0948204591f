"""The files that a command names, and the id of a clone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from holdfast.adapters.machine.clone_id import make_clone_id, read_clone_id
from holdfast.adapters.machine.named_files import named_files
from holdfast.domain.checks.change import changed_since
from holdfast.domain.refusals import SettingsUnwritableError
from tests.requirements import requirement


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "clone"
    (folder / "tools").mkdir(parents=True)
    for name in ("t.sh", "tools/t.sh", "tools/a b.py", "data.csv"):
        (folder / name).write_text(name)
    (folder / "pack").mkdir()
    for name in ("__main__.py", "__init__.py", "p.py", "Q.pm", "q.rb", "mk"):
        (folder / "pack" / name).write_text(name)
    (folder / "plain").write_text("true")
    (folder / "ready").write_text("true")
    (folder / "ready").chmod(0o755)
    return folder


@requirement("roles.executor-runs-allowed-only")
@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("sh ./t.sh", ["t.sh"]),
        ("make test", []),
        ("./ready&&echo done", ["ready"]),
        ("MODE=quick python 'tools/a b.py'", ["tools/a b.py"]),
        ("cd tools; sh t.sh", ["t.sh", "tools/t.sh"]),
        ("sh -c './t.sh --config=data.csv'", ["t.sh"]),
        ("sh -x plain", ["plain"]),
        ("/usr/bin/python3.11 plain data.csv", ["plain"]),
        (". plain", ["plain"]),
        ("cat plain > data.csv", []),
        ("grep -q x t.sh data.csv", []),
        ("go run t.sh", ["t.sh"]),
        ("./ready", ["ready"]),
        ("cat ../outside.sh /etc/passwd . tools", []),
        ("it's ./ready", ["ready"]),
        ("sh tools/../t.sh", ["t.sh"]),
        ("bash --rcfile plain t.sh data.csv", ["plain", "t.sh"]),
        ("bash --init-file=plain t.sh data.csv", ["plain", "t.sh"]),
        ("node -r plain t.sh data.csv", ["plain", "t.sh"]),
        ("awk -f plain data.csv", ["plain"]),
        ("BASH_ENV=plain bash t.sh", ["plain", "t.sh"]),
        ("env -S 'sh plain data.csv'", ["plain"]),
        ("python -u plain data.csv", ["plain"]),
        ("sh /proc/self/cwd/t.sh", ["t.sh"]),
        ("sh /proc/self/cwd/tools/../t.sh", ["t.sh"]),
        ("python3 pack", ["pack/__init__.py", "pack/__main__.py"]),
        ("python3 -m pack.p x", ["pack/__init__.py", "pack/p.py"]),
        ("python3 -mpack.p", ["pack/__init__.py", "pack/p.py"]),
        ("python3 -um pack", ["pack/__init__.py", "pack/__main__.py"]),
        ("PYTHONPATH=pack python3 -m p", ["pack/p.py"]),
        ("PYTHONPATH=/proc/self/cwd/pack python3 -m p", ["pack/p.py"]),
        ("perl -Ipack -MQ -e 1", ["pack/Q.pm"]),
        ("perl -I pack -MQ=x -e 1", ["pack/Q.pm"]),
        ("ruby -I pack -rq -e 1", ["pack/q.rb"]),
        ("node pack", ["pack/__init__.py", "pack/__main__.py"]),
        ("make -f pack/mk", ["pack/mk"]),
        ("make --file=pack/mk all", ["pack/mk"]),
        ("make -fpack/mk", ["pack/mk"]),
        ("rm -f pack/mk", []),
        ("python3 -m pytest pack", []),
        ("ln -s plain y; sh y", ["plain"]),
        ("cp plain /tmp/y.sh && sh /tmp/y.sh", ["plain"]),
        ("sort -o y plain\nsh y", ["plain"]),
        ("sh -c 'cat plain > y; . y'", ["plain"]),
        ("cp data.csv y; chmod +x y; ./y", ["data.csv"]),
        ("cp plain tools/ls; PATH=tools:/bin ls", ["plain"]),
        ("grep -q x plain && grep -q y data.csv", []),
        ("grep -n x data.csv | wc -l", []),
        ("sh t.sh data.csv > plain 2>&1", ["t.sh"]),
    ],
)
def test_the_files_that_a_command_names_are_found(
    root: Path, command: str, names: list[str]
) -> None:
    (root.parent / "outside.sh").write_text("true")

    assert sorted(named_files(command, str(root))) == names
    assert named_files(command, "") == {}


@requirement("roles.executor-runs-allowed-only")
def test_another_content_of_a_named_file_is_noticed(root: Path) -> None:
    then = named_files("sh t.sh; sh new.sh", str(root))
    assert changed_since(then, then) == ""

    (root / "t.sh").write_text("x.sh")
    (root / "new.sh").write_text("true")
    now = named_files("sh t.sh; sh new.sh", str(root))

    assert changed_since(then, now) == "new.sh, t.sh changed since a person accepted the command"
    many = {f"f{number}": "" for number in range(5)}
    assert changed_since({}, many).startswith("f0, f1, f2 and 2 more changed")


def test_what_is_no_readable_file_has_no_hash_and_blocks_nothing(root: Path) -> None:
    os.mkfifo(root / "pipe")
    (root / "loop").symlink_to("loop")
    (root / "away").symlink_to(root / "t.sh")

    found = named_files(f"sh pipe loop away {'x' * 5_000} data.csv\0", str(root))

    assert list(found) == ["away"]


@requirement("roles.executor-runs-allowed-only")
def test_a_clone_gets_one_id_and_an_odd_one_does_not_count(tmp_path: Path) -> None:
    assert read_clone_id(None) == make_clone_id(None) == read_clone_id(tmp_path) == ""

    made = make_clone_id(tmp_path)

    assert made == make_clone_id(tmp_path) == read_clone_id(tmp_path)
    (tmp_path / "holdfast-clone-id").write_text("short")
    assert read_clone_id(tmp_path) == ""
    assert make_clone_id(tmp_path) not in {"", made}


def test_a_git_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(SettingsUnwritableError, match="file"):
        make_clone_id(tmp_path / "file")
