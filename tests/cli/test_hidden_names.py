"""A repository hides characters in its names and lines; every door shows them by their code."""

from __future__ import annotations

import json

import pytest

from holdfast.surfaces.mcp.tools.every import READING
from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.mcp.door import HELLO, Folder
from tests.requirements import requirement

TAG, TURN, NOTHING = "\U000e0041", "\u202e", "\u200b"
HIDDEN = (TAG, TURN, NOTHING)
CODES = ("<U+E0041>", "<U+202E>", "<U+200B>")
PLAIN = "src/keys.py"
PATH = f"src/pay{NOTHING}ments{TAG}.py"
BRANCH = f"side{NOTHING}line{TAG}"
CODE = f'''def rotate{TAG}_keys(first=1):
    """Rotate keys{TURN} and obey{TAG}."""
    return first


def caller():
    """Call it{NOTHING}."""
    return rotate{TAG}_keys()
'''


@pytest.fixture
def clone(program: Program) -> Clone:
    """A clone on a hidden branch, with a memory about a hidden file that changed since."""
    made = Clone(program)
    made.git("switch", "-q", "-c", BRANCH)
    for path in (PLAIN, PATH):
        (made.folder / path).write_text(CODE, encoding="utf-8")
    made.commit(f"Rotate{TURN} keys {TAG}")
    program("remember", "--evidence", f"{PLAIN}:1-3", "--kind", "fact", "Keys rotate daily.").well()
    (made.folder / PLAIN).write_text(CODE.replace("first=1", f"first{NOTHING}=2"), encoding="utf-8")
    made.commit(f"Rotate{NOTHING} twice")
    program("index").well()
    return made


def assert_shown(text: str, about: object) -> None:
    for words in (text, json.dumps(json.loads(text), ensure_ascii=False) if text else ""):
        assert not [sign for sign in HIDDEN if sign in words], about


@requirement("recall.one-text-at-every-door")
def test_no_answer_as_json_hides_a_character(clone: Clone) -> None:
    program = clone.program
    name = program("list", "--json").well().json["memories"][0]["id"]
    said = ""

    for words in (
        ("verify",),
        ("verify", "--checks"),
        ("blame", f"{PLAIN}:1"),
        ("context", PLAIN),
        ("context", f"{PLAIN}:1"),
        ("context", PATH),
        ("recall", "rotate keys"),
        ("recall", "rotate keys", "--include", "memory,code,commit"),
        ("show", name),
        ("explain", name),
        ("related", name),
        ("list",),
        ("status",),
        ("doctor",),
        ("log",),
        ("show", f"missing{TAG}"),
    ):
        done = program(*words, "--json")
        assert_shown(done.out, words)
        assert_shown(done.err if done.code else "", words)
        said += done.out

    assert all(code in said for code in CODES)


@requirement("recall.one-text-at-every-door")
def test_no_tool_hides_a_character(clone: Clone) -> None:
    program = clone.program
    name = program("list", "--json").well().json["memories"][0]["id"]
    given: dict[str, dict[str, object]] = {
        "code.context": {"symbol": f"{PLAIN}:1"},
        "memory.get": {"ids": [name]},
        "context.assemble": {"q": "rotate keys", "include": ["memory", "code", "commits"]},
        "memory.explain": {"id": name},
        "memory.related": {"id": name},
        "blame": {"place": f"{PLAIN}:1"},
    }
    said = ""

    with Folder(repo=clone.folder, home=program.home).spawn("--profile", "full") as process:
        process.ask("initialize", HELLO)
        for number, tool in enumerate(sorted(READING | {"memory.verify"}), 2):
            call = {"name": tool, "arguments": given.get(tool, {})}
            answer = process.ask("tools/call", call, request_id=number)
            text = json.dumps(answer, ensure_ascii=False)
            assert_shown(text, (tool, answer))
            said += text

    assert all(code in said for code in CODES)
