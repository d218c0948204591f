"""A run as a value, as JSON and as a page."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from holdfast.domain.errors import InvalidError
from holdfast.domain.pages.run_page import DRAFTED, drafted_summary, run_page
from holdfast.domain.sessions.run import (
    Note,
    RunStatus,
    as_transcript,
    next_label,
    run_from_json,
    run_json,
)
from tests.builders import NOON, a_run
from tests.requirements import requirement

DAY = date(2026, 1, 27)
NOTED = (Note(at=NOON, text="Batches of\n500 are enough."),)


def test_labels_count_through_a_day() -> None:
    taken = {"run-2026-01-27-1", "run-2026-01-27-2"}

    assert next_label(DAY, lambda _: False) == "run-2026-01-27-1"
    assert next_label(DAY, taken.__contains__) == "run-2026-01-27-3"


def test_a_run_comes_back_from_its_json() -> None:
    run = a_run(notes=NOTED, status=RunStatus.ABANDONED, finished_at=NOON, files=("a.py",))

    assert run_from_json(run_json(run)) == run


def test_a_status_nobody_knows_is_refused() -> None:
    with pytest.raises(InvalidError, match="status of a run"):
        run_from_json(run_json(a_run()) | {"status": "lost"})


def test_a_draft_is_made_of_goal_notes_and_commits() -> None:
    run = a_run(goal="Mend the feed", notes=NOTED, commits=("abc Keep the offset",))

    assert drafted_summary(run) == (
        "Goal: Mend the feed\n\n- Batches of 500 are enough.\n\nCommits:\n- Keep the offset"
    )
    assert drafted_summary(a_run()) == "Nothing was noted and nothing was committed."


def test_a_page_names_the_run_and_what_it_rests_on() -> None:
    run = a_run(
        goal='Mend "the feed"',
        summary="Offsets live in the feed.",
        status=RunStatus.FINISHED,
        finished_at=NOON + timedelta(hours=1),
        head="1" * 40,
        notes=NOTED,
        commits=("abc Keep the offset",),
        files=tuple(f"f{number}.py" for number in range(42)),
    )

    page = run_page(run)

    assert page.startswith('---\nid: "run-2026-11-15-1"\nuid: "r_1"\ntype: "run"\n')
    assert 'head: "111111111111"\n---\n\nGoal: Mend "the feed"\n' in page
    assert "## What changed and why\n\nOffsets live in the feed.\n" in page
    assert "- 12:00 Batches of 500 are enough." in page
    assert "- abc Keep the offset" in page
    assert page.endswith("- f39.py\n- and 2 more\n")


def test_an_open_run_and_a_draft_say_so() -> None:
    assert "Still open." in run_page(a_run(branch=None))
    assert DRAFTED in run_page(a_run(summary="x", is_drafted=True))


@requirement("run.pages-quote")
def test_no_fact_of_a_run_begins_a_line_of_its_own() -> None:
    run = a_run(tool='x"\n---\n## Approved', files=("a\n## Approved",))

    page = run_page(run)

    assert "\n## Approved" not in page
    assert page.count("\n---\n") == 1


def test_a_run_is_heard_as_its_notes_and_its_summary() -> None:
    notes = (Note(at=NOON, text="Batches of 500 are enough."),)
    run = a_run(notes=notes, summary="We store offsets in the feed.", is_drafted=False)

    talk = as_transcript(run)

    assert [turn.text for turn in talk.turns] == [notes[0].text, "We store offsets in the feed."]
    assert (talk.tool, talk.session, talk.source) == ("run", run.label, run.id)


def test_a_draft_says_nothing_that_the_notes_do_not() -> None:
    run = a_run(notes=(Note(at=NOON, text="One."),), summary="- One.", is_drafted=True)

    assert [turn.text for turn in as_transcript(run).turns] == ["One."]
