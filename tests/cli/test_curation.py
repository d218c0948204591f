"""What people decide: pin, link, approve, reject, forget, rate."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

from tests.cli.conftest import Filled
from tests.cli.program import Program
from tests.requirements import requirement

AGENT = {"HOLDFAST_ORIGIN": "agent"}
# As a word of its own: these three letters may also follow each other in a random id.
KEY = re.compile(r"\bkey\b")


def propose(program: Program, claim: str, *words: str) -> str:
    return program("remember", "--because", "x", *words, claim, env=AGENT).well().id


def status(program: Program, name: str) -> str:
    return str(program("show", name, "--json").well().json["data"]["status"])


def test_pin_and_unpin_a_memory_and_a_span(filled: Filled) -> None:
    program = filled.program

    assert "DEC-001" in program("pin", filled.memory, "--label", "DEC-001").well().out
    assert "pinned" in program("list", "--pinned").well().out
    assert program("unpin", filled.memory, "--json").well().json["data"]["pinned"] is False
    assert program("pin", "--span", filled.span, "--json").well().json["data"]["pinned"] is True
    assert program("unpin", filled.span).well().out.startswith("unpinned s_")
    assert program("pin").code == 2
    assert program("pin", filled.memory, "--span", filled.span).code == 2


@requirement("link.unique-by-ends-and-kind")
def test_link_related_and_unlink(filled: Filled) -> None:
    program, ends = filled.program, (filled.memory, filled.other)

    program("link", *ends, "--kind", "supports", "--score", "0.5").well()
    made = program("link", *ends, "--kind", "supports", "--score", "0.8", "--json").well().json
    neighbours = program("related", filled.memory, "--json").well().json["related"]
    from_there = program("related", filled.other).well().out
    removed = program("link", *ends, "--kind", "supports", "--remove").well().out
    again = program("link", *ends, "--kind", "supports", "--remove", "--json").well().json

    assert made["link"]["score"] == 0.8
    assert [one["link"]["score"] for one in neighbours] == [0.8]
    assert "supports (from it)" in from_there
    assert removed == "link removed\n"
    assert again["removed"] is False
    assert "No memory is linked" in program("related", filled.memory).well().err


@requirement("curation.only-candidates-decided")
def test_candidates_are_approved_and_rejected(program: Program) -> None:
    good = propose(program, "Good.")
    bad = propose(program, "Bad.")
    shown = program("show", good, "--json").json["data"]["content_hash"]

    stale = program("approve", good, "--hash", "0" * 64)
    program("approve", good, "--hash", shown).well()
    rejected = program("reject", bad, "--reason", "out of date", "--json").well().json

    assert stale.code == 5
    assert status(program, good) == "accepted"
    assert rejected["decided"][0]["reason"] == "out of date"
    assert rejected["decided"][0]["decided_by"] == "ada"
    assert program("approve", good).code == 4
    assert program("reject", bad).code == 4


def test_all_candidates_of_a_kind_can_be_approved(program: Program) -> None:
    claims = ("Ports leak.", "Caches lie.", "Clocks drift.")
    names = [propose(program, claim, "--kind", "gotcha") for claim in claims]
    fact = propose(program, "A fact.")

    unsaid = program("approve", "--all", "--kind", "gotcha")
    done = program("approve", "--all", "--kind", "gotcha", "--yes").well()

    assert unsaid.code == 2
    assert "--shown" in unsaid.err
    assert [line.split()[1] for line in done.out.splitlines()] == names
    assert status(program, fact) == "candidate"
    assert "No such candidates" in program("approve", "--all", "--kind", "rule").well().err
    assert program("approve").code == 2
    assert program("approve", fact, "--kind", "fact").code == 2


@requirement("curation.gone-evidence-left")
def test_approving_all_leaves_candidates_whose_evidence_is_gone(
    program: Program, repository: Path
) -> None:
    notes = repository / "notes.md"
    notes.write_text("The cache is warm after ten seconds and no sooner.\n", encoding="utf-8")
    words = ("remember", "--evidence", "notes.md:1", "The cache is warm after ten seconds.")
    gone = program(*words, env=AGENT).well().id
    stays = propose(program, "Ports leak.")
    notes.unlink()

    done = program("approve", "--all", "--yes").well()

    assert (status(program, stays), status(program, gone)) == ("accepted", "candidate")
    assert f"left for you: {gone}: its evidence is gone" in done.err
    assert program("approve", "--all", "--yes").well().out == ""
    program("approve", gone).well()
    assert status(program, gone) == "accepted"


@requirement("curation.gone-evidence-left")
def test_approving_all_takes_a_candidate_with_evidence_that_holds(
    program: Program, repository: Path
) -> None:
    for name in ("notes.md", "more.md"):
        text = f"The cache in {name} is warm after ten seconds and no sooner.\n"
        (repository / name).write_text(text, encoding="utf-8")
    claim = "The cache is warm after ten seconds."
    cited = ("--evidence", "notes.md:1", "--evidence", "more.md:1")
    half = program("remember", *cited, claim, env=AGENT).well().id
    gone = program("remember", "--evidence", "notes.md:1", "Caches warm.", env=AGENT).well().id
    (repository / "notes.md").unlink()

    shown = program("approve", "--all", "--dry-run").well()
    program("approve", "--all", "--yes").well()

    assert "some of its evidence is gone" in shown.out
    assert (half in shown.out, gone in shown.out) == (True, False)
    assert f"left for you: {gone}: its evidence is gone" in shown.err
    assert (status(program, half), status(program, gone)) == ("accepted", "candidate")


def test_a_slip_in_the_last_id_decides_nothing(program: Program) -> None:
    first = propose(program, "One.")

    assert program("approve", first, "m_none").code == 3
    assert program("reject", first, "m_none").code == 3
    assert status(program, first) == "candidate"


@requirement("forget.dry-run-changes-nothing")
def test_a_dry_run_shows_what_would_go(filled: Filled) -> None:
    told = filled.program("forget", "--id", filled.memory, "--dry-run").well().out
    shape = filled.program("forget", filled.memory, "--dry-run", "--json").well().json

    assert "would forget" in told
    assert "Refresh tokens rotate" in told
    assert shape["forgotten"][0]["memory"]["id"] == filled.memory
    assert status(filled.program, filled.memory) == "accepted"


@requirement("forget.leaves-tombstone")
def test_what_is_forgotten_is_gone_and_says_so(filled: Filled) -> None:
    program = filled.program

    slip = program("forget", filled.memory, "m_none")
    kept = status(program, filled.memory)
    told = program("forget", filled.memory, "--yes", "--reason", "wrong").well()
    gone = program("show", filled.memory)

    assert (slip.code, kept) == (3, "accepted")
    assert "Refresh tokens" not in told.out
    assert gone.code == 3
    assert "was forgotten on" in gone.err
    assert "forgotten since" in program("show", filled.bundle).well().out
    shape = program("forget", "--id", filled.other, "--yes", "--json").well().json
    gone_too = {
        "id": filled.other,
        "links": 0,
        "earlier": [],
        "nearly": [],
        "dry_run": False,
        "not_yet": "",
        "places": [],
    }
    assert shape == {"forgotten": [gone_too]}


@requirement("feedback.kept")
def test_feedback_is_kept_with_the_bundle_and_its_memories(filled: Filled) -> None:
    program = filled.program

    program("feedback", filled.bundle, "--good").well()
    told = program("feedback", filled.bundle, "--bad", "--json").well().json

    assert told == {"bundle_id": filled.bundle, "good": False}
    usage = program("show", filled.memory, "--json").json["data"]
    assert (usage["good"], usage["bad"]) == (0, 1)
    assert program("feedback", filled.bundle).code == 2


@requirement("session.turn-number")
def test_a_recorded_turn_is_told_by_its_number_in_the_session(filled: Filled) -> None:
    program = filled.program
    for question in ("one", "two"):
        program("session", "turn", filled.session, "--q", question).well()
    made = program("session", "start", "--json").well().json["session"]["id"]
    program("session", "did", made, "a", "--asked", "x").well()

    second = program("session", "turn", made, "--q", "b").well().out
    third = program("session", "turn", made, "--q", "c", "--json").well().json["turn"]
    rewound = program("session", "rewind", made, "--to-turn", "2")

    assert second == f"turn 2 of {made}\n"
    assert third["turn"] == 3
    assert third["id"] != 3
    assert rewound.code == 0, rewound.err


def test_sessions_start_turn_end_and_are_listed(filled: Filled) -> None:
    program = filled.program

    made = program("session", "start", "--json").well().json["session"]
    turn = program(
        "session", "turn", made["id"], "--q", "how", "--bundle", filled.bundle,
        "--satisfied", "no", "--notes", "not yet", "--json",
    ).well().json["turn"]  # fmt: skip
    page = program("show", made["id"]).well().out
    ended = program("session", "end", made["id"]).well().out
    late = program("session", "turn", made["id"], "--q", "too late")
    listed = program("session", "list").well().out

    assert (made["tool"], made["user"], made["branch"]) == ("shell", "ada", "main")
    assert (turn["satisfied"], turn["bundle_id"]) == (False, filled.bundle)
    assert "not yet" in page
    assert "ended" in ended
    assert late.code == 4
    assert [line.split("\t")[0] for line in listed.splitlines()] == [made["id"], filled.session]
    assert program("session", "turn", filled.session, "--q", " ").code == 2
    assert program("session", "turn", filled.session, "--q", "x", "--satisfied", "maybe").code == 2


@requirement("curation.keys-shown-where-they-are")
def test_a_rejected_or_replaced_memory_is_shown_without_the_key_it_no_longer_has(
    program: Program,
) -> None:
    old = program("remember", "--key", "db", "--because", "x", "We use Postgres.").well().id
    new = propose(program, "We use SQLite.", "--key", "db")

    done = program("resolve", new, old, "--keep-old").well()

    assert "rejected" in done.out
    assert not KEY.search(done.out)
    newer = propose(program, "We use DuckDB.", "--key", "db")
    merged = program("resolve", newer, old, "--merge", "We use both.").well()
    assert "superseded" in merged.out
    assert not KEY.search(merged.out)


@requirement("session.list-here")
def test_sessions_of_other_repositories_are_listed_only_if_asked(
    program: Program, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    subprocess.run(["git", "init", "-q", str(other)], check=True)  # noqa: S607 - git from the PATH
    elsewhere = replace(program, folder=other)
    away = elsewhere("session", "start", "--json").well().json["session"]["id"]
    nothing = program("session", "list")
    here = program("session", "start", "--json").well().json["session"]["id"]

    mine = program("session", "list").well().out
    every = program("session", "list", "--everywhere").well().out

    assert "--everywhere' lists those of other repositories" in nothing.err
    assert (here in mine, away in mine) == (True, False)
    assert (here in every, away in every) == (True, True)
    assert [one["id"] for one in program("session", "list", "--json").well().json["sessions"]] == [
        here
    ]
