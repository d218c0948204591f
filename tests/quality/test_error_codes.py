"""Errors carry a code and facts; the doors word the advice."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.generator.error_examples import EXAMPLES
from docs.generator.errors import errors_page
from holdfast.domain.errors import HoldfastError, InvalidError, NoSuchError
from holdfast.domain.ids import MemoryId
from holdfast.domain.review.curation import Concern, MemoryTrouble, Remedy
from holdfast.surfaces.cli.advising import note_advice, sync_advice
from holdfast.surfaces.cli.advising.advice import ADVICE, COMMANDS, command_of, worded
from holdfast.surfaces.cli.index import INDEX
from holdfast.surfaces.mcp.advice import ADVICE as MCP_ADVICE
from holdfast.surfaces.mcp.advice import worded as worded_for_agents
from holdfast.surfaces.python.advice import ADVICE as PYTHON_ADVICE
from holdfast.surfaces.python.advice import advise
from holdfast.surfaces.wire.failures import FAMILIES, error_json
from tests.quality.error_samples import error_classes, sample
from tests.requirements import requirement

SRC = Path(__file__).parents[2] / "src" / "holdfast"
CORE = ("domain", "ports", "usecases", "heuristics")
CLASSES = error_classes()
CODES = {leaf.code for leaf in CLASSES}
PUBLIC = [leaf for leaf in CLASSES if not leaf.__name__.startswith("_")]
# A text of an f-string may end where the name of a verb is filled in.
COMMAND = re.compile(rf"holdfast (?:(?:{'|'.join(sorted(INDEX))})\b|\Z)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
OF_OTHER_PROGRAMS = {
    "domain/checks/modules.py": "options of interpreters and build tools",
    "domain/checks/scripts.py": "options of shells and other interpreters",
    "domain/gates": "patterns of secrets in commands of other programs",
    "domain/sessions/command_options.py": "options of other programs that rules speak of",
    "domain/sessions/option_table.py": "the same, as a table",
    "domain/sessions/aliases.py": "options of git that define an alias",
    "domain/sessions/wrapped_commands.py": "options of programs that start other programs",
    "domain/sessions/wrapper_table.py": "the same, as a table",
    "heuristics/extraction/prose.py": "lines that git's diff writes",
}


def named(leaf: type[HoldfastError]) -> str:
    return leaf.__name__


@requirement("errors.codes")
def test_every_error_class_has_a_code_of_its_own() -> None:
    codes = [leaf.code for leaf in (*CLASSES, *FAMILIES)]

    assert len(codes) == len(set(codes))
    assert all(re.fullmatch(r"[a-z]+(?:-[a-z]+)*", code) for code in codes)


def test_a_class_without_a_code_is_refused() -> None:
    with pytest.raises(TypeError, match="code"):
        type("NamelessError", (InvalidError,), {})


@requirement("errors.words-at-every-door")
def test_every_error_has_words_and_advice_at_every_door() -> None:
    for leaf in CLASSES:
        error = sample(leaf)
        for said in (str(error), worded(error), worded_for_agents(error)):
            assert said.strip(), named(leaf)
            assert said.startswith(error.message), named(leaf)
            assert not re.search(r"\{\w+\}", said), named(leaf)
        shape = error_json(error)
        assert shape["code"] == leaf.code, named(leaf)
        assert shape["message"], named(leaf)
        assert shape["advice"], named(leaf)


@requirement("errors.words-at-every-door")
def test_an_agent_is_told_of_no_command_and_no_option() -> None:
    told = {
        named(leaf): worded_for_agents(sample(leaf))
        for leaf in CLASSES
        if not leaf.__module__.startswith("holdfast.surfaces.cli")
    }

    assert {
        name: said for name, said in told.items() if COMMAND.search(said) or OPTION.search(said)
    } == {}


@requirement("errors.codes")
def test_every_code_is_in_the_reference() -> None:
    page = (SRC.parents[1] / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")

    assert [leaf.code for leaf in PUBLIC if f"\n### `{leaf.code}`\n" not in page] == []


def as_its_user_sees_it(leaf: type[HoldfastError]) -> str:
    error = EXAMPLES[leaf]
    if leaf.__module__.startswith("holdfast.surfaces.python"):
        return str(error)
    is_for_agents = leaf.__module__.startswith("holdfast.surfaces.mcp")
    return worded_for_agents(error) if is_for_agents else worded(error)


@requirement("errors.reference-shows-the-real-text")
def test_the_reference_shows_an_error_as_its_user_sees_it() -> None:
    page = errors_page()
    shown = {
        named(leaf): " ".join(as_its_user_sees_it(leaf).split()).replace("|", "\\|")
        for leaf in PUBLIC
    }

    assert {name: said for name, said in shown.items() if said not in page} == {}


@pytest.mark.parametrize("table", [ADVICE, MCP_ADVICE, PYTHON_ADVICE], ids=["cli", "mcp", "python"])
def test_no_advice_outlives_its_code(table: dict[str, object]) -> None:
    assert set(table) <= CODES


@requirement("errors.words-at-every-door")
def test_the_advice_of_the_python_door_is_a_note_that_is_added_once() -> None:
    error = sample(next(leaf for leaf in CLASSES if leaf.code == "no-evidence"))

    advise(error)
    advise(error)

    assert error.__notes__ == [PYTHON_ADVICE["no-evidence"]]


@requirement("errors.words-at-every-door")
@pytest.mark.parametrize(
    ("noun", "said"),
    [("memory", "memory.list returns"), ("run", "run.list returns"), ("bundle", "")],
)
def test_the_advice_about_an_unknown_id_is_about_ids_of_that_sort(noun: str, said: str) -> None:
    error = NoSuchError(noun=noun, reference="m_1")

    assert worded_for_agents(error).startswith(f"No {noun} has the id m_1. {said}".strip())
    assert ("lists the ids" in worded(error)) == (noun != "bundle")
    advise(error)
    assert bool(getattr(error, "__notes__", ())) == (noun == "memory")


@pytest.mark.parametrize("remedy", Remedy)
def test_every_remedy_has_a_command(remedy: Remedy) -> None:
    names = MemoryId("m_1"), MemoryId("m_2")
    concern = Concern(trouble=MemoryTrouble.CONFLICT, why="", remedy=remedy, memories=names)

    assert remedy in COMMANDS
    assert command_of(concern).startswith("holdfast ")
    # Of two claims nobody is the winner: the list shows both with every choice.
    assert "m_1" in command_of(concern) or remedy is Remedy.RESOLVE


@pytest.mark.parametrize("note", [*note_advice.NOTES, *sync_advice.NOTES])
def test_a_note_finds_its_advice_whatever_its_parts_say(note: str) -> None:
    beside = note_advice if note in note_advice.NOTES else sync_advice
    parts = {name: f"m_{name} (of {name})" for name in re.findall(r"\{(\w+)\}", note)}
    said = note.format(**parts)

    assert beside.advice_on(said) == beside.NOTES[note].format(**parts)
    assert beside.with_advice(said).startswith(f"{said}; ")


def test_a_note_that_nobody_knows_has_no_advice() -> None:
    assert note_advice.advice_on("evidence was not checked: git reported an error: no") == ""
    assert note_advice.with_advice("something else") == "something else"
    assert sync_advice.with_advice("something else") == "something else"


@requirement("errors.no-commands-in-the-core")
@pytest.mark.parametrize("room", CORE)
def test_the_core_names_no_command_and_no_option(room: str) -> None:
    found = [
        f"{path.relative_to(SRC)}:{line}: {text}"
        for path in sorted((SRC / room).rglob("*.py"))
        if not any(str(path.relative_to(SRC)).startswith(part) for part in OF_OTHER_PROGRAMS)
        for line, text in texts_of(path)
        if COMMAND.search(text) or OPTION.search(text)
    ]

    assert found == []


def texts_of(path: Path) -> Iterator[tuple[int, str]]:
    """Return every text of a module, with its line, that is no docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in documented:
            continue
        if isinstance(node.value, str):
            yield node.lineno, node.value
