"""curate as a person meets it: findings, commands that run, a plan, a score, a page."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from holdfast.domain.review.curation import HealthPoint
from holdfast.surfaces.cli.present.review.curation import health_words, sparkline
from tests.builders import NOON
from tests.cli.program import Program
from tests.cli.test_curation import propose, status
from tests.cli.test_terminal import at_terminal
from tests.requirements import requirement

OFFSETS = "We keep feed offsets in Postgres because Redis lost them on a restart last May."
AGAIN = "We keep the feed offsets in Postgres because Redis lost them on restart last May."


@pytest.fixture
def ailing(program: Program) -> Program:
    """A store with one of nearly every trouble."""
    because = ("remember", "--because", "I decided")
    program(*because, "Tests are passing now.").well()
    program(*because, OFFSETS).well()
    program(*because, "--kind", "decision", AGAIN).well()
    program(*because, "Everything should stay nice everywhere.").well()
    program(*because, "--kind", "rule", "Commits are signed with the team's key.").well()
    program("remember", "--evidence", "src/auth/tokens.py:1-3", "Rotation starts at one.").well()
    program("remember", "--evidence", "src/auth/old.py", "The old file is magic.")
    program(*because, "--key", "rotation", "Tokens rotate hourly at minute five.").well()
    propose(program, "Tokens rotate daily at minute five.", "--key", "rotation")
    (program.folder / "src" / "auth" / "tokens.py").write_text("gone\n", encoding="utf-8")
    return program


def found(program: Program, *words: str) -> list[dict[str, Any]]:
    concerns = program("curate", "--json", *words).well().json["concerns"]
    assert isinstance(concerns, list)
    return concerns


def test_an_empty_store_is_healthy(program: Program) -> None:
    done = program("curate").well()

    assert done.out.endswith("100  of 100, 0 memories\n")
    assert "Nothing needs attention" in done.err


@requirement("curate.every-trouble-is-found")
@pytest.mark.parametrize(("many", "more"), [(3, "1 more conflict"), (4, "3 more conflicts")])
def test_conflicts_are_all_counted_though_a_memory_is_reported_once(
    program: Program, many: int, more: str
) -> None:
    for number in range(1, many + 1):
        claim = f"The read timeout is {number * 7} seconds."
        program("remember", "--because", "we agreed", claim).well()
    pairs = many * (many - 1) // 2

    found = program("curate").well()

    assert f"and {more} of these memories: holdfast conflicts" in found.err
    assert f"## Contradictions ({pairs})" in program("curate", "--digest").well().out
    assert len(program("conflicts", "--json").well().json["conflicts"]) == pairs


def test_findings_have_a_reason_and_a_command(ailing: Program) -> None:
    done = ailing("curate").well()

    for word in ("junk", "stale", "duplicate", "conflict", "over-general", "unchecked-rule"):
        assert word in done.out
    assert "$ holdfast curate --consolidate" in done.out
    assert [one["finding"] for one in found(ailing, "--kind", "junk")] == ["junk"]
    assert ailing("curate", "--kind", "guess").code == 2


@requirement("curate.commands-run-as-printed")
def test_every_command_runs_as_it_is_printed(ailing: Program) -> None:
    commands = [one["command"] for one in found(ailing)]

    for command in commands:
        name, *words = shlex.split(command)
        done = ailing(*words)
        assert name == "holdfast"
        assert done.code in {0, 1}, (command, done.err)  # 1 is verify's word for a drift
        assert "Traceback" not in done.err

    assert len(commands) >= 6
    left = {one["finding"]: one["command"] for one in found(ailing)}
    assert left.keys().isdisjoint({"junk", "duplicate", "over-general"})
    # Which of two claims stays is for a person to say, who sees both.
    assert left["conflict"].startswith("holdfast review m_")


@requirement("curate.changed-evidence")
@pytest.mark.parametrize(
    ("claim", "options"),
    [
        ("Rotation starts at one.", ()),
        ('Rotation\'s "start" costs $1 or `two`.', ("--kind", "gotcha", "--key", "start")),
        ("-1 is the first rotation.", ("--scope", "workspace")),
    ],
)
def test_changed_evidence_is_cited_again_with_the_printed_command(
    program: Program, claim: str, options: tuple[str, ...]
) -> None:
    cited = ("--evidence", "src/auth/tokens.py:1-3")
    name = program("remember", *cited, *options, "--", claim).well().id
    file = program.folder / "src" / "auth" / "tokens.py"
    file.write_text(file.read_text(encoding="utf-8").replace("1", "11", 1), encoding="utf-8")

    [kept] = said_in(program, "if it still holds")
    [ended] = said_in(program, "if it does not")
    assert program(*kept).well().id == name
    assert program("verify", name).code == 0
    shown = program("show", name).well().out
    assert "src/auth/tokens.py:1-3 — cited again since\n" in shown
    assert "src/auth/tokens.py:1-3 — fresh\n" in shown
    assert program("curate", "--kind", "stale").well().out.startswith("health")
    program(*ended).well()
    assert status(program, name) == "deprecated"


@requirement("curate.changed-evidence")
def test_a_candidate_with_changed_evidence_is_reviewed(program: Program) -> None:
    done = program(
        "remember", "--origin", "agent", "--evidence", "src/auth/tokens.py:1-3", "It rotates."
    ).well()
    file = program.folder / "src" / "auth" / "tokens.py"
    file.write_text(file.read_text(encoding="utf-8").replace("1", "11", 1), encoding="utf-8")

    assert said_in(program, "then") == [["review", done.id]]


def said_in(program: Program, case: str) -> list[list[str]]:
    """Return the commands that curate prints for a case, as a shell reads them."""
    lines = program("curate", "--kind", "stale").well().out.splitlines()
    found = [line.strip().partition(": ") for line in lines]
    return [shlex.split(command)[1:] for before, _, command in found if before == case]


@requirement("curate.only-what-can-be-undone")
def test_a_plan_is_shown_applied_and_taken_back(ailing: Program) -> None:
    planned = ailing("curate", "--apply", "--dry-run", "--json").well().json["plan"]
    before = found(ailing)

    assert "would consolidate" in ailing("curate", "--apply", "--dry-run").well().out
    assert ailing("curate", "--apply").code == 2
    assert found(ailing) == before
    done = ailing("curate", "--apply", "--yes", "--json").well().json

    assert len(done["decisions"]) == len(planned)
    ailing("undo", "--steps", str(len(planned))).well()
    assert [one["finding"] for one in found(ailing)] == [one["finding"] for one in before]


def test_at_a_terminal_it_asks(ailing: Program) -> None:
    refused = at_terminal(ailing, "curate", "--apply", typed="n\n")
    agreed = at_terminal(ailing, "curate", "--apply", typed="y\n")

    assert (refused.code, agreed.code) == (1, 0)
    assert "Nothing was changed" in refused.err
    assert "Make 3 changes? Everything can be undone." in agreed.err
    assert "to undo: holdfast undo d_" in agreed.err


def test_a_pin_that_drifted_is_let_go_and_the_way_back_is_told(program: Program) -> None:
    name = program(
        "remember", "--evidence", "src/auth/tokens.py:1-3", "Rotation starts at number one."
    ).well()
    shown = program("show", name.id, "--json").well().json
    span = shown["data"]["evidence"][0]["span"]
    program("pin", "--span", span, "--label", "contract").well()
    (program.folder / "src" / "auth" / "tokens.py").unlink()

    done = program("curate", "--apply", "--yes", "--kind", "moved-pin").well()

    assert f"to undo: holdfast pin --span {span}" in done.err
    assert found(program, "--kind", "moved-pin") == []
    assert "no changes to make" in program(
        "curate", "--apply", "--yes", "--kind", "moved-pin"
    ).well().err  # fmt: skip


@requirement("curate.never-decides-for-agents")
def test_an_agent_may_look_and_decide_nothing(ailing: Program) -> None:
    agent = {"CLAUDECODE": "1"}
    (junk,) = found(ailing, "--kind", "junk")
    name = junk["memories"][0]

    looked = ailing("curate", env=agent).well()
    tried = [
        ailing("curate", "--apply", "--yes", env=agent),
        ailing("curate", "--deprecate", name, env=agent),
    ]

    assert "junk" in looked.out
    assert all(one.code and "agents may only propose" in one.err for one in tried)
    assert status(ailing, name) == "accepted"


def test_a_person_ends_joins_and_merges(ailing: Program) -> None:
    (double,) = found(ailing, "--kind", "duplicate")
    (junk,) = found(ailing, "--kind", "junk")

    ended = ailing("curate", "--deprecate", junk["memories"][0], "--reason", "old", "--json").well()
    merged = ailing("curate", "--merge", "Offsets live in Postgres.", *double["memories"]).well()

    assert ended.json
    assert status(ailing, junk["memories"][0]) == "deprecated"
    assert "Offsets live in Postgres." in merged.out
    assert [status(ailing, name) for name in double["memories"]] == ["superseded"] * 2


@pytest.mark.parametrize(
    "words",
    [
        ("m_1",),
        ("--deprecate",),
        ("--deprecate", "--consolidate", "m_1", "m_2"),
        ("--digest", "--since", "never"),
        ("--digest", "--since", "soon"),
        ("--digest", "--output", "/nowhere/at/all/page.md"),
    ],
)
def test_words_that_make_no_sense_are_refused(program: Program, words: tuple[str, ...]) -> None:
    done = program("curate", *words)

    assert done.code
    assert "Traceback" not in done.err


@requirement("curate.health-over-time")
def test_the_score_is_shown_with_its_change(ailing: Program) -> None:
    first = ailing("curate", "--json").well().json["health"]["score"]
    ailing("curate", "--apply", "--yes").well()

    second = ailing("curate", "--json").well().json

    scores = [point["score"] for point in second["history"]]
    assert scores[0] == first < scores[-1] == second["health"]["score"]
    assert "(+0)" in ailing("curate").well().out


def test_scores_become_bars() -> None:
    points = [HealthPoint(at=NOON, place="", score=score, live=1) for score in (0, 50, 100, 97)]

    assert sparkline([0, 50, 100]) == "▁▅█"
    assert health_words(points) == "▁▅██ 97 (-3)"
    assert health_words(points[:1]) == "▁ 0"
    assert health_words([]) == ""


@requirement("curate.digest-is-short")
def test_the_page_for_the_week_is_short_however_much_there_is(
    ailing: Program, tmp_path: Path
) -> None:
    for number in range(30):
        claim = (
            f"Batch {number} of the importer {'abcdefghij'[number % 10] * 3} takes row {number}."
        )
        ailing("remember", "--because", "I saw it", claim).well()
        propose(ailing, f"Queue {number} of the {'klmnopqrst'[number % 10] * 3} sends {number}.")

    page = ailing("curate", "--digest").well().out
    ailing("curate", "--digest", "--output", str(tmp_path / "week.md")).well()
    as_json = ailing("curate", "--digest", "--json").well().json

    assert len(page.splitlines()) <= 120
    for title in ("Learned", "Waiting for you", "Contradictions", "Gone stale", "Health"):
        assert f"## {title}" in page
    assert "… and " in page
    assert (tmp_path / "week.md").read_text(encoding="utf-8").startswith("# Memory, ")
    assert as_json["page"].startswith("# Memory, ")
