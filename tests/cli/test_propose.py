from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import holdfast
from tests.adapters.speaking_model import Model, speaking
from tests.cli.program import Program
from tests.requirements import requirement

RULING = "Never deploy the billing service on Fridays."
SECRET = "ghp_" + "a1B2" * 9  # no secret, only shaped like one


@pytest.fixture
def notes(repository: Path) -> Path:
    path = repository / "notes.md"
    path.write_text(f"{RULING} Maybe we move the ledger. Is that wise?\n", encoding="utf-8")
    return path


@pytest.fixture
def model(program: Program) -> Iterator[Model]:
    with speaking() as one:
        program("config", "set", "propose.using", "openai").well()
        program("config", "set", "propose.url", one.url).well()
        program("config", "set", "propose.model", "small").well()
        yield one


def a_claude_session(folder: Path) -> Path:
    """Write a transcript the way Claude Code does."""
    said = [
        ("user", "The retry loop hammers the payment gateway."),
        ("assistant", "I'll retry forever with a pause of one second."),
        ("user", "No, never retry more than four times."),
        ("assistant", "Recap: the payment loop makes at most four attempts and then gives up."),
    ]
    lines = [
        {
            "type": who,
            "uuid": f"u{number}",
            "parentUuid": f"u{number - 1}" if number else None,
            "sessionId": "5f1c",
            "cwd": str(folder),
            "timestamp": "2026-01-27T10:00:00.000Z",
            "message": {"role": who, "content": text},
        }
        for number, (who, text) in enumerate(said)
    ]
    path = folder / "session.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


@requirement("propose.only-candidates")
def test_what_notes_settle_waits_for_a_person(program: Program, notes: Path) -> None:
    done = program("propose", str(notes)).well()

    kind, turn, rule, outcome, claim = done.out.strip().split("\t")
    assert (kind, turn, rule, claim) == ("rule", "1", "always-never", RULING)
    assert outcome.startswith("added m_")
    [shown] = program("list", "--status", "candidate", "--json").well().json["memories"]
    assert shown["claim"] == RULING
    assert program("recall", "deploy billing", "--json").well().json["items"] == []


@requirement("propose.twice-is-once")
def test_a_second_time_says_that_it_is_known(program: Program, notes: Path) -> None:
    program("propose", str(notes)).well()

    again = program("propose", str(notes)).well()

    assert again.out == ""
    assert "says it already, from here." in again.err


def test_a_dry_run_writes_nothing(program: Program, notes: Path) -> None:
    done = program("propose", "--dry-run", str(notes), "--json").well()

    assert done.json["dry_run"] is True
    [one] = done.json["added"]
    assert (one["claim"], one["id"]) == (RULING, None)
    assert program("list", "--status", "candidate", "--json").well().json["memories"] == []


def test_a_transcript_is_recognised_and_cited_by_turn(program: Program, repository: Path) -> None:
    path = a_claude_session(repository)

    done = program("propose", str(path), "--json").well()

    [first, *_] = done.json["added"]
    assert (first["rule"], first["turn"]) == ("summary", 4)
    shown = program("show", first["id"], "--json").well().json["data"]
    assert shown["source"] == "claude:5f1c"
    assert shown["evidence"][0]["ref"] == "claude:5f1c#4"
    assert shown["evidence"][0]["facts"]["transcript"] == str(path)


def test_a_transcript_of_an_unknown_tool_is_refused(program: Program, notes: Path) -> None:
    done = program("propose", "--tool", "telex", str(notes))

    assert done.code == 2
    assert "'telex' is not a tool" in done.err


def test_standard_input_is_read(program: Program) -> None:
    done = program("propose", "-", "--json", stdin=RULING.encode()).well()

    assert [one["claim"] for one in done.json["added"]] == [RULING]


def test_a_page_is_read_whole_and_its_headings_count(program: Program, repository: Path) -> None:
    page = repository / "summary.md"
    page.write_text(
        "---\nid: run-2026-01-27-3\n---\n# Work\n\n## Decisions\n- Exports are written as CSV.\n",
        encoding="utf-8",
    )

    done = program("propose", "--from", str(page), "--json").well()

    [one] = done.json["added"]
    assert (one["claim"], one["kind"], one["rule"]) == (
        "Exports are written as CSV.",
        "decision",
        "section",
    )


