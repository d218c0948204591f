"""The entries of the pages as they are on disk, for those who read pages by their address."""

from __future__ import annotations

from holdfast.adapters.inmemory.notebook import InMemoryNotebook
from holdfast.app import Holdfast
from tests.requirements import requirement
from tests.usecases.pages import DECISIONS, UseCaseContext, a_decision


@requirement("mcp.resources")
def test_the_entries_of_the_pages_are_read(holdfast: Holdfast) -> None:
    context = UseCaseContext(holdfast)
    record = context.decided()

    [placed] = context.filing.entries()

    assert (placed.path, placed.entry.uid) == (DECISIONS, record.memory.id)
    assert "We deploy on Tuesdays." in placed.entry.body


def test_a_forgotten_text_is_left_out(holdfast: Holdfast) -> None:
    context = UseCaseContext(holdfast)
    gone, stays = a_decision("We deploy on Fridays."), a_decision("We test.", uid=None)
    for entry in (gone, stays):
        context.notebook.add(entry)
    context.notebook.forgotten = frozenset({gone.digest})

    assert [one.entry.body for one in context.filing.entries()] == ["We test."]


def test_a_repository_without_pages_has_no_entries(holdfast: Holdfast) -> None:
    context = UseCaseContext(holdfast, notebook=InMemoryNotebook(has_pages=False))

    assert context.filing.entries() == ()
