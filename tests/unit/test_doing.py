"""What a tool is about to do, read from what it is handed."""

from __future__ import annotations

import pytest

from holdfast.domain.sessions.tool_action import ToolAction, doing

ROOT = "/home/ada/app"


def read(tool: str, folder: str = ROOT, root: str = ROOT, **given: object) -> ToolAction:
    return doing(tool, given, folder=folder, root=root)


def commands(line: str) -> tuple[tuple[str, ...], ...]:
    return read("Bash", command=line).commands


@pytest.mark.parametrize(
    ("tool", "name"),
    [
        ("Edit", "file_path"),
        ("Write", "file_path"),
        ("MultiEdit", "file_path"),
        ("NotebookEdit", "notebook_path"),
        ("write_file", "file_path"),
        ("replace", "absolute_path"),
        ("write_to_file", "path"),
        ("edit", "filePath"),
        ("search_replace", "target_file"),
    ],
)
def test_every_tool_that_writes_is_known_by_its_name(tool: str, name: str) -> None:
    assert read(tool, **{name: f"{ROOT}/src/app.py"}).paths == ("src/app.py",)


def test_a_path_is_read_from_the_folder_the_tool_stands_in() -> None:
    assert read("Edit", folder=f"{ROOT}/src", file_path="app.py").paths == ("src/app.py",)
    assert read("Edit", folder=f"{ROOT}/src", file_path="../x\\y.py").paths == ("x/y.py",)
    assert read("Edit", file_path="/etc/passwd").is_nothing
    assert read("Edit", root="", file_path="./a/b.py").paths == ("a/b.py",)
    assert read("Edit", root="", file_path="/a/b.py").is_nothing


def test_a_tool_that_only_reads_does_nothing() -> None:
    assert read("Read", file_path=f"{ROOT}/src/app.py").is_nothing
    assert read("Grep", command="git push --force").is_nothing
    assert read("str_replace_based_edit_tool", command="view", path="src/app.py").is_nothing
    assert read("Edit").is_nothing
    assert read("Bash", command=7).is_nothing


def test_a_patch_says_which_files_it_changes() -> None:
    patch = (
        "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y\n*** Move to: src/b.py\n"
        "*** Add File: src/c.py\n+z\n*** End Patch\n"
    )

    assert read("apply_patch", input=patch).paths == ("src/a.py", "src/b.py", "src/c.py")
    assert read("shell", command=["apply_patch", patch]).paths == (
        *("src/a.py", "src/b.py", "src/c.py"),
    )
    assert read("shell", command="echo '*** '").paths == ()


def test_a_command_may_be_given_as_words() -> None:
    assert read("shell", command=["bash", "-lc", "git push -f"]).commands == (
        ("git", "push", "-f"),
    )
    assert read("shell", command=["git", "push"]).commands == (("git", "push"),)
    assert read("", command_line="make test").commands == (("make", "test"),)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("git push --force", (("git", "push", "--force"),)),
        ("cd x && make test; ls | wc -l", (("cd", "x"), ("make", "test"), ("ls",), ("wc", "-l"))),
        ("A=1 sudo -E git push", (("sudo", "-E", "git", "push"), ("git", "push"))),
        ("nice -n5 env B=2 make", (("make",),)),
        ('git commit -m "never push --force"', (("git", "commit", "-m", "never push --force"),)),
        ("echo 'a;b' c\\ d", (("echo", "a;b", "c d"),)),
        ("ls # rm -rf /", (("ls",),)),
        ("cat > notes.md <<'EOF'\ngit push --force\nEOF\nls", (("cat",), ("ls",))),
        ("cat <<EOF | wc\nrm x\n", (("cat",), ("wc",))),
        ('bash -c "git push --force && ls"', (("git", "push", "--force"), ("ls",))),
        ("sh script.sh -x", (("sh", "script.sh", "-x"),)),
        ("echo $(git push)", (("echo",), ("git", "push"))),
        ("it's", (("it's",),)),
        ("A=1", ()),
        ("> out.txt", ()),
        ("", ()),
    ],
)
def test_the_commands_of_a_line_of_shell(line: str, found: tuple[tuple[str, ...], ...]) -> None:
    assert commands(line) == found


def test_a_shell_inside_a_shell_is_read_only_so_deep() -> None:
    line = "ls"
    for _ in range(7):
        line = "bash -c " + '"' + line.replace("\\", "\\\\").replace('"', '\\"') + '"'

    assert commands(line)[0][0] == "bash"


@pytest.mark.parametrize(
    ("line", "paths"),
    [
        ("echo x > src/gen.py", ("src/gen.py",)),
        ("echo x >> src/gen.py 2>/dev/null", ("src/gen.py",)),
        ("make 2>&1", ()),
        ("rm -rf src/gen.py", ("src/gen.py",)),
        ("sed -i s/a/b/ src/gen.py", ("s/a/b", "src/gen.py")),
        ("cat src/gen.py", ()),
        ("ls >", ()),
    ],
)
def test_the_files_a_command_writes(line: str, paths: tuple[str, ...]) -> None:
    assert read("Bash", command=line).paths == paths