def test_a_page_with_an_open_frontmatter_is_read_as_it_is(
    program: Program, repository: Path
) -> None:
    page = repository / "summary.md"
    page.write_text(f"---\n{RULING}\n", encoding="utf-8")

    assert len(program("propose", "--from", str(page), "--json").well().json["added"]) == 1


def test_the_summary_of_a_run_is_read_from_its_page(program: Program, repository: Path) -> None:
    page = repository / ".holdfast" / "runs" / "run-2026-01-27-3" / "summary.md"
    page.parent.mkdir(parents=True)
    page.write_text(f"---\nid: x\n---\n{RULING}\n", encoding="utf-8")

    done = program("propose", "--run", "run-2026-01-27-3", "--json").well()

    [one] = done.json["added"]
    shown = program("show", one["id"], "--json").well().json["data"]
    assert shown["source"] == "run-2026-01-27-3"
    assert [(e["type"], e["ref"]) for e in shown["evidence"]] == [("job_run", "run-2026-01-27-3")]


@requirement("propose.gates-first")
def test_what_is_left_out_is_told_with_the_reason_and_no_secret(
    program: Program, repository: Path
) -> None:
    (repository / "AGENTS.md").write_text(f"# Rules\n\n- {RULING}\n", encoding="utf-8")
    notes = repository / "notes.md"
    notes.write_text(f"{RULING} Always use the token {SECRET} for mirrors.\n", encoding="utf-8")

    done = program("propose", str(notes)).well()

    assert done.out == ""
    assert "AGENTS.md:3 says it already." in done.err
    assert "It holds a secret" in done.err
    assert SECRET not in done.err


@requirement("propose.conflicts-noted")
def test_a_contradiction_is_shown_at_once(program: Program, repository: Path) -> None:
    standing = program("remember", "--because", "ops", "Always deploy billing on Fridays.").well()
    notes = repository / "notes.md"
    notes.write_text("Never deploy billing on Fridays.\n", encoding="utf-8")

    done = program("propose", str(notes)).well()

    assert f"contradicts {standing.id}" in done.err


@requirement("propose.one-candidate-for-each-decision")
@pytest.mark.parametrize("labels", [("user: ", "assistant: "), ("", "")])
def test_each_decision_of_a_chat_is_a_candidate_of_its_own(
    program: Program, labels: tuple[str, str]
) -> None:
    person, assistant = labels
    chat = (
        f"{person}how should we store the bills\n{assistant}Postgres or SQLite would both work\n"
        f"{person}let's use Postgres for billing\n{assistant}ok, Postgres it is\n"
        f"{person}never edit the generated files by hand\n{assistant}understood\n"
        f"{person}we decided against Redis for sessions, cookies are enough\n"
    )

    done = program("propose", "-", "--json", stdin=chat.encode()).well().json

    assert sorted(one["claim"] for one in done["added"]) == [
        "let's use Postgres for billing",
        "never edit the generated files by hand",
        "we decided against Redis for sessions, cookies are enough",
    ]


def test_nothing_to_remember_is_said(program: Program) -> None:
    done = program("propose", "-", stdin=b"Hello there.").well()

    assert done.out == ""
    assert "It contains nothing to remember." in done.err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "Give a transcript, --from FILE or --run RUN."),
        (("nowhere.jsonl",), 3, "There is no file nowhere.jsonl."),
        (("--from", "nowhere.md"), 3, "There is no file nowhere.md."),
        (("-", "--from", "x.md"), 2, "not both"),
        (("-", "--limit", "0"), 2, "must be between 1 and"),
        (("-", "--limit", "many"), 2, "must be a whole number"),
    ],
)
def test_odd_requests_are_refused_in_words(
    program: Program, words: tuple[str, ...], code: int, said: str
) -> None:
    done = program("propose", *words)

    assert done.code == code
    assert said in done.err


def test_a_page_beyond_reason_is_refused(program: Program, repository: Path) -> None:
    page = repository / "large.md"
    page.write_bytes(b"word " * 1_100_000)

    done = program("propose", "--from", str(page))

    assert done.code != 0
    assert "larger than 5 MiB" in done.err


