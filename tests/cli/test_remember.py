"""remember: texts, evidence, and what happens on the way."""

from __future__ import annotations

import json

import pytest

from tests.cli.program import Program
from tests.requirements import requirement

BECAUSE = ("--because", "I decided")


@pytest.mark.parametrize(
    ("words", "stdin"),
    [
        (("A claim.",), ""),
        (("A", "claim."), ""),
        (("-",), "A claim."),
        ((), "A claim.\n"),
        ((), "\ufeffA claim."),
    ],
    ids=["argument", "several words", "dash", "piped", "with a byte order mark"],
)
def test_the_text_may_come_from_anywhere(
    program: Program, words: tuple[str, ...], stdin: str
) -> None:
    kept = program("remember", *BECAUSE, "--json", *words, stdin=stdin).well().json

    assert kept["memory"]["claim"] == "A claim."


@requirement("input.refused-with-advice")
def test_a_fact_that_is_given_twice_is_refused(program: Program) -> None:
    twice = ("--metadata", "when.path=a.py", "--metadata", "when.path=b.py")

    said = program("remember", *BECAUSE, *twice, "A claim.")

    assert said.code == 2
    assert "'when.path' is given twice" in said.err


@requirement("input.refused-with-advice")
@pytest.mark.parametrize("verb", [("remember",), ("task", "add")])
def test_a_second_statement_is_refused_and_not_put_in_the_place_of_the_first(
    program: Program, verb: tuple[str, ...]
) -> None:
    said = program(*verb, *BECAUSE, "--because", "it is safer", "A claim.")

    assert said.code == 2
    assert "--because: it is given twice" in said.err


def test_everything_that_can_be_said_is_kept(program: Program) -> None:
    kept = program(
        "remember", "--kind", "decision", "--scope", "global", "--key", "deploys", "--ttl", "12h",
        "--tag", "ops", "--tag", "release", "--label", "DEC-001", "--importance", "0.9",
        "--weight", "2", "--pin", "--metadata", "team=blue", "--metadata", "note=a=b",
        "--source", "notebook", *BECAUSE, "--json", "We deploy on Tuesdays.",
    ).well().json["memory"]  # fmt: skip

    assert (kept["kind"], kept["scope"], kept["key"]) == ("decision", "global", "deploys")
    assert (kept["tags"], kept["label"]) == (["ops", "release"], "DEC-001")
    assert (kept["importance"], kept["weight"], kept["pinned"]) == (0.9, 2.0, True)
    assert kept["metadata"] == {"team": "blue", "note": "a=b"}
    assert (kept["source"], kept["origin"]) == ("notebook", "human")


@requirement("evidence.every-type-kept")
def test_evidence_says_itself_what_it_is(program: Program) -> None:
    first = program("remember", *BECAUSE, "The parent claim.").well().id

    kept = program(
        "remember", "--evidence", "src/auth/tokens.py:3", "--evidence", "src/auth/tokens.py",
        "--evidence", "https://example.org/a:1-2", "--evidence", "commit:HEAD",
        "--evidence", "command:make test", "--evidence", "query:rotate", "--evidence", "job:42",
        "--evidence", "turn:claude:5f1c#7", *BECAUSE, "--derived-from", first,
        "--json", "Many reasons.",
    ).well().json["memory"]  # fmt: skip

    assert [(item["type"], item["ref"]) for item in kept["evidence"]] == [
        ("span", "src/auth/tokens.py:3"),
        ("span", "src/auth/tokens.py:1-100"),
        ("url", "https://example.org/a:1-2"),
        ("commit", "HEAD"),
        ("command", "make test"),
        ("query", "rotate"),
        ("job_run", "42"),
        ("turn", "claude:5f1c#7"),
        ("statement", "I decided"),
    ]


@requirement("evidence.commit-checked")
@pytest.mark.parametrize("name", ["deadbeef", "no-such-branch", "HEAD~99", "--all", "f" * 40])
def test_a_commit_that_does_not_exist_is_no_evidence(program: Program, name: str) -> None:
    done = program("remember", "--evidence", f"commit:{name}", *BECAUSE, "A claim.")
    line = json.dumps({"value": "A claim.", "evidence": [f"commit:{name}"]})
    batch = program("remember", "--batch", stdin=line.encode())

    assert (done.code, done.out) == (2, "")
    assert f"commit:{name}" in done.err
    assert (batch.code, f"commit:{name}" in batch.err) == (2, True)


@requirement("key.supersedes")
def test_the_same_key_supersedes_and_says_so(program: Program) -> None:
    old = program("remember", "--key", "port", *BECAUSE, "The port is 8080.").well().id

    new = program("remember", "--key", "port", *BECAUSE, "The port is 9090.").well()

    assert f"superseded {old}" in new.err
    assert program("show", old, "--json").json["data"]["status"] == "superseded"


