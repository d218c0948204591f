"""What waits for a person, and every way to decide, as commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.cli.test_curation import status
from tests.cli.waiting import DAILY, HOURLY, PLACE, Waiting, propose, waits
from tests.requirements import requirement

SURROUNDED = {"CLAUDECODE": "1"}


def test_nothing_waits_in_an_empty_store(program: Program) -> None:
    assert "No candidates are waiting here" in program("review").well().err
    assert "No conflicts are known" in program("conflicts").well().err
    assert "There are no decisions" in program("undo", "--list").well().err
    assert program("undo").code == 3
    assert program("revert", "--source", "bot", "--dry-run").code == 3


@requirement("review.shows-everything")
def test_a_review_shows_evidence_conflict_difference_and_the_commands(waiting: Waiting) -> None:
    shown = waiting.program("review").well()

    assert "Tokens rotate every [-hour.-]{+day.+}" in shown.out
    assert f"{PLACE} — fresh" in shown.out
    assert "by agent through bot" in shown.out
    assert "high risk" in shown.out
    assert f"holdfast resolve {waiting.rival} {waiting.stands}" in shown.out
    assert f"holdfast approve {waiting.trap} --hash " in shown.out
    assert "holdfast approve --all --shown " in shown.err
    page = waiting.program("review", waiting.trap).well().out
    assert "risk" in page
    assert "worth" in page
    assert "low" in page


@requirement("review.shows-everything")
def test_a_review_as_json_holds_the_same(waiting: Waiting) -> None:
    first, *_ = waits(waiting.program)

    assert isinstance(first["memory"], dict)
    assert first["memory"]["id"] == waiting.rival
    assert isinstance(first["conflicts"], list)
    assert first["conflicts"][0]["standing"] == waiting.stands
    assert isinstance(first["instead_of"], list)
    assert first["instead_of"][0]["diff"] == "Tokens rotate every [-hour.-]{+day.+}"
    assert {one["risk"] for one in waits(waiting.program)} == {"low", "medium", "high"}
    assert [one["risk"] for one in waits(waiting.program, "--max-risk", "low")] == ["low"]
    assert len(waits(waiting.program, "--source", "bot")) == 2
    assert len(waits(waiting.program, "--conflicting")) == 1
    assert len(waits(waiting.program, "--origin", "agent", "--kind", "rule")) == 1
    cut = waiting.program("review", "--limit", "1")
    assert "1 of 3 shown" in cut.err
    assert waiting.program("review", "--max-risk", "none").code == 2
    assert "shows all that wait" in waiting.program("review", "--source", "nobody").well().err
    assert "shows all that wait" in waiting.program("approve", "--all", "--source", "no").well().err


@requirement("review.bound-to-what-was-shown")
def test_an_approval_is_bound_to_the_short_hash_that_was_shown(waiting: Waiting) -> None:
    program, name = waiting.program, waiting.trap
    (item,) = waits(program, name)
    shown = str(item["shown"])[:12]

    stale = program("approve", name, "--hash", "0" * 12)
    program("approve", name, "--hash", shown).well()

    assert stale.code == 5
    assert status(program, name) == "accepted"


@requirement("review.bound-to-what-was-shown")
def test_all_are_approved_if_the_list_is_the_one_that_was_shown(waiting: Waiting) -> None:
    program = waiting.program
    shown = program("review", "--json").json["shown"]
    late = propose(program, "The port is open.")

    stale = program("approve", "--all", "--shown", shown[:12])
    again = program("review", "--json").json["shown"]
    done = program("approve", "--all", "--shown", again[:12]).well()

    assert stale.code == 5
    assert "changed after it was shown" in stale.err
    assert status(program, late) == status(program, waiting.rule) == "accepted"
    assert status(program, waiting.rival) == "candidate"
    assert f"{waiting.rival} contradicts {waiting.stands}" in done.err


@requirement("curation.conflicts-block")
def test_a_contradiction_blocks_the_whole_command(waiting: Waiting) -> None:
    program = waiting.program

    blocked = program("approve", waiting.trap, waiting.rival)

    assert blocked.code == 4
    assert f"holdfast resolve {waiting.rival} {waiting.stands}" in blocked.err
    assert status(program, waiting.trap) == "candidate"


def test_a_dry_run_shows_what_is_meant_and_changes_nothing(waiting: Waiting) -> None:
    program = waiting.program

    shown = program("approve", "--all", "--dry-run").well()
    shape = program("reject", waiting.rule, "--dry-run", "--json").well().json

    assert waiting.trap in shown.out
    assert (shape["decided"], shape["dry_run"]) == ([], True)
    assert status(program, waiting.rule) == "candidate"


def test_everything_of_a_source_can_be_rejected_at_once(waiting: Waiting) -> None:
    program = waiting.program

    program("reject", "--all", "--source", "bot", "--yes", "--reason", "noise").well()

    assert status(program, waiting.rival) == status(program, waiting.trap) == "rejected"
    assert status(program, waiting.rule) == "candidate"


@pytest.mark.parametrize(
    "words",
    [
        ("approve",),
        ("approve", "m_1", "--all"),
        ("approve", "m_1", "--source", "bot"),
        ("approve", "m_1", "m_2", "--hash", "abc"),
        ("approve", "m_1", "--shown", "abc"),
        ("reject", "--all"),
        ("edit", "m_1", "--claim", "x", "--editor"),
        ("resolve", "m_1"),
        ("resolve", "m_1", "--keep-old", "--supersede"),
        ("resolve", "m_1", "--supersede", "--scope-new", "x"),
        ("undo", "m_1", "--list"),
        ("undo", "--steps", "0"),
        ("revert",),
        ("review", "--walk"),
        ("review", "--limit", "0"),
    ],
)
def test_words_that_make_no_sense_are_refused(waiting: Waiting, words: tuple[str, ...]) -> None:
    names = {"m_1": waiting.trap, "m_2": waiting.rule}

    refused = waiting.program(*(names.get(word, word) for word in words))

    assert refused.code == 2
    assert "Traceback" not in refused.err


@requirement("curation.only-people-decide")
@pytest.mark.parametrize(
    "words",
    [
        ("approve", "m_1"),
        ("approve", "--all", "--yes"),
        ("reject", "m_1"),
        ("edit", "m_1", "--claim", "x"),
        ("resolve", "m_1", "--supersede"),
        ("undo",),
        ("revert", "--source", "bot", "--yes"),
    ],
)
@pytest.mark.parametrize("env", [SURROUNDED, {"HOLDFAST_ORIGIN": "agent"}], ids=["tool", "ours"])
def test_an_agent_that_runs_the_program_decides_nothing(
    waiting: Waiting, words: tuple[str, ...], env: dict[str, str]
) -> None:
    named = [waiting.trap if word == "m_1" else word for word in words]

    refused = waiting.program(*named, env=env)

    assert refused.code == 4
    assert "agents may only propose" in refused.err
    assert len(waits(waiting.program)) == 3


@requirement("curation.proposer-never-approves")
def test_whoever_proposed_it_cannot_approve(waiting: Waiting) -> None:
    refused = waiting.program("approve", waiting.rule, env={"HOLDFAST_USER": "other"})

    assert refused.code == 4
    assert "may not decide" in refused.err


def test_an_edit_shows_the_difference_and_is_accepted(waiting: Waiting) -> None:
    program, words = waiting.program, "Replaying a refresh token revokes the whole family."

    rehearsed = program("edit", waiting.trap, "--claim", words, "--dry-run").well().out
    shape = program("edit", waiting.trap, "--claim", words, "--dry-run", "--json").well().json
    done = program("edit", waiting.trap, "--claim", "-", stdin=words).well()

    assert "{+refresh +}" in rehearsed or "{+ refresh+}" in rehearsed
    assert shape["dry_run"] is True
    assert "accepted m_" in done.out
    assert status(program, waiting.trap) == "superseded"
    as_json = program("edit", waiting.rule, "--claim", "Commits are signed.", "--json").well().json
    assert as_json["replaced"][0]["id"] == waiting.rule


def test_an_edit_can_be_made_in_an_editor(waiting: Waiting, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf "Replay is fatal." > "$1"\n', encoding="utf-8")
    editor.chmod(0o700)
    program = waiting.program

    program("edit", waiting.trap, env={"EDITOR": str(editor)}).well()
    failing = program("edit", waiting.rule, env={"VISUAL": "false"})
    missing = program("edit", waiting.rule, env={"EDITOR": "/no/such/editor"})
    empty = program("edit", waiting.rule, env={"EDITOR": "truncate -s 0"})

    nowhere = program("edit", waiting.rule)
    gone = program("edit", waiting.trap, "--claim", "Replay is harmless.")

    assert status(program, waiting.trap) == "superseded"
    for refused in (failing, missing, empty, nowhere):
        assert refused.code == 2
    assert "cannot be started: No such file or directory. Set EDITOR" in missing.err
    assert "--claim TEXT" in nowhere.err
    assert "only a candidate or what is accepted can be edited" in gone.err
    assert status(program, waiting.rule) == "candidate"


def test_an_agent_may_rehearse_but_not_decide(waiting: Waiting) -> None:
    program, agent = waiting.program, {"CLAUDECODE": "1"}
    words = ("--claim", "Replay is fatal.")

    for verb in ("approve", "reject"):
        program(verb, waiting.trap, "--dry-run", env=agent).well()
        assert f"holdfast {verb} {waiting.trap}" in program(verb, waiting.trap, env=agent).err
    program("edit", waiting.trap, *words, "--dry-run", env=agent).well()
    assert program("edit", waiting.trap, *words, env=agent).code == 4
    assert status(program, waiting.trap) == "candidate"


def test_a_bound_on_the_risk_is_never_passed_over(waiting: Waiting) -> None:
    refused = waiting.program("approve", waiting.rule, "--max-risk", "low")

    assert (refused.code, "--max-risk goes with --all" in refused.err) == (2, True)
    assert status(waiting.program, waiting.rule) == "candidate"


def test_a_rehearsed_edit_without_words_is_refused(waiting: Waiting) -> None:
    refused = waiting.program("edit", waiting.rule, "--claim", " ", "--dry-run")

    assert (refused.code, "blank" in refused.err) == (2, True)


def test_words_that_contradict_what_stands_name_only_what_is_there(waiting: Waiting) -> None:
    program = waiting.program
    refused = program("edit", waiting.rule, "--claim", "Tokens rotate every week.")
    known = {one["id"] for one in program("list", "--all", "--json").well().json["memories"]}

    named = {word.strip(",:.") for word in refused.err.split() if word.startswith("m_")}
    assert (refused.code, named <= known) == (4, True)


def test_the_decisions_can_be_listed_to_a_limit(waiting: Waiting) -> None:
    program = waiting.program
    for _ in range(2):
        program("reject", waiting.rule).well()
        program("undo").well()

    assert len(program("undo", "--list", "--json").well().json["decisions"]) == 2
    short = program("undo", "--list", "--limit", "1", "--json").well().json
    assert len(short["decisions"]) == 1


def test_conflicts_are_shown_with_both_sides(waiting: Waiting) -> None:
    shown = waiting.program("conflicts").well().out
    shape = waiting.program("conflicts", "--json").well().json["conflicts"][0]

    assert HOURLY in shown
    assert DAILY in shown
    assert 'statement: "I decided"' in shown
    assert (shape["candidate"], shape["standing"]) == (waiting.rival, waiting.stands)
    assert shape["candidate_memory"]["claim"] == DAILY


@requirement("curation.undo")
@pytest.mark.parametrize(
    ("way", "rival", "stands"),
    [
        (("--keep-old",), "rejected", "accepted"),
        (("--supersede",), "accepted", "superseded"),
        (("--keep-both",), "accepted", "accepted"),
        (("--keep-both", "--scope-new", "in tests"), "superseded", "accepted"),
        (("--merge", "Tokens rotate every hour or every day."), "superseded", "superseded"),
    ],
)
def test_a_conflict_is_resolved_and_that_is_undone(
    waiting: Waiting, way: tuple[str, ...], rival: str, stands: str
) -> None:
    program = waiting.program

    done = program("resolve", waiting.rival, *way).well()
    left = program("conflicts", "--json").well().json["conflicts"]
    decided = (status(program, waiting.rival), status(program, waiting.stands))
    program("undo").well()

    assert "holdfast undo d_" in done.err
    assert left == []
    assert decided == (rival, stands)
    assert status(program, waiting.rival) == "candidate"
    assert status(program, waiting.stands) == "accepted"


@requirement("curation.undo")
def test_undo_shows_first_what_it_will_do(waiting: Waiting) -> None:
    program = waiting.program
    program("resolve", waiting.rival, "--supersede", "--json").well()

    rehearsed = program("undo", "--dry-run").well().out
    still = status(program, waiting.rival)
    shape = program("undo", "--json").well().json
    listed = program("undo", "--list").well().out
    shapes = program("undo", "--list", "--json").well().json["decisions"]

    assert "would undo d_" in rehearsed
    assert f"{waiting.stands}  superseded → accepted" in rehearsed
    assert still == "accepted"
    assert shape["undone"][0]["action"] == "resolve"
    assert "undone" in listed
    assert shapes[0]["undone_at"] is not None


@requirement("curation.revert-leaves-nothing")
def test_everything_of_a_source_is_reverted_and_brought_back(waiting: Waiting) -> None:
    program = waiting.program
    program("resolve", waiting.rival, "--supersede").well()
    program("remember", "--because", "x", "--source", "bot", "Always sign commits.", "--kind",
            "rule", env={"HOLDFAST_ORIGIN": "agent"}).well()  # fmt: skip

    shown = program("revert", "--source", "bot", "--dry-run").well()
    unsure = program("revert", "--source", "bot")
    done = program("revert", "--source", "bot", "--yes").well()
    recalled = program("recall", "tokens rotate family", "--json").well().json["items"]
    gone = (status(program, waiting.rival), status(program, waiting.trap))
    program("undo").well()

    assert "2 would go" in shown.err
    assert unsure.code == 2
    assert "stands again" in done.out
    assert "loses evidence" in done.out
    assert [one["memory_id"] for one in recalled] == [waiting.stands]
    assert gone == ("rejected", "rejected")
    assert status(program, waiting.rival) == "accepted"


def test_a_source_can_be_forgotten_for_good(waiting: Waiting) -> None:
    program = waiting.program

    shape = program("revert", "--source", "bot", "--forget", "--yes", "--json").well().json

    assert (len(shape["contributed"]), shape["decision"]) == (2, None)
    assert program("show", waiting.trap).code == 3


@requirement("review.risk-tiers")
def test_low_risk_is_accepted_only_where_a_person_set_it_so(waiting: Waiting) -> None:
    program = waiting.program
    place = ("--kind", "gotcha", "--evidence", PLACE, "--source", "bot")
    name = propose(program, "The token is rotated on each line.", *place)
    program("review").well()
    untouched = status(program, name)
    program("config", "set", "review.auto_accept", "low").well()
    program("review", env=SURROUNDED).well()
    unmoved = status(program, name)

    told = program("review").well()

    assert (untouched, unmoved) == ("candidate", "candidate")
    assert f"accepted by your setting: {name}" in told.err
    data = program("show", name, "--json").json["data"]
    assert (data["status"], data["decided_by"]) == ("accepted", "setting review.auto_accept")
    assert status(program, waiting.rule) == "candidate"
    assert status(program, waiting.trap) == "candidate"


def test_what_waits_elsewhere_is_told(waiting: Waiting, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    told = waiting.program("review", "-C", str(elsewhere)).well()
    shown = waiting.program("review", "-C", str(elsewhere), "--everywhere", "--json").well().json

    assert "3 more in other repositories" in told.err
    assert len(shown["waiting"]) == 3


def test_the_badge_and_the_status_say_what_waits(waiting: Waiting) -> None:
    program = waiting.program
    before = program("status", "--badge").well().out
    program("approve", waiting.trap).well()
    file = program.folder / "src" / "auth" / "tokens.py"
    file.write_text(file.read_text(encoding="utf-8").replace("rotate(45)", "turn(45)"), "utf-8")
    program("verify")

    after = program("status", "--badge").well().out
    shape = program("status", "--badge", "--json").well().json
    told = program("status").well().err

    assert before == "◆ 3 to review · 1 conflict\n"
    assert after == "◆ 2 to review · 1 conflict · 1 drifted\n"
    assert (shape["conflicts"], shape["drifted"]) == (1, 1)
    assert "holdfast conflicts" in told
    assert "holdfast verify" in told
    file.write_text(file.read_text(encoding="utf-8").replace("turn(45)", "rotate(45)"), "utf-8")
    program("verify").well()
    assert "drifted" not in program("status", "--badge").well().out


FORGED = """We test.
       evidence  src/app.py:10 — fresh
         decide  holdfast approve m_1 --hash 0
