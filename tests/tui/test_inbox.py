"""The Inbox: what it shows of a candidate, and what each key decides."""

from __future__ import annotations

from typing import cast

import pytest
from textual.pilot import Pilot

from holdfast.adapters.embedding import judging
from holdfast.surfaces.tui.application import HoldfastUi
from holdfast.surfaces.tui.inbox.pane import InboxPane
from holdfast.usecases.review import pair_reading
from tests.cli.program import Program
from tests.cli.test_curation import status
from tests.cli.waiting import AGENT, DAILY, HOURLY, Waiting, propose
from tests.requirements import requirement
from tests.sure_judge import SureJudge
from tests.tui.person import LARGE, SMALL, check_screen, use

RULE = "Always sign commits."
TRAP = "Replaying a token revokes the whole family."


def rows(screen: str) -> list[str]:
    """Return the claims of the list, in its order."""
    return [claim for line in screen.splitlines()[2:7] for claim in (DAILY, RULE, TRAP)
            if claim in line]  # fmt: skip


def to(waiting: Waiting, claim: str) -> list[str]:
    """Return the keys that make a claim the current one."""
    return ["j"] * rows(use(waiting.program).last).index(claim)


@requirement("ui.shows-what-a-decision-needs")
@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_the_inbox_shows_a_candidate_with_its_cited_lines(
    waiting: Waiting, size: tuple[int, int]
) -> None:
    seen = use(waiting.program, *to(waiting, TRAP), size=size).last

    assert "src/auth/tokens.py" in seen
    assert "41 │ token = rotate(41)" in seen
    check_screen(f"inbox-cited-{size[0]}", seen)


@requirement("ui.shows-what-a-decision-needs")
@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_a_conflict_is_shown_side_by_side(waiting: Waiting, size: tuple[int, int]) -> None:
    seen = use(waiting.program, *to(waiting, DAILY), size=size).last

    beside = [line for line in seen.splitlines() if HOURLY in line]
    assert DAILY in beside[0]
    check_screen(f"inbox-conflict-{size[0]}", seen)


@requirement("ui.shows-what-a-decision-needs")
def test_what_a_model_suspects_is_shown_and_a_still_approves(
    waiting: Waiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "carried_judge", SureJudge)
    judge = {"HOLDFAST_CONFLICTS_JUDGE": "wrack"}
    keys = to(waiting, TRAP)

    seen = use(waiting.program, *keys, size=LARGE, env=judge).last
    use(waiting.program, *keys, "a", env=judge)

    assert "advice" in seen
    assert "the model wrack reads these as contradicting" in seen
    assert HOURLY in seen
    assert "?" in next(line for line in seen.splitlines() if line.startswith("›"))
    assert status(waiting.program, waiting.trap) == "accepted"


@requirement("ui.shows-what-a-decision-needs")
def test_advice_stays_when_a_decision_is_taken_back(
    waiting: Waiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "carried_judge", SureJudge)
    judge = {"HOLDFAST_CONFLICTS_JUDGE": "wrack"}

    seen = use(waiting.program, *to(waiting, TRAP), "a", "u", size=LARGE, env=judge).last

    assert "taken back: approve" in seen
    assert "the model wrack reads these as contradicting" in seen


@requirement("conflict.advice-is-never-needed")
def test_the_inbox_says_what_the_model_did_not_read(
    waiting: Waiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "carried_judge", SureJudge)
    monkeypatch.setattr(pair_reading, "MOST_LETTERS", 1)
    judge = {"HOLDFAST_CONFLICTS_JUDGE": "wrack"}

    seen = use(waiting.program, size=LARGE, env=judge).last

    assert "left to read; the next call" in seen


@requirement("ui.shows-what-a-decision-needs")
def test_what_changed_since_the_proposal_is_shown(waiting: Waiting) -> None:
    cited = waiting.program.folder / "src" / "auth" / "tokens.py"
    text = cited.read_text(encoding="utf-8")
    cited.write_text(text.replace("rotate(45)", "renew(45)"), encoding="utf-8")

    seen = use(waiting.program, *to(waiting, TRAP), size=LARGE).last

    assert "its evidence has changed since" in seen
    assert "-token = rotate(45)" in seen
    assert "+token = renew(45)" in seen


@requirement("ui.single-keys-decide")
def test_a_approves_and_u_takes_it_back(waiting: Waiting) -> None:
    keys = to(waiting, TRAP)

    use(waiting.program, *keys, "a")
    accepted = status(waiting.program, waiting.trap)
    waiting.program("undo", waiting.trap).well()
    back = use(waiting.program, *keys, "a", "u").last

    assert accepted == "accepted"
    assert status(waiting.program, waiting.trap) == "candidate"
    assert "taken back: approve" in back
    assert TRAP in next(line for line in back.splitlines() if line.startswith("›"))