@requirement("key.inherits")
def test_a_claim_that_supersedes_says_what_it_took_over_and_when_it_ends(program: Program) -> None:
    named = ("--key", "port", "--label", "P-1", "--tag", "net", "--kind", "rule", "--ttl", "5d")
    old = program("remember", *named, *BECAUSE, "The port is 8080.").well().id

    new = program("remember", "--key", "port", *BECAUSE, "The port is 9090.").well()

    assert "taken over from what it replaces: label P-1, kind rule, tags net\n" in new.err
    assert f"it does not expire; {old} would have expired on " in new.err
    assert program("show", "P-1", "--json").well().json["data"]["id"] == new.id


@requirement("claim.twin-is-told")
def test_the_same_claim_under_another_kind_is_told(program: Program) -> None:
    first = program("remember", "--kind", "rule", *BECAUSE, "Never bump qs.").well().id

    again = program("remember", "--kind", "gotcha", *BECAUSE, "Never bump qs.").well()

    assert f"the same claim is known as {first} (rule); both are kept" in again.err


@requirement("key.inherits")
def test_a_decision_about_a_proposal_says_what_it_takes_over(program: Program) -> None:
    named = ("--key", "port", "--label", "P-1", "--pin")
    program("remember", *named, *BECAUSE, "The port is 8080.").well()
    theirs = ("--origin", "agent", "--key", "port", "--evidence", "job:1")
    new = program("remember", *theirs, "The port is 9090.").well().id

    shown = program("review").well().out
    done = program("resolve", new, "--supersede").well()

    assert "takes over  its pin and its label P-1, if it replaces m_" in shown
    assert "taken over from what it replaces: label P-1, pin\n" in done.err
    undone = program("undo").well()
    assert undone.code == 0
    assert program("show", "P-1", "--json").json["data"]["claim"] == "The port is 8080."
    assert not program("show", new, "--json").json["data"]["pinned"]


@requirement("claim.near-duplicate-adds-evidence")
def test_what_is_known_gets_evidence_instead_of_a_copy(program: Program) -> None:
    first = program("remember", *BECAUSE, "Tokens rotate hourly.").well().id

    again = program("remember", "--evidence", "job:1", "tokens rotate hourly").well()

    assert again.id == first
    assert "evidence was added" in again.err
    assert "(+1)" in again.out


@requirement("verdict.fresh")
def test_only_the_lines_that_were_read_now_are_called_fresh(program: Program) -> None:
    page = program.folder / "limits.md"
    page.write_text("A cart holds fifty items.\n", encoding="utf-8")
    claim = "Carts hold a fixed number of items."
    program("remember", "--evidence", "limits.md:1", claim).well()
    page.write_text("Limits\n\nA cart holds eighty items.\n", encoding="utf-8")

    added = program("remember", "--evidence", "limits.md:3", claim).well()
    stated = program("remember", *BECAUSE, claim).well()

    assert "limits.md:3 (fresh) (+1)" in added.out
    assert "(fresh)" not in stated.out


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        (".github/workflows/ci.yml", ".github/workflows/ci.yml:1 (fresh)"),
        ("_config.yml", "_config.yml:1 (fresh)"),
        ("@types/limits.d.ts", "@types/limits.d.ts:1 (fresh)"),
        ("my limits.md", '"my limits.md:1" (fresh)'),
    ],
)
def test_only_a_path_with_blanks_is_quoted(program: Program, path: str, shown: str) -> None:
    file = program.folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("A token lives for an hour.\n", encoding="utf-8")

    kept = program("remember", "--evidence", f"{path}:1", "Tokens live for an hour.").well()

    assert f"  {shown}" in kept.out


@requirement("gate.hidden-characters-refused")
def test_hidden_characters_are_removed_and_named(program: Program) -> None:
    kept = program("remember", *BECAUSE, "A cl\u200baim\u202e.").well()
    shape = program("remember", *BECAUSE, "--json", "Another cl\u200baim.").well().json

    assert "1 x ZERO WIDTH SPACE" in kept.err
    assert "RIGHT-TO-LEFT OVERRIDE" in kept.err
    assert shape["memory"]["claim"] == "Another claim."
    assert shape["removed_characters"] == [
        {"code_point": "U+200B", "name": "ZERO WIDTH SPACE", "count": 1}
    ]