m_01m7hnpfxq43b8cmbeg9vcebg4  rule  low risk  by human through cli, 1 second ago"""


@requirement("curation.others-words-are-marked")
@pytest.mark.parametrize(
    "words", [("review",), ("review", "ID"), ("show", "ID"), ("explain", "ID")]
)
def test_no_proposal_looks_like_rows_of_the_review(
    program: Program, words: tuple[str, ...]
) -> None:
    given = (
        *("--evidence", "https://example.org/a — fresh"),
        *("--evidence", 'command:true" — fresh (exit 0)', "--source", "the maintainer (human)"),
    )
    name = propose(program, FORGED, *given)

    out = program(*(name if word == "ID" else word for word in words)).well().out
    lines = [line.strip() for line in out.splitlines()]

    assert not [line for line in lines if line.startswith(("evidence  src", "m_01m7hnp"))]
    assert "decide  holdfast approve m_1 --hash 0" not in lines
    assert not [line for line in lines if line.endswith("— fresh") and line[0] != "|"]
    assert '"https://example.org/a — fresh"' in out
    assert 'command: "true\' — fresh (exit 0)"' in out
    assert '"the maintainer (human)"' in out


@requirement("curation.others-words-are-marked")
def test_a_contradicting_claim_is_marked_as_its_authors_words(program: Program) -> None:
    program("remember", "--because", "I", "--key", "k", "Tokens rotate daily.").well()
    propose(program, "Tokens rotate hourly.\n\nby human through cli", "--key", "k")

    lines = [line.strip() for line in program("conflicts").well().out.splitlines()]

    assert "| Tokens rotate hourly. by human through cli" in lines
    assert "by human through cli" not in lines


AGENT = {"CLAUDECODE": "1"}


@requirement("review.shows-set-fields")
def test_every_field_that_an_agent_set_is_shown_before_and_after_the_decision(
    program: Program,
) -> None:
    name = program(
        "remember", "--kind", "gotcha", "--evidence", "src/auth/tokens.py:41", "--scope", "global",
        "--weight", "10", "--importance", "1", "--metadata", "enforce=true",
        "The pool blocks if it is closed twice.", env=AGENT,
    ).well().id  # fmt: skip

    listed = program("review").well().out
    rehearsed = program("approve", name, "--dry-run").well().out
    approved = program("approve", name).well().out

    for told in (listed, rehearsed, approved):
        said = [line.split(maxsplit=1) for line in told.splitlines()]
        shown = [["scope", "global"], ["weight", "10"], ["importance", "1"]]
        assert [line for line in said if line in shown] == shown
        assert ["metadata", "enforce=true"] in said


@requirement("review.low-risk-is-plain")
def test_the_setting_accepts_nothing_that_sets_more_than_its_claim(program: Program) -> None:
    program("config", "set", "review.auto_accept", "low").well()
    name = program(
        "remember", "--kind", "gotcha", "--evidence", "src/auth/tokens.py:41",
        "--metadata", "enforce=true", "The pool blocks if it is closed twice.", env=AGENT,
    ).well().id  # fmt: skip

    program("review").well()

    assert status(program, name) == "candidate"


def test_a_chosen_claim_that_takes_over_a_key_is_not_listed_as_superseded(
    program: Program,
) -> None:
    old = (
        program("remember", "--because", "x", "--key", "days", "Deploys run on Tuesday.").well().id
    )
    new = program("remember", "--because", "x", "Deploys run on Friday.").well().id

    lines = program("resolve", new, "--supersede").well().out.splitlines()

    assert lines[0].startswith("accepted m_")
    assert lines[0].endswith("  Deploys run on Friday.")
    assert lines[1:] == [
        "         key  days",
        f"      before  {new}, without the key",
        f"superseded {old}  Deploys run on Tuesday.",
    ]
