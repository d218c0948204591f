"""What waits for a person, at a terminal: questions, walks, columns and colours."""

from __future__ import annotations

import json
import signal
import time

import pytest

from tests.cli.program import Program
from tests.cli.test_curation import status
from tests.cli.test_terminal import ESCAPE, at_terminal
from tests.cli.typist import PROMPT, typist
from tests.cli.waiting import DAILY, HOURLY, Waiting, propose, waits
from tests.patience import PAUSE
from tests.requirements import requirement

SURROUNDED = {"CLAUDECODE": "1"}


def test_a_wide_terminal_shows_the_sides_beside_each_other(waiting: Waiting) -> None:
    wide = at_terminal(waiting.program, "conflicts", NO_COLOR="1").well().out
    narrow = at_terminal(waiting.program, "conflicts", NO_COLOR="1", COLUMNS="60").well().out

    beside = [line for line in wide.splitlines() if DAILY in line]
    assert HOURLY in beside[0]
    assert not [line for line in narrow.splitlines() if DAILY in line and HOURLY in line]


def test_approving_all_asks_a_person_at_a_terminal(waiting: Waiting) -> None:
    refused = at_terminal(waiting.program, "approve", "--all", typed="n\n")
    kept = status(waiting.program, waiting.rule)
    agreed = at_terminal(waiting.program, "approve", "--all", typed="y\n")

    assert (refused.code, kept, agreed.code) == (1, "candidate", 0)
    assert "Accept these 3 candidates? [y/N]" in refused.err
    assert status(waiting.program, waiting.rule) == "accepted"
    waiting.program("undo", waiting.rule).well()
    listed = waiting.program("list", "--status", "candidate", "--json").well().json["memories"]
    others = [one["id"] for one in listed if one["id"] != waiting.rule]
    waiting.program("reject", *others, "--reason", "no").well()
    one = at_terminal(waiting.program, "approve", "--all", typed="n\n")
    assert "Accept this candidate? [y/N]" in one.err


@requirement("curation.gone-evidence-left")
def test_the_question_counts_only_what_would_be_accepted(waiting: Waiting) -> None:
    (waiting.program.folder / "src" / "auth" / "tokens.py").unlink()

    asked = at_terminal(waiting.program, "approve", "--all", typed="n\n")

    assert f"left for you: {waiting.trap}: its evidence is gone" in asked.err
    assert "Accept these 2 candidates? [y/N]" in asked.err


@requirement("curation.only-people-decide")
def test_a_person_in_an_agents_shell_says_so_at_the_terminal(waiting: Waiting) -> None:
    words = ("approve", waiting.trap)

    refused = at_terminal(waiting.program, *words, typed="yes\n", **SURROUNDED)
    agreed = at_terminal(waiting.program, *words, typed="I am a person\n", **SURROUNDED)

    assert (refused.code, agreed.code) == (4, 0)
    assert status(waiting.program, waiting.trap) == "accepted"


def test_a_revert_asks_a_person_at_a_terminal(waiting: Waiting) -> None:
    refused = at_terminal(waiting.program, "revert", "--source", "bot", typed="\n")
    kept = status(waiting.program, waiting.trap)
    agreed = at_terminal(waiting.program, "revert", "--source", "bot", typed="y\n")

    assert (refused.code, kept, agreed.code) == (1, "candidate", 0)
    assert status(waiting.program, waiting.trap) == "rejected"


def editor(waiting: Waiting, text: str) -> str:
    """Return an editor that leaves a text."""
    script = waiting.program.home.parent / "editor"
    script.write_text(f"#!/bin/sh\nprintf '%s\\n' '{text}' > \"$1\"\n")
    script.chmod(0o755)
    return str(script)