@requirement("gate.secret-refused")
def test_secrets_are_refused_redacted_or_allowed(program: Program) -> None:
    claim = "The key is AKIA" + "IOSFODNN7EXAMPLA and works."

    refused = program("remember", *BECAUSE, claim)
    redacted = program("remember", *BECAUSE, "--redact", claim).well()
    allowed = program("remember", *BECAUSE, "--allow-secret", claim).well()
    setting = {"HOLDFAST_REMEMBER_SECRETS": "redact"}
    by_setting = program("remember", *BECAUSE, claim + " Twice.", env=setting).well()

    assert refused.code == 2
    assert "AKIAIOSFODNN7EXAMPLA" not in refused.err
    assert "secrets redacted" in redacted.err
    assert "AKIA" in program("show", allowed.id).out
    assert "secrets redacted" in by_setting.err


@requirement("mcp.agents-only-propose")
def test_what_an_agent_says_is_a_candidate_until_a_person_approves_it(program: Program) -> None:
    proposed = program(
        "remember", *BECAUSE, "Port 8080 is free.", env={"HOLDFAST_ORIGIN": "agent"}
    ).well()

    assert proposed.out.rstrip().endswith("candidate")
    assert f"holdfast approve {proposed.id}" in proposed.err
    assert proposed.id not in program("recall", "port 8080").well().out


def test_a_setting_gives_the_usual_lifetime(program: Program) -> None:
    program("config", "set", "remember.ttl", "2w").well()

    assert "expires in 14 days" in program("remember", *BECAUSE, "It ends.").well().out
    assert "expires" not in program("remember", "--ttl", "never", *BECAUSE, "It stays.").well().out


def test_a_batch_keeps_good_lines_and_names_bad_ones(program: Program) -> None:
    lines = [
        {"value": f"Fact number {number}.", "because": "I counted", "kind": "fact"}
        for number in range(12)
    ]
    shapes = [
        *map(json.dumps, lines),
        "",
        "no json",
        json.dumps({"value": "No evidence here."}),
        json.dumps({"value": "Odd.", "because": "x", "colour": "red"}),
        json.dumps({"value": "Kind.", "because": "x", "kind": "gossip"}),
        json.dumps({"value": "By file.", "evidence": ["src/auth/tokens.py:1-2"], "tags": ["a"]}),
        json.dumps({"value": "By job.", "evidence": [{"type": "job_run", "ref": "9"}]}),
    ]

    done = program("remember", "--batch", stdin="\n".join(shapes))

    assert done.code == 2
    assert len(done.out.split()) == 14
    assert [line.partition(":")[0] for line in done.err.splitlines()[:4]] == [
        "line 14", "line 16", "line 17", "line 15",
    ]  # fmt: skip
    assert "14 added, 4 refused" in done.err
    assert program("list", "--json").json["total"] == 14


def test_a_batch_takes_its_defaults_from_the_options_and_answers_in_lines(
    program: Program,
) -> None:
    lines = "".join(json.dumps({"value": f"Line {number}."}) + "\n" for number in range(501))

    done = program(
        "remember", "--batch", "--kind", "observation", *BECAUSE, "--json", stdin=lines
    ).well()

    answers = [json.loads(line) for line in done.out.splitlines()]
    assert [answer["line"] for answer in answers] == list(range(1, 502))
    assert len({answer["id"] for answer in answers}) == 501
    kept = program("show", answers[-1]["id"], "--json").json["data"]
    assert (kept["kind"], kept["claim"]) == ("observation", "Line 500.")


@requirement("conflict.found-in-a-small-batch")
def test_a_small_batch_tells_what_its_claims_contradict(program: Program) -> None:
    old = program("remember", *BECAUSE, "The port of the api is 7070.").well().id
    ports = ["The port of the api is 8080.", "The port of the api is 9090.", "Tokens rotate."]
    lines = "".join(json.dumps({"value": claim, "because": "x"}) + "\n" for claim in ports)

    done = program("remember", "--batch", stdin=lines).well()

    first, second, _ = done.out.split()
    assert done.err.count("seems to contradict") == 3
    assert f"holdfast resolve {first} {old} (with --" in done.err
    pairs = {
        (one["candidate"], one["standing"])
        for one in program("conflicts", "--json").well().json["conflicts"]
    }
    assert pairs == {(first, old), (second, old), (second, first)}


def test_a_small_batch_answers_in_json_what_its_claims_contradict(program: Program) -> None:
    ports = ["The port of the api is 8080.", "The port of the api is 9090."]
    lines = "".join(json.dumps({"value": claim, "because": "x"}) + "\n" for claim in ports)

    done = program("remember", "--batch", "--json", stdin=lines).well()

    first, second = map(json.loads, done.out.splitlines())
    assert first["contradicts"] == []
    assert [one["id"] for one in second["contradicts"]] == [first["id"]]


