"""Names that nobody types pass the gate too: branch, workspace, symbol, source, row and file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.app.intake import Intake
from holdfast.domain.choices import Kind
from holdfast.domain.errors import SecretRefusedError
from holdfast.domain.exchange.foreign import Foreign
from holdfast.domain.memory.anchor import BranchPoint
from holdfast.domain.memory.evidence import FilePlace
from holdfast.domain.recall.question import Question
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.exchange.take_over import NoteOutcome, TakeOver
from holdfast.usecases.screened_surroundings import ScreenedSurroundings, harmless
from holdfast.usecases.tasks.adding import AddTask
from tests.builders import HERE, PlainSpan, PlainSurroundings
from tests.requirements import requirement
from tests.usecases.wishes import SECRET, a_wish, asked

NOTE = "[secret removed: github]"


class Named(PlainSurroundings):
    """A repository whose symbols and branches may have any name."""

    symbol: str = SECRET

    def read_span(self, place: FilePlace) -> PlainSpan:
        found = super().read_span(place)
        if found.anchor is None:
            return found
        anchor = replace(found.anchor, symbol=self.symbol, branch=self.at.branch)
        return replace(found, anchor=anchor)


def named(**names: Any) -> Named:
    point = BranchPoint(branch=names.get("branch"), head="1" * 40)
    return Named(at=replace(HERE, **names), files={"src/app.py": "one\ntwo\n"}, stands=point)


def inside(holdfast: Holdfast, surroundings: PlainSurroundings) -> Holdfast:
    return replace(holdfast, surroundings=ScreenedSurroundings(surroundings))


@requirement("gate.every-field")
@pytest.mark.parametrize("field", ["branch", "workspace", "symbol"])
def test_a_secret_in_a_name_around_us_reaches_no_row(
    holdfast: Holdfast, store: InMemoryStore, field: str
) -> None:
    memory = inside(holdfast, named(**({} if field == "symbol" else {field: SECRET})))

    memory.memories.remember(a_wish(grounds=Grounds(places=("src/app.py:1",), because="I saw it")))
    memory.sessions.start(tool="cli", user="ada")
    asked(memory, "tokens")

    assert SECRET not in repr(store)
    assert NOTE in repr(store)
    assert memory.answers.recall(Question(text="tokens")).bundle.items


def test_names_without_a_secret_stay_as_they_are() -> None:
    around = named(branch="feat/offsets", workspace="shop")
    around.symbol = "Feed.offset"
    screened = ScreenedSurroundings(around)
    span = FilePlace(path="src/app.py", first=1, last=1)

    assert screened.place() is around.place()
    assert screened.branch_point() is around.branch_point()
    around.renamed = {"old": "new", "older": "x?password=swordfish"}
    shown = "x?password=[secret removed: password]"
    assert screened.names_now({"old", "older"}) == {"old": "new", "older": shown}
    assert screened.main_branch() == "main"
    around.main = "x?password=swordfish"
    assert screened.main_branch() == shown
    assert screened.read_span(span) == around.read_span(span)


def test_outside_a_repository_there_is_nothing_to_screen() -> None:
    around = PlainSurroundings(at=replace(HERE, repo=None, branch=None), files={"a.txt": "one\n"})
    screened = ScreenedSurroundings(around)

    assert screened.branch_point() is None
    assert screened.read_span(FilePlace(path="a.txt")).anchor is None


@pytest.mark.parametrize(
    "name", ["main", "feat/JIRA-1234-offsets", "dependabot/npm_and_yarn/webpack-5.1", "añadir/ñ"]
)
def test_a_plain_name_is_harmless(name: str) -> None:
    assert harmless(name) == name


def test_a_password_in_a_name_is_not() -> None:
    assert harmless("x?password=swordfish") == "x?password=[secret removed: password]"


def a_note(**changes: Any) -> Foreign:
    fields: dict[str, Any] = {
        "claim": "Offsets are kept in the feed, never in the worker.",
        "kind": Kind.RULE,
        "source": "import:notes",
        "place": "notes.db row 7",
    }
    return Foreign(**(fields | changes))


@requirement("gate.every-field")
@pytest.mark.parametrize("field", ["source", "place"])
def test_a_secret_in_the_name_of_a_source_or_a_row_is_replaced(
    holdfast: Holdfast, store: InMemoryStore, field: str
) -> None:
    note = a_note(**{field: f"notes {SECRET}"})

    (taken,) = Intake(holdfast).take_over(TakeOver(notes=(note,))).taken

    assert taken.fate is NoteOutcome.ADDED
    assert SECRET not in repr(store)


@requirement("gate.every-field")
def test_a_note_in_a_file_whose_path_holds_a_secret_is_left_out_with_the_reason(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    note = a_note(place=f"{SECRET}.md:1", is_here=True)

    (taken,) = Intake(holdfast).take_over(TakeOver(notes=(note,))).taken

    assert (taken.fate, taken.why) == (
        NoteOutcome.LEFT,
        "stands in a file whose path holds a secret (github)",
    )
    assert SECRET not in repr(store)


@requirement("gate.every-field")
def test_a_secret_is_no_name_of_a_worker(holdfast: Holdfast, store: InMemoryStore) -> None:
    issue = '{"id": "bd-1", "title": "From beads", "status": "open"}'
    with pytest.raises(SecretRefusedError):
        holdfast.tasks.add(AddTask(title="Count it"), by=SECRET)
    with pytest.raises(SecretRefusedError):
        holdfast.tasks.bring_in([issue], by=SECRET)

    assert SECRET not in repr(store)