@requirement("review.single-keys")
def test_a_walk_decides_one_by_one_by_single_keys(waiting: Waiting) -> None:
    program = waiting.program
    order = [one["memory"] for one in waits(program)]
    names = [one["id"] for one in order if isinstance(one, dict)]
    assert names == [waiting.rival, waiting.trap, waiting.rule]

    with typist(program, "review", "--walk") as person:
        torn = person.at_prompt("n")
        plain = person.at_prompt("a")
        person.at_prompt("r")
        person.until("why")
        person.types("not ours\n")
        assert person.end() == 0

    assert "[n] new  [k] keep  [b] both" in torn
    assert "41 | token = rotate(41)" in plain
    assert "[a] approve  [r] reject" in plain
    assert "3 of 3 decided" in person.seen
    assert status(program, waiting.rival) == "accepted"
    assert status(program, waiting.stands) == "superseded"
    assert status(program, waiting.rule) == "rejected"
    assert status(program, waiting.trap) == "accepted"
    reason = program("show", waiting.rule, "--json").json["data"]["reason"]
    assert reason == "not ours"
    decisions = program("undo", "--list", "--json").json["decisions"]
    assert [one["action"] for one in decisions] == ["reject", "approve", "resolve"]


@requirement("review.single-keys")
def test_a_walk_edits_skips_goes_back_complains_and_stops(waiting: Waiting) -> None:
    program = waiting.program
    same = editor(waiting, "Replaying a token revokes the whole family.")

    with typist(program, "review", "--walk", EDITOR=same) as person:
        person.at_prompt(" ")
        person.at_prompt("p")
        person.at_prompt("s")
        person.at_prompt("\x1b[A?")
        keys = person.at_prompt("e")
        person.at_prompt("q")
        assert person.end() == 0

    assert "undo the last decision of this walk" in keys
    assert "is unchanged" in person.seen
    assert "0 of 3 decided" in person.seen
    with typist(program, "review", "--walk", EDITOR=editor(waiting, "Replay is fatal.")) as person:
        person.at_prompt("s")
        person.at_prompt("e")
        person.at_prompt("q")
        assert person.end() == 0
    assert "1 of 3 decided" in person.seen
    assert status(program, waiting.rival) == "candidate"
    assert status(program, waiting.trap) == "superseded"
    assert status(program, waiting.rule) == "candidate"


@requirement("review.single-keys")
def test_no_head_of_a_walk_is_wider_than_the_terminal(waiting: Waiting) -> None:
    with typist(waiting.program, "review", "--walk", COLUMNS="60", NO_COLOR="1") as person:
        shown = person.at_prompt("q")
        assert person.end() == 0

    heads = [line for line in shown.splitlines() if " risk" in line or "ago" in line]
    assert len(heads) >= 2
    assert max(map(len, heads)) <= 60


def test_a_walk_takes_the_last_decision_back_and_asks_again(waiting: Waiting) -> None:
    program = waiting.program

    with typist(program, "review", "--walk") as person:
        person.at_prompt("u")
        person.until("Nothing was decided")
        person.at_prompt("k")
        person.at_prompt("u")
        person.until("taken back")
        again = person.at_prompt("q")
        assert person.end() == 0

    assert "1 of 3" in again
    assert "0 of 3 decided" in person.seen
    assert status(program, waiting.rival) == "candidate"
    assert status(program, waiting.stands) == "accepted"


def test_a_walk_merges_a_candidate_into_what_stands(waiting: Waiting) -> None:
    program = waiting.program
    known = program("remember", "--because", "I", "Commits are signed by hand.").well().id

    with typist(program, "review", "--walk", EDITOR=editor(waiting, "Sign by hand.")) as person:
        person.at_prompt("m")
        person.at_prompt("s")
        person.at_prompt("m")
        person.until("merge with which memory")
        person.types(f"{known}\n")
        assert person.end() == 0

    assert status(program, waiting.rival) == "superseded"
    assert status(program, waiting.stands) == "superseded"
    assert status(program, waiting.rule) == "superseded"
    assert status(program, known) == "superseded"


