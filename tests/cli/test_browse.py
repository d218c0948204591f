"""list, show, explain, related: what is there and where it comes from."""

from __future__ import annotations

import pytest

from holdfast.domain.ids import short
from tests.cli.conftest import Filled
from tests.cli.program import Program
from tests.requirements import requirement


def ids(program: Program, *words: str) -> list[str]:
    return [line.split("\t")[0] for line in program("list", *words).well().out.splitlines()]


def test_a_list_in_a_pipe_is_lines_with_tabs(filled: Filled) -> None:
    lines = filled.program("list").well().out.splitlines()

    newest = lines[0].split("\t")
    assert newest[0] == filled.other
    assert newest[1:5] == ["accepted", "fact", "repo", ""]
    assert newest[7] == "We deploy on Tuesdays only."


def test_a_list_can_be_narrowed(filled: Filled) -> None:
    program, memory, other = filled.program, filled.memory, filled.other
    agent = {"HOLDFAST_ORIGIN": "agent"}
    candidate = program(
        "remember", "--because", "x", "--tag", "seen", "--source", "bot", "Maybe.", env=agent
    ).well().id  # fmt: skip
    program("pin", other, "--label", "DEC-1").well()

    assert ids(program) == [candidate, other, memory]
    assert ids(program, "--oldest-first") == [memory, other, candidate]
    assert ids(program, "--limit", "1") == [candidate]
    assert ids(program, "--kind", "gotcha") == [memory]
    assert ids(program, "--key", "refresh-token-rotation") == [memory]
    assert ids(program, "--status", "candidate") == [candidate]
    assert ids(program, "--origin", "agent") == [candidate]
    assert ids(program, "--tag", "seen") == [candidate]
    assert ids(program, "--source", "bot") == [candidate]
    assert ids(program, "--pinned") == [other]
    assert ids(program, "--label", "DEC-1") == [other]
    assert ids(program, "--words", "tuesdays") == [other]
    assert ids(program, "--expired") == []
    assert ids(program, "--scope", "global", "--scope", "workspace") == []


@requirement("scope.reaches-its-place")
def test_a_list_shows_this_place_unless_asked_for_all(filled: Filled) -> None:
    elsewhere = Program(home=filled.program.home, folder=filled.program.home.parent)

    assert ids(elsewhere) == []
    assert ids(elsewhere, "--all") == [filled.other, filled.memory]
    assert "--all" in elsewhere("list").err


def test_status_counts_the_memories_of_other_places_once_in_words(filled: Filled) -> None:
    elsewhere = Program(home=filled.program.home, folder=filled.program.home.parent)

    assert " elsewhere  2 memories; 'holdfast status --all'" in elsewhere("status").well().out


def test_a_list_of_all_places_ends_with_the_repository(filled: Filled) -> None:
    line = filled.program("list", "--all").well().out.splitlines()[0].split("\t")

    shown = filled.program("list", "--all", "--json").well().json["memories"][0]
    assert len(line) == 9
    assert line[-1] == shown["repo"]


def test_all_is_no_status_and_the_message_says_how_to_ask_for_several(filled: Filled) -> None:
    refused = filled.program("list", "--status", "all")

    assert refused.code == 2
    assert "repeat --status for several of: candidate, accepted" in refused.err


def test_words_without_their_option_are_refused_with_the_command_to_write(filled: Filled) -> None:
    refused = filled.program("list", "refresh", "tokens")

    assert refused.code == 2
    assert "To search for words, use -w: holdfast list -w 'refresh tokens'" in refused.err


def test_a_list_that_finds_no_words_says_which(filled: Filled) -> None:
    here, everywhere = filled.program("list", "-w", "penguins"), ("--all", "-w", "penguins")

    assert "No memory here has these words: penguins. 'holdfast list --all -w penguins'" in here.err
    assert filled.program("list", *everywhere).err == "No memory has these words: penguins.\n"
    assert filled.program("list", "--all", "--pinned").err == "No memories.\n"