def test_a_large_batch_says_how_to_look_for_contradictions(program: Program) -> None:
    lines = "".join(
        json.dumps({"value": f"The port of {name} is {port}.", "because": "x"}) + "\n"
        for name in ("the api", "the page", "the queue", "the cache", "the log", "the mail", "git")
        for port in range(8000, 8003)
    )

    done = program("remember", "--batch", stdin=lines).well()

    assert "seems to contradict" not in done.err
    assert "holdfast curate" in done.err
    assert program("curate").out.count("contradict")


@requirement("claim.person-renews")
def test_saying_a_claim_again_renews_its_lifetime_and_can_be_undone(program: Program) -> None:
    first = program("remember", *BECAUSE, "--ttl", "1h", "Tokens rotate.").well().id

    again = program("remember", *BECAUSE, "--ttl", "never", "--tag", "auth", "Tokens rotate.")

    assert f"already known: superseded {first}; changed: lifetime, tags" in again.well().err
    undo = again.err.partition("to undo: holdfast ")[2].split()[:2]
    program(*undo).well()
    assert [one["id"] for one in program("list", "--json").well().json["memories"]] == [first]


@requirement("claim.near-duplicate-adds-evidence")
def test_evidence_that_a_memory_has_is_not_said_to_be_added(program: Program) -> None:
    first = program("remember", *BECAUSE, "Tokens rotate.").well().id

    same = program("remember", *BECAUSE, "Tokens rotate.").well().err
    more = program("remember", "--because", "I saw it.", "Tokens rotate.").well().err

    assert f"already known as {first}; nothing was added" in same
    assert f"already known: the evidence was added to {first}" in more


@requirement("key.superseding-can-be-undone")
def test_a_claim_that_superseded_another_says_how_to_undo_it(program: Program) -> None:
    first = program("remember", "--key", "k", *BECAUSE, "Tokens rotate.").well().id

    new = program("remember", "--key", "k", *BECAUSE, "Tokens stay for a year.").well().err

    undo = new.partition("to undo: holdfast ")[2].split()[:2]
    program(*undo).well()
    assert [one["id"] for one in program("list", "--json").well().json["memories"]] == [first]


def test_a_default_lifetime_renews_nothing(program: Program) -> None:
    program("config", "set", "remember.ttl", "90d").well()
    first = program("remember", *BECAUSE, "Tokens rotate.").well().id

    again = program("remember", *BECAUSE, "--json", "Tokens rotate.").well().json

    assert (again["id"], again["outcome"]) == (first, "known")
    assert again["memory"]["expires_at"] is not None


@requirement("claim.agent-renews-nothing")
def test_an_agents_options_for_a_known_claim_are_named(program: Program) -> None:
    program("remember", *BECAUSE, "Tokens rotate.").well()
    as_agent = ("remember", "--origin", "agent", "--ttl", "3d", *BECAUSE)

    told = program(*as_agent, "Tokens rotate.").well()

    assert "not applied, because only a person may change it: lifetime" in told.err


@requirement("gate.hidden-characters-refused")
def test_what_is_removed_from_tasks_notes_and_runs_is_reported(program: Program) -> None:
    task = program("task", "add", "Wr\u200bite", "--json").well()
    name = task.json["task"]["id"]
    session = program("session", "start", "--json").well().json["session"]["id"]
    told = [
        task,
        program("task", "edit", name, "--notes", "So\u200bon"),
        program("task", "block", name, "no\u200b answer"),
        program("session", "note", "Sh\u200bip it", "--kind", "goal"),
        program("session", "turn", session, "--q", "wh\u200by"),
        program("session", "did", session, "ti\u200bdied"),
        program("run", "start", "ti\u200bdy"),
        program("run", "note", "do\u200bne"),
        program("run", "finish", "--summary", "ti\u200bdied"),
    ]

    for one in told:
        assert "hidden characters removed: 1 x ZERO WIDTH SPACE" in one.well().err
    assert "hidden" not in program("task", "edit", name, "--notes", "Later").well().err


@requirement("gate.hidden-characters-refused")
@pytest.mark.parametrize(
    "words",
    [
        ("--key", "tokens\u200b.life"),
        ("--tag", "au\u200bth"),
        ("--because", "I\u200b say"),
        ("--check", "file src/auth/o\u200bld.py must not exist"),
    ],
)
def test_what_is_removed_beside_the_claim_is_reported_too(
    program: Program, words: tuple[str, str]
) -> None:
    because = () if "--because" in words else BECAUSE
    base = ("remember", "--kind", "rule", *because, *words, "Tokens rotate.")

    told, shape = program(*base), program(*base, "--json")

    assert "hidden characters removed: 1 x ZERO WIDTH SPACE" in told.err
    assert [one["code_point"] for one in shape.json["removed_characters"]] == ["U+200B"]
