"""Anthropic's memory tool: the same commands, against the SDK's own folder of files."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

from torture.frameworks.comparing import Comparison
from torture.frameworks.installed import install

# A file system decides how large a folder is.
_FOLDER_SIZE = re.compile(
    r"(?<=excluding hidden items:\n)[\d.]+[BKMG](?=\t)|^[\d.]+[BKMG](?=\t.*/$)", re.MULTILINE
)
_NOT_A_FILE = "file system"
PATHS = [
    *("/memories", "/memories/", "/memories/a.md", "/memories/d", "/memories/d/b.md"),
    *("/memories/d/e/c.txt", "/memories/d/e", "/memories/.h", "/memories/.h/x", "/memories/x"),
    *("/memories/d//b.md", "/memories/./a.md", "/memories/d/../a.md", "/memories/ä ö.md"),
    *(
        "/memories/../x",
        "/memories/d/../../x",
        "/etc/passwd",
        "memories/a",
        "/memories/../memories/x",
    ),
    *("/memoriesx", "/memories/a.md/y", "/memories/d/e/f/g/h.md"),
]
TEXTS = [
    "one\ntwo\nthree\n",
    "x",
    "",
    "\n",
    "x\nx\n",
    "two",
    "a\r\nb\r\nx",
    "ünï ¢ 好\n\n",
    "é" * 700,
]
PARTS = ["x", "two", "zz", "\n", "one\n", "aa", "b\r\n", "é"]


def a_command(rnd: random.Random) -> dict[str, Any]:
    """Return one random command."""
    path, command = (
        rnd.choice(PATHS),
        rnd.choice(
            ["view", "view", "create", "create", "str_replace", "insert", "delete", "rename"]
        ),
    )
    given: dict[str, Any] = {"command": command, "path": path}
    if command == "view" and rnd.random() < 0.4:
        given["view_range"] = [rnd.randint(-1, 4), rnd.choice([-1, 1, 2, 9])]
    if command == "create":
        given["file_text"] = rnd.choice(TEXTS)
    if command == "str_replace":
        given |= {"old_str": rnd.choice(PARTS), "new_str": rnd.choice(["new\nline", "", "aaa"])}
    if command == "insert":
        given |= {"insert_line": rnd.randint(-1, 5), "insert_text": rnd.choice(["i", "i\n", "\n"])}
    if command == "rename":
        given = {"command": command, "old_path": path, "new_path": rnd.choice(PATHS)}
    return given


def answer(tool: Any, command: dict[str, Any]) -> str:
    """Return the answer of a tool, or its refusal."""
    from anthropic.lib.tools import ToolError

    try:
        text = str(tool.call(command))
    except ToolError as error:
        text = f"refused: {error}"
        if "is not a directory." in text or "inside the directory" in text:
            text = _NOT_A_FILE
    except OSError:
        # The reference passes on what the file system says; ours refuses in words.
        text = _NOT_A_FILE
    return _FOLDER_SIZE.sub("size", text)


def compare_memory_tool(commands: int, seed: int, folder: Path, store: str = "") -> Comparison:
    """Send both tools the same commands, in sequences that begin with no files."""
    install("anthropic.lib.tools", "anthropic.tools.memory")
    from anthropic.tools.memory import BetaLocalFilesystemMemoryTool

    from holdfast.integrations.anthropic import MemoryTool
    from holdfast.integrations.shelf import DocumentShelf

    found = Comparison("Anthropic memory tool")
    rnd = random.Random(seed)
    shelf = DocumentShelf("torture", store=store or folder / "store")
    while found.operations < commands:
        turn = f"{seed}-{found.operations}"
        ours = MemoryTool(shelf, user=turn)
        theirs = BetaLocalFilesystemMemoryTool(str(folder / turn))
        for _ in range(min(250, commands - found.operations)):
            command = a_command(rnd)
            found.compare(command, answer(ours, command), answer(theirs, command))
        ours.close()
    shelf.close()
    return found