@requirement("name.short-form-found")
def test_show_shows_every_noun_by_the_start_of_its_id(filled: Filled) -> None:
    program = filled.program

    assert "Refresh tokens rotate" in program("show", filled.memory[:-3]).well().out
    assert "quoted data" in program("show", filled.bundle.rpartition("_")[0]).well().out
    assert "src/auth/tokens.py:41-58" in program("show", filled.span).well().out
    assert "claude" in program("show", filled.session).well().out
    for name, noun in (
        (filled.memory, "memory"),
        (filled.bundle, "bundle"),
        (filled.span, "span"),
        (filled.session, "session"),
    ):
        assert program("show", name, "--json").well().json["type"] == noun


def test_an_id_that_fits_several_is_refused_with_those_it_fits(filled: Filled) -> None:
    refused = filled.program("show", "m_0")

    assert refused.code == 2
    assert filled.memory in refused.err
    assert filled.other in refused.err


@requirement("explain.full-chain")
def test_explain_shows_the_whole_chain(filled: Filled) -> None:
    program = filled.program
    child = program(
        "remember", "--key", "rotation", "--from-bundle", filled.bundle, "We rotate tokens."
    ).well().id  # fmt: skip

    tree = program("explain", child).well().out
    shape = program("explain", child, "--json").well().json

    assert "said by human through cli" in tree
    assert f"evidence bundle: {filled.bundle}" in tree
    assert f"derived from {filled.memory}" in tree
    assert filled.span in tree
    assert "memory.added" in tree
    assert [parent["memory"]["id"] for parent in shape["derived_from"]][:1] == [filled.memory]
    assert shape["events"]


@requirement("recall.reasons-shown")
def test_explain_says_what_a_bundle_did_with_a_memory(filled: Filled) -> None:
    program = filled.program

    given = program("explain", filled.bundle, filled.memory).well().out
    other_way_round = program("explain", filled.memory, filled.bundle).well().out
    shape = program("explain", filled.bundle, filled.memory, "--json").well().json
    unknown = program("explain", filled.bundle, filled.other)

    assert "returned at rank 1" in given
    assert given == other_way_round
    assert sum(leg["amount"] for leg in shape["reasons"]) == pytest.approx(
        shape["score"], abs=0.005
    )
    assert shape["rank"] == 1
    assert unknown.code == 3
    assert program("explain", "a", "b", "c").code == 2


@requirement("bundle.explained-alone")
def test_explain_of_a_bundle_says_what_it_gave_and_left_out(filled: Filled) -> None:
    program = filled.program
    program("remember", "--because", "I", "Refresh tokens are opaque strings.").well()
    program("remember", "--because", "I", "refresh tokens are opaque strings").well()
    bundle = program("recall", "refresh tokens", "--limit", "1", "--json").well().json

    told = program("explain", bundle["id"]).well().out
    shape = program("explain", bundle["id"], "--json").well().json

    given = bundle["items"][0]["memory_id"]
    assert f"1\t{given}\t" in told
    assert "asked: refresh tokens" in told
    assert "left out: 1 beyond the 1 items asked for" in told
    assert f"holdfast explain {bundle['id']} m_…" in told
    assert sum(shape["left_out_by_reason"].values()) == len(shape["left_out"])
    claim = "Refresh tokens rotate on every use; replaying one revokes the family."
    named = {"claim": claim, "key": "refresh-token-rotation", "kind": "gotcha"}
    assert [{**one, **named} for one in shape["items"]] == bundle["items"]


@requirement("bundle.explained-alone")
def test_explain_of_a_bundle_counts_what_did_not_fit_and_names_what_was_forgotten(
    filled: Filled,
) -> None:
    program = filled.program
    long = "tokens " + "refresh words that go on and on; " * 60
    left = program("remember", "--because", "I", long).well().id
    bundle = program("recall", "refresh tokens", "--budget", "200", "--json").well().json["id"]

    told = program("explain", bundle).well().out
    program("forget", "--id", left, "--yes").well()
    after = program("explain", bundle).well().out

    assert "did not fit" in told
    assert f"{left}\t" in told
    assert "forgotten since" in after
    assert "words that go on" not in after


