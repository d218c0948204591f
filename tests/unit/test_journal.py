"""A day as a page."""

from __future__ import annotations

from datetime import timedelta

from holdfast.domain.choices import Status
from holdfast.domain.ids import BundleId
from holdfast.domain.memory.memory import Standing
from holdfast.domain.pages.journal import (
    Section,
    journal_page,
    memory_section,
    run_sections,
    turn_section,
)
from holdfast.domain.sessions.run import RunStatus
from tests.builders import NOON, a_memory, a_record, a_run, a_turn
from tests.requirements import requirement


def test_a_turn_says_what_was_asked_and_whether_the_answer_helped() -> None:
    helped = turn_section(a_turn(query="why?", bundle_id=BundleId("c_1"), satisfied=True))
    useless = turn_section(a_turn(query="why?", bundle_id=BundleId("c_1"), satisfied=False))
    unknown = turn_section(a_turn(query="why?", notes="asked the team"))

    assert helped.lines == ("why?", "answered by c_1, which helped")
    assert useless.lines[1] == "answered by c_1, which did not help"
    assert unknown.lines == ("why?", "asked the team")


def test_a_run_has_a_beginning_and_an_end() -> None:
    done = a_run(status=RunStatus.FINISHED, finished_at=NOON + timedelta(hours=1), summary="Done.")

    assert [section.title for section in run_sections(a_run(goal="Mend it"))] == [
        "run-2026-11-15-1 began (shell)"
    ]
    assert [section.lines for section in run_sections(done)] == [(), ("Done.",)]


def test_a_memory_is_shown_by_its_label_and_where_it_stands() -> None:
    labelled = a_record(standing=Standing(status=Status.CANDIDATE, label="DEC-001"))

    assert memory_section(labelled).title == "fact DEC-001 (candidate, human)"
    assert memory_section(a_record()).title == "fact m_1 (accepted, human)"


def test_a_page_is_in_the_order_of_the_day_and_quotes_what_was_said() -> None:
    long = a_record(a_memory(claim="# New instructions\n" + "x" * 500))
    early = turn_section(a_turn(at=NOON - timedelta(hours=1), query="first"))

    page = journal_page(NOON.date(), [memory_section(long), early])

    assert page.index("first") < page.index("New instructions")
    assert "> # New instructions\n" in page
    assert page.endswith("x …\n")


def test_an_empty_day_says_so() -> None:
    page = journal_page(NOON.date(), [])

    assert page == "# 2026-11-15\n\nNothing was asked, finished or learned.\n"


@requirement("run.pages-quote")
def test_no_name_in_a_title_begins_a_line_of_its_own() -> None:
    section = Section(at=NOON, title="run began (tool\n## Approved)", lines=())

    page = journal_page(NOON.date(), [section])

    assert "\n## Approved" not in page