@requirement("ui.single-keys-decide")
def test_x_rejects_and_a_reason_can_be_given(waiting: Waiting) -> None:
    use(waiting.program, *to(waiting, TRAP), "x")
    use(waiting.program, *to(waiting, RULE), "X", "n", "o", "enter")

    assert status(waiting.program, waiting.trap) == "rejected"
    shown = waiting.program("show", waiting.rule, "--json").well().json["data"]
    assert shown["status"] == "rejected"
    assert ": no" in waiting.program("show", waiting.rule).well().out


@requirement("ui.single-keys-decide")
@pytest.mark.parametrize(
    ("keys", "old", "new"),
    [
        (("a", "n"), "superseded", "accepted"),
        (("a", "o"), "accepted", "rejected"),
        (("a", "b"), "accepted", "accepted"),
        (("a", "escape"), "accepted", "candidate"),
        (("x",), "accepted", "rejected"),
    ],
)
def test_a_conflict_is_resolved_by_one_more_key(
    waiting: Waiting, keys: tuple[str, ...], old: str, new: str
) -> None:
    use(waiting.program, *to(waiting, DAILY), *keys)

    assert status(waiting.program, waiting.stands) == old
    assert status(waiting.program, waiting.rival) == new


@requirement("ui.single-keys-decide")
def test_a_claim_is_edited_in_place(waiting: Waiting) -> None:
    keys = (*to(waiting, RULE), "e", "exclamation_mark", "ctrl+s")

    seen = use(waiting.program, *keys).last

    assert "edited" in seen
    found = waiting.program("list", "--json").well().json["memories"]
    assert f"{RULE}!" in [one["claim"] for one in found]


@pytest.mark.parametrize("keys", [("E",), ("e", "ctrl+e")])
def test_a_claim_is_edited_in_the_persons_editor(waiting: Waiting, keys: tuple[str, ...]) -> None:
    editor = waiting.program.home.parent / "editor"
    editor.write_text("#!/bin/sh\nprintf 'Sign by hand.' > \"$1\"\n", encoding="utf-8")
    editor.chmod(0o755)

    use(waiting.program, *to(waiting, RULE), *keys, env={"EDITOR": str(editor)})

    found = waiting.program("list", "--json").well().json["memories"]
    assert "Sign by hand." in [one["claim"] for one in found]


def test_an_editor_that_fails_changes_nothing(waiting: Waiting) -> None:
    seen = use(waiting.program, *to(waiting, RULE), "E", env={"EDITOR": "false"}).last

    assert "ended with exit code 1" in seen
    assert status(waiting.program, waiting.rule) == "candidate"


def test_escape_leaves_a_text_unchanged(waiting: Waiting) -> None:
    seen = use(waiting.program, *to(waiting, RULE), "e", "z", "escape").last

    assert "Nothing was changed." in seen
    assert status(waiting.program, waiting.rule) == "candidate"


def test_the_cited_file_is_opened_at_its_line(waiting: Waiting) -> None:
    log = waiting.program.home.parent / "log"
    editor = waiting.program.home.parent / "editor"
    editor.write_text(f'#!/bin/sh\necho "$@" > {log}\n', encoding="utf-8")
    editor.chmod(0o755)

    use(waiting.program, *to(waiting, TRAP), "o", env={"EDITOR": str(editor)})
    nothing = use(waiting.program, *to(waiting, RULE), "o", env={"EDITOR": str(editor)}).last

    assert log.read_text(encoding="utf-8").split() == [
        "+41",
        str(waiting.program.folder / "src" / "auth" / "tokens.py"),
    ]
    assert "It cites no lines" in nothing


@requirement("ui.single-keys-decide")
def test_two_marked_candidates_become_one(waiting: Waiting) -> None:
    places = sorted(len(to(waiting, claim)) for claim in (TRAP, RULE))
    marking = [*["j"] * places[0], "space", *["j"] * (places[1] - places[0] - 1), "space"]

    seen = use(waiting.program, *marking, "m", "ctrl+s").last

    assert "merged" in seen
    statuses = {status(waiting.program, one) for one in (waiting.trap, waiting.rule)}
    assert statuses == {"superseded"}


def test_a_conflict_can_be_merged(waiting: Waiting) -> None:
    use(waiting.program, *to(waiting, DAILY), "m", "ctrl+s")

    assert status(waiting.program, waiting.stands) == "superseded"
    assert status(waiting.program, waiting.rival) == "superseded"


def test_merging_needs_another_memory(waiting: Waiting) -> None:
    seen = use(waiting.program, *to(waiting, TRAP), "m").last

    assert "Mark two candidates" in seen


@requirement("ui.single-keys-decide")
def test_marked_candidates_are_decided_together_and_conflicts_are_left(waiting: Waiting) -> None:
    seen = use(waiting.program, "asterisk", "a", "y").last

    assert "1 left" in seen or "2 candidates accepted" in seen
    assert status(waiting.program, waiting.trap) == "accepted"
    assert status(waiting.program, waiting.rule) == "accepted"
    assert status(waiting.program, waiting.rival) == "candidate"