@requirement("bundle.explained-alone")
def test_explain_of_an_answer_without_items_says_why(filled: Filled) -> None:
    program = filled.program
    bundle = program("recall", "how do I bake bread", "--json").well().json["id"]

    told = program("explain", bundle).well().out

    assert "0 items" in told
    assert "GIVEN" not in told


@requirement("bundle.left-out-explained")
def test_what_did_not_fit_is_explained(filled: Filled) -> None:
    program = filled.program
    long = "tokens " + "refresh words that go on and on; " * 60
    left = program("remember", "--because", "I", "--pin", long).well().id
    bundle = program("recall", "refresh tokens", "--budget", "200", "--json").well().json

    told = program("explain", bundle["id"], left).well().out
    shape = program("explain", bundle["id"], left, "--json").well().json

    assert "left out: " in told
    assert shape["rank"] is None
    assert shape["left_out"]


@requirement("recall.reasons-shown")
def test_explain_shows_the_legs_the_ranks_and_who_stood_before(filled: Filled) -> None:
    program = filled.program
    last = [
        program("remember", "--because", "I", f"Refresh tokens {name}.").well().id
        for name in ("expire", "are opaque", "have owners")
    ][-1]
    bundle = program("recall", "refresh tokens", "--limit", "2", "--json").well().json

    told = program("explain", bundle["id"], last).well().out
    shape = program("explain", bundle["id"], last, "--json").well().json

    given = [item["memory_id"] for item in bundle["items"]]
    assert shape["left_out"] == "beyond the 2 items asked for"
    assert [other["memory_id"] for other in shape["displaced_by"]] == given
    assert all(other["score"] >= shape["score"] for other in shape["displaced_by"])
    assert {"words"} <= {leg["leg"] for leg in shape["reasons"]}
    assert [rank["stage"] for rank in shape["ranks"]] == [
        "words and meaning",
        "names and links",
        "context",
    ]
    assert shape["matched"] == ["refresh", "tokens"]
    assert "rank after each stage: words and meaning " in told
    assert "→ left out" in told
    assert all(f"before it: {name}" in told for name in given)


@requirement("recall.amended-marked")
def test_explain_says_what_disputes_and_what_superseded_a_memory(program: Program) -> None:
    older, newer = (
        program("remember", "--because", "I", f"The request timeout is {value} seconds.").well().id
        for value in (30, 60)
    )
    undecided = program("recall", "request timeout", "--json").well().json["id"]
    told = program("explain", undecided, older).well().out
    assert f"contradicts {newer}; nobody has decided" in told
    assert program("explain", undecided, older, "--json").well().json["superseded_by"] is None

    program("link", newer, older, "--kind", "supersedes").well()
    bundle = program("recall", "request timeout", "--json").well().json["id"]
    told = program("explain", bundle, older).well().out
    shape = program("explain", bundle, older, "--json").well().json
    standing = program("explain", bundle, newer, "--json").well().json

    assert f"superseded by {newer}, which is newer" in told
    assert "→ given 2" in told
    assert (shape["superseded_by"], shape["rank"], shape["displaced_by"]) == (newer, 2, [])
    assert (standing["superseded_by"], standing["rank"]) == (None, 1)
    assert f"superseded: {short(newer)} is newer" in program("show", bundle).well().out


def test_a_link_with_a_word_of_ones_own_says_so_and_names_the_known_kind(filled: Filled) -> None:
    program, ends = filled.program, (filled.memory, filled.other)

    mistyped = program("link", *ends, "--kind", "contradict").well().err
    own = program("link", *ends, "--kind", "inspired-by").well().err

    assert "did you mean 'contradicts'?" in mistyped
    assert "'inspired-by' is a word of your own" in own
    assert "did you mean" not in own
    assert program("link", *ends, "--kind", "supports").well().err == ""


@requirement("list.what-is-not-pinned")
def test_a_list_can_leave_out_what_is_pinned(filled: Filled) -> None:
    program = filled.program
    every = ids(program)
    program("pin", every[0]).well()

    assert ids(program, "--pinned") == every[:1]
    assert ids(program, "--not-pinned") == every[1:]
    both = program("list", "--pinned", "--not-pinned")
    assert (both.code, "not allowed with" in both.err) == (2, True)