def test_a_merge_without_a_name_or_with_a_wrong_one_changes_nothing(waiting: Waiting) -> None:
    program = waiting.program

    with typist(program, "review", waiting.rule, "--walk") as person:
        person.at_prompt("m")
        person.until("merge with which memory")
        person.types("\n")
        person.until("Name the memory")
        person.at_prompt("m")
        person.until("merge with which memory")
        person.types("m_nobody\n")
        person.at_prompt("o")
        person.until("cites no lines")
        person.at_prompt("q")
        assert person.end() == 0

    assert status(program, waiting.rule) == "candidate"


def test_a_walk_opens_the_cited_file_at_its_lines(waiting: Waiting) -> None:
    program = waiting.program
    note = program.home.parent / "opened"
    script = program.home.parent / "look"
    script.write_text(f'#!/bin/sh\necho "$@" > {note}\n')
    script.chmod(0o755)

    with typist(program, "review", waiting.trap, "--walk", EDITOR=str(script)) as person:
        person.at_prompt("o")
        person.at_prompt("q")
        assert person.end() == 0
    first = note.read_text()
    coder = script.rename(script.with_name("code"))
    with typist(program, "review", waiting.trap, "--walk", EDITOR=str(coder)) as person:
        person.at_prompt("o")
        person.at_prompt("q")
        assert person.end() == 0

    assert first == f"+41 {program.folder}/src/auth/tokens.py\n"
    assert note.read_text() == f"--goto {program.folder}/src/auth/tokens.py:41\n"


@requirement("review.decides-what-is-shown")
def test_a_walk_drops_keys_typed_before_a_candidate_was_shown(waiting: Waiting) -> None:
    program = waiting.program

    with typist(program, "review", waiting.trap, waiting.rule, "--walk") as person:
        person.at_prompt("aaaa")
        person.at_prompt("q")
        assert person.end() == 0

    assert "1 of 2 decided" in person.seen
    assert status(program, waiting.rule) == "candidate"


def test_a_walk_passes_over_what_a_merge_has_decided(waiting: Waiting) -> None:
    program = waiting.program

    with typist(
        program, "review", waiting.trap, waiting.rule, "--walk", EDITOR=editor(waiting, "Both.")
    ) as person:
        person.at_prompt("m")
        person.until("merge with which memory")
        person.types(f"{waiting.rule}\n")
        assert person.end() == 0

    assert "only a candidate" not in person.seen
    assert status(program, waiting.rule) == "superseded"


def test_an_interrupted_walk_sums_up_what_was_decided(waiting: Waiting) -> None:
    with typist(waiting.program, "review", "--limit", "2", "--walk") as person:
        first = person.at_prompt("a")
        person.until("choose one of the keys")
        person.at_prompt("k")
        person.until(PROMPT)
        person.kill(signal.SIGINT)
        code = person.end()

    assert "1 more wait beyond --limit" in first
    assert code == 130
    assert "1 of 3 decided" in person.seen
    assert "holdfast undo d_" in person.seen


@requirement("callers.forget-is-a-persons")
def test_a_walk_takes_offered_evidence_and_forgets_what_was_proposed(waiting: Waiting) -> None:
    program = waiting.program
    agent = {"HOLDFAST_ORIGIN": "agent"}
    known = program("remember", "--because", "I", "Whales sing at night.").well().id
    doomed = program("remember", "--because", "I", "Otters sleep by day.").well().id
    offer = ("remember", "--evidence", "src/auth/tokens.py:3-5", "Whales sing at night.")
    program(*offer, env=agent).well()
    program("forget", "--propose", doomed, env=agent).well()

    with typist(program, "review", "--origin", "agent", "--walk") as person:
        while person.process.poll() is None:
            shown = person.until(f"{PROMPT}|decided")
            if "[f] forget" in shown:
                person.types("f")
                person.until("permanently")
                person.types("y")
            elif "supports" in shown:
                person.types("a")
            elif "decided" not in shown:
                person.types("s")
            else:
                break
        assert person.end() == 0

    assert "2 of 5 decided" in person.seen
    assert program("show", doomed).code == 3
    evidence = program("show", known, "--json").json["data"]["added_evidence"]
    assert [one["ref"] for one in evidence] == ["src/auth/tokens.py:3-5"]