def test_a_model_that_is_set_is_asked(program: Program, notes: Path, model: Model) -> None:
    model.proposes({"claim": RULING, "kind": "rule", "turn": 1, "quote": RULING, "confidence": 0.8})

    done = program("propose", str(notes), "--json").well()

    assert done.json["by"] == "openai:small"
    assert [one["rule"] for one in done.json["added"]] == ["openai:small"]


@requirement("propose.rules-where-models-fail")
def test_where_the_model_fails_the_rules_answer_and_it_is_said(
    program: Program, notes: Path, model: Model
) -> None:
    model.refuses(401)

    done = program("propose", str(notes)).well()

    assert RULING in done.out
    assert "answers with HTTP 401" in done.err
    assert "The rules were used instead." in done.err


@requirement("propose.rules-where-models-fail")
def test_an_import_of_transcripts_says_once_that_the_rules_answered(
    program: Program, repository: Path, model: Model
) -> None:
    talk = str(a_claude_session(repository))
    model.refuses(401)

    told = program("import", "transcripts", talk, "--dry-run").well()
    model.refuses(401)
    shape = program("import", "transcripts", talk, "--dry-run", "--json").well().json

    assert told.err.count("The rules were used instead.") == 1
    (conversation,) = shape["conversations"]
    assert "The rules were used instead." in conversation["notes"][0]


@requirement("propose.rules-where-models-fail")
@pytest.mark.usefixtures("repository")
def test_finishing_a_run_says_that_the_rules_answered(program: Program, model: Model) -> None:
    model.refuses(401)
    program("run", "start", "mend it").well()
    told = program("run", "finish", "--summary", RULING).well()
    program("run", "start", "mend it again").well()
    model.refuses(401)
    shape = program("run", "finish", "--summary", RULING, "--json").well().json

    assert "The rules were used instead." in told.err
    assert "The rules were used instead." in shape["notes"][0]


@requirement("propose.rules-where-models-fail")
def test_a_hook_notes_in_its_log_that_the_rules_answered(
    program: Program, repository: Path, model: Model
) -> None:
    model.refuses(401)

    program("hook", "propose", "claude", "5f1c", str(a_claude_session(repository))).well()

    (trouble,) = program("hook", "log", "--json").well().json["trouble"]
    assert "The rules were used instead." in trouble


@requirement("propose.rules-where-models-fail")
def test_a_program_is_warned_that_the_rules_answered(
    program: Program, repository: Path, model: Model
) -> None:
    model.refuses(401)
    with (
        holdfast.open(home=program.home, folder=repository) as memory,
        pytest.warns(RuntimeWarning, match=r"The rules were used instead\."),
    ):
        (candidate,) = memory.propose([("user", RULING)])

    assert candidate.text == RULING


def test_the_rules_can_be_asked_this_once(program: Program, notes: Path, model: Model) -> None:
    done = program("propose", "--using", "rules", str(notes), "--json").well()

    assert done.json["by"] == "rules"
    assert model.bodies == []


def test_a_plug_in_proposes_and_a_broken_one_is_told(
    program: Program, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "readers_of_talks.py").write_text(
        "from holdfast.domain.choices import Kind\n"
        "from holdfast.domain.sessions.session import Proposal\n"
        "class First:\n"
        "    name = 'first'\n"
        "    def propose(self, transcript, *, limit):\n"
        "        turn = transcript.turns[0]\n"
        "        words = turn.text.split('.')[0]\n"
        "        return [Proposal(claim=words, kind=Kind.FACT, turn=turn.number, quote=words,\n"
        "                         first=0, last=len(words), rule='first')]\n"
        "class Broken:\n"
        "    def propose(self, transcript, *, limit):\n"
        "        raise ValueError('out of cheese')\n"
    )
    about = tmp_path / "readers-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: readers\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[holdfast.proposer]\nfirst = readers_of_talks:First\nbroken = readers_of_talks:Broken\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "readers_of_talks", raising=False)

    done = program("propose", "--using", "first", "--dry-run", str(notes), "--json").well()
    broken = program("propose", "--using", "broken", "--dry-run", str(notes), "--json").well()
    missing = program("propose", "--using", "nobody", "--dry-run", str(notes), "--json").well()

    assert [one["rule"] for one in done.json["added"]] == ["first"]
    assert "out of cheese" in broken.json["notes"][0]
    assert "no package offers it" in missing.json["notes"][0]
    assert broken.json["by"] == missing.json["by"] == "rules"
