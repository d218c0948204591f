"""The reading of a door's calls can fail: each planted fault is told from a real binding."""

from __future__ import annotations

import pytest

from tests.quality.bindings import Bindings, Sources

APP = """
from __future__ import annotations

class Runs:
    def finish(self) -> int: ...

class Holdfast:
    runs: Runs

    def answer(self) -> str: ...
    def again(self) -> Holdfast: ...
"""
DESK = """
from house.app import Holdfast

class Desk:
    def __init__(self, app: Holdfast) -> None:
        self.app = app

    @property
    def memory(self) -> Holdfast: ...

def opened() -> Holdfast: ...
"""
OTHER = """
class Quiz:
    def answer(self) -> str: ...
"""
ANSWER = "house.app.Holdfast.answer"


def called(door: str) -> set[str]:
    """Return what a door calls whose entry is ``run``."""
    sources = Sources(
        {"house.app": APP, "house.desk": DESK, "house.other": OTHER, "house.door": door}
    )
    return Bindings(sources, ("house.door", "house.desk")).follow(["house.door.run"])


@pytest.mark.parametrize(
    "body",
    [
        "def run(app: Holdfast): app.answer()",
        "def run(app: 'Holdfast | None'): app.answer()",
        "def run(desk: Desk): desk.memory.answer()",
        "def run(desk: Desk): desk.app.answer()",
        "def run(desk: Desk): desk.memory.again().answer()",
        "def run():\n    memory = opened()\n    memory.answer()",
        "def run():\n    with opened() as memory:\n        memory.answer()",
        "def run(desk: Desk): replace(desk.memory, size=2).answer()",
        "def run(command): command.describe(does=_do)\ndef _do(desk: Desk): desk.memory.answer()",
        "def run(c): c.describe(does=lambda desk: desk.memory.answer())\ndef _x(desk: Desk): ...",
        "TABLE = {1: _do}\ndef run(): TABLE[1]()\ndef _do(app: Holdfast): app.answer()",
    ],
)
def test_a_call_on_the_app_is_a_binding(body: str) -> None:
    door = f"from house.app import Holdfast\nfrom house.desk import Desk, opened\n{body}\n"

    assert ANSWER in called(door)


@pytest.mark.parametrize(
    "body",
    [
        "def run(quiz: Quiz): quiz.answer()",
        "def run(): answer()\ndef answer(): ...",
        "def run(anything): anything.answer()",
        "def run(): ...\ndef _dead(app: Holdfast): app.answer()",
        "def run(app: Holdfast): app.runs.answer()",
        "def run(app: Holdfast): 'app.answer()'",
    ],
)
def test_a_call_of_the_same_name_on_something_else_is_none(body: str) -> None:
    door = f"from house.app import Holdfast\nfrom house.other import Quiz\n{body}\n"

    assert ANSWER not in called(door)


def test_a_method_of_a_part_is_known_through_the_field_that_holds_it() -> None:
    door = "from house.app import Holdfast\ndef run(app: Holdfast): app.runs.finish()\n"

    assert "house.app.Runs.finish" in called(door)