@requirement("review.terminal-put-back")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_terminal_is_put_back_whatever_ends_a_walk(
    waiting: Waiting, how: signal.Signals
) -> None:
    with typist(waiting.program, "review", "--walk") as person:
        person.until(PROMPT)
        while person.is_echoing():  # the prompt is shown a moment before the keys are read
            time.sleep(PAUSE)
        person.kill(how)
        code = person.end()

        assert code != 0
        assert person.is_echoing()
        assert "Traceback" not in person.seen


def test_a_walk_says_when_somebody_else_decided_meanwhile(waiting: Waiting) -> None:
    program = waiting.program

    with typist(program, "review", waiting.rule, waiting.trap, "--walk") as person:
        person.until(PROMPT)
        program("approve", waiting.trap, waiting.rule).well()
        person.types("a")
        person.until("is accepted; only a candidate")
        person.at_prompt("q")
        assert person.end() == 0


@requirement("review.cited-lines")
def test_a_review_shows_the_cited_lines_and_what_changed_in_them(waiting: Waiting) -> None:
    program = waiting.program
    fresh = program("review").well().out
    whole = program("review", waiting.trap).well().out
    page = program.folder / "src/auth/tokens.py"

    page.write_text(page.read_text().replace("rotate(41)", "turn(41)"))

    changed = program("review", waiting.trap).well().out
    [shown] = program("review", waiting.trap, "--json").well().json["waiting"]
    assert "src/auth/tokens.py:41-58" in fresh
    assert "41 | token = rotate(41)" in fresh
    assert "… 10 more lines" in fresh
    assert "58 | " in whole
    assert "-token = rotate(41)" in changed
    assert "+token = turn(41)" in changed
    assert shown["quotes"][0]["lines"][0].startswith("token = turn(41)")


def test_a_terminal_shows_differences_in_colour(waiting: Waiting) -> None:
    seen = at_terminal(waiting.program, "review").well().out

    assert f"{ESCAPE}[31m[-hour.-]{ESCAPE}[0m" in seen
    assert f"{ESCAPE}[32m{{+day.+}}{ESCAPE}[0m" in seen


@requirement("cli.pipe-safe")
def test_no_proposal_reaches_a_terminal_as_a_control_sequence(program: Program) -> None:
    evil = f"Tokens {ESCAPE}]0;owned\x07 rotate \x9b31m red."
    program("remember", "--because", "I", "--key", "k", "Tokens rotate blue.").well()
    name = propose(program, evil, "--key", "k", "--source", evil)

    seen = "".join(
        said
        for words in (("review",), ("review", name), ("review", "--json"), ("conflicts",))
        for said in (program(*words).out, program(*words).err)
    )

    assert ESCAPE not in seen
    assert "\x9b" not in seen
    assert json.loads(program("review", "--json").out)["total"] == 1


@requirement("curation.others-words-are-marked")
def test_what_a_terminal_folds_is_marked_on_every_line(program: Program) -> None:
    program("remember", "--because", "I", "--key", "k", "Tokens rotate daily.").well()
    long = "Tokens rotate hourly. " + "by human through cli, 1 second ago " * 9
    propose(program, long, "--key", "k", "--evidence", f"command:{'evidence — fresh ' * 20}")

    for words in (("review",), ("conflicts",)):
        seen = at_terminal(program, *words, "--no-color").well().out
        starts = [line.strip() for line in seen.splitlines()]
        assert not [
            line for line in starts if line.startswith(("by human through cli, 1", "1 sec"))
        ]