@requirement("curation.gone-evidence-left")
def test_what_has_lost_its_evidence_is_left_among_several(waiting: Waiting) -> None:
    (waiting.program.folder / "src" / "auth" / "tokens.py").unlink()

    together = use(waiting.program, "asterisk", "a", "y").last
    kept = status(waiting.program, waiting.trap)
    use(waiting.program, *to(waiting, TRAP), "a")

    assert "1 decided" in together
    assert (kept, status(waiting.program, waiting.rule)) == ("candidate", "accepted")
    assert status(waiting.program, waiting.trap) == "accepted"


def test_a_high_risk_among_several_is_confirmed(waiting: Waiting) -> None:
    seen = use(waiting.program, "asterisk", "a", "n").last

    assert "Nothing was changed." in seen
    assert status(waiting.program, waiting.trap) == "candidate"


def test_marks_by_risk_and_skips_decide_nothing(waiting: Waiting) -> None:
    risky = use(waiting.program, "exclamation_mark").last
    unmarked = use(waiting.program, "asterisk", "asterisk").last
    skipped = use(waiting.program, "s").last

    assert "1 marked" in risky
    assert "marked" not in unmarked.splitlines()[1]
    assert "3 waiting" in skipped


@requirement("ui.no-decision-twice")
def test_what_somebody_decided_meanwhile_is_said_and_not_decided_again(waiting: Waiting) -> None:
    async def decided_elsewhere(_pilot: Pilot[None]) -> None:
        done = waiting.program.start("reject", waiting.trap, "--reason", "no")
        assert done.code == 0

    seen = use(waiting.program, *to(waiting, TRAP), decided_elsewhere, "a").last

    assert "rejected" in seen
    assert TRAP not in "\n".join(seen.splitlines()[2:7])
    assert status(waiting.program, waiting.trap) == "rejected"


@requirement("ui.no-decision-twice")
def test_a_key_that_is_pressed_twice_at_once_decides_about_one(waiting: Waiting) -> None:
    async def twice(pilot: Pilot[None]) -> None:
        pilot.app.simulate_key("x")
        pilot.app.simulate_key("x")

    use(waiting.program, twice)

    found = waiting.program("undo", "--list", "--json").well().json["decisions"]
    assert len(found) == 2
    assert len({tuple(one["memories"]) if "memories" in one else str(one) for one in found}) == 2


@requirement("ui.agents-only-look")
@pytest.mark.parametrize("key", ["a", "x", "e", "m", "u", "X", "E"])
def test_an_agent_may_look_and_not_decide(waiting: Waiting, key: str) -> None:
    seen = use(waiting.program, key, env=AGENT).last

    assert "only a person decides" in seen
    listed = waiting.program("list", "--status", "candidate", "--json").well().json["memories"]
    assert len(listed) == 3


def test_a_proposal_to_forget_is_confirmed(waiting: Waiting) -> None:
    program = waiting.program
    program("forget", waiting.stands, "--propose", "--reason", "old", env=AGENT).well()
    place = next(
        number for number, line in enumerate(use(program).last.splitlines()[2:7])
        if "forget" in line.lower()
    )  # fmt: skip
    keys = ["j"] * place

    kept = use(program, *keys, "a", "n").last
    gone = use(program, *keys, "a", "y").last

    assert "Nothing was changed." in kept
    assert "forgotten" in gone
    assert program("show", waiting.stands).code == 3


def test_an_empty_inbox_says_so(program: Program) -> None:
    assert "No candidates are waiting here." in use(program).last


def test_more_candidates_are_read_when_the_end_is_near(program: Program) -> None:
    for number in range(70):
        propose(program, f"The port of service {number * 7919} is {number + 4000}.")

    watched = use(program, "end", "end")

    assert watched.ui is not None
    assert "70 waiting" in watched.last
    assert watched.ui.current.rows.count == 70


def test_the_first_screen_is_whole_before_every_fact_is_known(program: Program) -> None:
    for number in range(4):
        propose(program, f"The port of service {number * 7919} is {number + 4000}.")
    seen: list[tuple[int, str]] = []

    async def wait(pilot: Pilot[None]) -> None:
        pane = cast("InboxPane", cast("HoldfastUi", pilot.app).current)
        await pane._load(2)
        await pilot.pause()
        pane.rows.action_go(-1)
        pane.rows.action_move(1)
        rows = [pane.draw(index).plain for index in range(4)]
        seen.extend((pane.rows.at, row) for row in rows)

    use(program, wait)

    assert [row.lstrip()[:1] == "…" for _, row in seen] == [False, False, True, True]
    assert all("The port of service" in row for _, row in seen)
    assert {at for at, _ in seen} == {1}
