"""Every verb gives the same answer with a memory on a server as with one in a file."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.domain.errors import UnstorableTextError
from tests.cli.program import Finished, Program
from tests.remote.conftest import copied
from tests.requirements import requirement

_ID = re.compile(r"\b[mcsirdt]_[0-9a-zA-Z_]{6,}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+00:00|Z)")
_AUTHOR = re.compile(r"^ *author +ada\n|(?<=human) ada(?= through)", re.MULTILINE)
_NONCE = re.compile(r"memory [0-9a-f]{8}")
_HASHES = ("hash", "digest", "previous", "head", "shown", "at_millis", "store", "age", "location")
# The server ranks with its own clock and word statistics; the answers' order is compared.
_OWN = {*_HASHES, "sequence", "events", "markdown", "captured_at", "last_accessed", "sends_to"}
_OWN |= {
    "not_yet",
    "places",
    "counter",
    "tokens",
    "score",
    "amount",
    "reasons",
    "ranks",
    "space",
    "source",
    "advice",
    "commands",
    "holdfast.author",
}


def plain(value: Any, names: dict[str, str]) -> Any:
    """Return an answer with the same stand-in for the same id, and without what is its own."""
    if isinstance(value, dict):
        return {plain(at, names): plain(one, names) for at, one in value.items() if at not in _OWN}
    if isinstance(value, list):
        return [plain(one, names) for one in value]
    if isinstance(value, str):
        text = _TIME.sub("TIME", value)
        return _ID.sub(lambda found: names.setdefault(found[0], f"id{len(names)}"), text)
    return value


class Both:
    """The same commands against a file and against a server; their answers must be equal."""

    def __init__(self, local: Program, remote: Program) -> None:
        self._local, self._remote = local, remote
        self._ids: dict[str, tuple[str, str]] = {}
        self._names: tuple[dict[str, str], dict[str, str]] = ({}, {})

    def __call__(self, *words: str, stdin: str = "") -> Any:
        sides = [
            side(*[self._named(word, place) for word in words], "--json", stdin=stdin)
            for place, side in enumerate((self._local, self._remote))
        ]
        mine, theirs = sides
        assert mine.code == theirs.code, (words, mine, theirs)
        here, there = self._read(mine), self._read(theirs)
        assert plain(there, self._names[1]) == plain(here, self._names[0]), words
        self._same_text(words)
        return here, there

    def _same_text(self, words: tuple[str, ...]) -> None:
        """Commands that change nothing say the same to people, too."""
        if words[0] not in {"list", "show", "related", "conflicts", "review"}:
            return
        texts = [
            side(*[self._named(word, place) for word in words])
            for place, side in enumerate((self._local, self._remote))
        ]
        # Only a server knows several people by name.
        told = (_AUTHOR.sub("", one.out) for one in texts)
        mine, theirs = (_NONCE.sub("memory", _ID.sub("ID", one)) for one in told)
        assert _ages(theirs) == _ages(mine), words

    def keep(self, name: str, *words: str) -> None:
        here, there = self("remember", *words)
        self._ids[name] = (here["id"], there["id"])

    def name(self, name: str, here: str, there: str) -> None:
        self._ids[name] = (here, there)

    def _named(self, word: str, place: int) -> str:
        return self._ids[word][place] if word in self._ids else word

    @staticmethod
    def _read(done: Finished) -> Any:
        lines = [json.loads(line) for line in (done.out or done.err).splitlines() if line]
        return lines[0] if len(lines) == 1 else lines


def _ages(text: str) -> str:
    own = r"\d+ (seconds?|minutes?)|\d\d:\d\d|[0-9a-f]{12,}|\d+ of [0-9,]+ tokens"
    return re.sub(own, "N", text)


@pytest.fixture
def both(served: Program, repository: Path, tmp_path: Path) -> Both:
    local = Program(home=tmp_path / "local", folder=copied(repository, tmp_path / "here"))
    local("init", "--no-model").well()
    return Both(local, served)


@requirement("remote.same-answers")
def test_keeping_finding_and_explaining_is_the_same(both: Both) -> None:
    both.keep("@a", "--kind", "gotcha", "--key", "rotation", "--label", "R-1", "--evidence",
              "src/auth/tokens.py:41-58", "--ttl", "30d", "--tag", "auth",
              "Refresh tokens rotate.")  # fmt: skip
    both.keep("@b", "--kind", "decision", "--because", "I said so", "Deploys happen on Tuesdays.")
    both.keep("@c", "--kind", "fact", "--evidence", "https://example.com/a", "--pin", "Port is 80.")
    both.keep("@d", "--evidence", "commit:HEAD", "--scope", "global", "It began well.")
    both.keep("@again", "--kind", "gotcha", "--key", "rotation", "--because", "changed",
              "Refresh tokens rotate daily.")  # fmt: skip
    both.keep("@known", "--kind", "decision", "--because", "Again", "Deploys happen on Tuesdays.")
    both("remember", "--because", "x", "my password is hunter2hunter2Zx9!")
    both("remember", "No evidence at all.")
    both("remember", "--evidence", "src/none.py:3", "There is no such file.")
    both("remember", "--evidence", "commit:0123456789", "There is no such commit.")
    both("list")
    both("list", "--all", "--limit", "2")
    both("list", "--kind", "fact", "--pinned", "--oldest-first")
    both("list", "-w", "tokens")
    for name in ("@a", "@b", "@c", "@d", "@again"):
        both("show", name)
        both("explain", name)
    both("verify")
    both("show", "m_00000000000000000000000000")
    here, there = both("recall", "when do tokens rotate")
    both.name("@answer", here["id"], there["id"])
    both("recall", "nothing of this kind exists, whatsoever")
    both("recall", "--kind", "decision", "--limit", "3", "deploys")
    both("show", "@answer")
    both("explain", "@answer", "@again")
    both("recall", "--replay", "@answer")
    both("feedback", "@answer", "--good")
    both("feedback", "c_20200101T0000Z_000000", "--good")
    both("learn", "--dry-run")


@requirement("remote.same-answers")
def test_deciding_is_the_same(both: Both) -> None:
    both.keep("@a", "--because", "seen", "--key", "port", "The proxy listens on port 8080.")
    both.keep("@b", "--origin", "tool", "--because", "read", "--evidence", "src/auth/tokens.py:2",
              "The proxy listens on port 9090.")  # fmt: skip
    both.keep("@c", "--origin", "tool", "--evidence", "https://example.com/b", "Owls hunt alone.")
    both("review")
    both("conflicts")
    both("approve", "@c")
    both("approve", "@c")
    both("undo", "--list")
    both("undo", "--dry-run")
    both("undo")
    both("reject", "@c", "--reason", "not so")
    both("resolve", "@b", "@a", "--supersede", "--reason", "moved")
    both("edit", "@b", "--claim", "The proxy listens on port 9090 since May.", "--dry-run")
    both("edit", "@c", "--claim", "Owls hunt alone at night.", "--dry-run")
    both("edit", "@b", "--claim", "The proxy listens on port 9090 since May.")
    both("pin", "@a")
    both("unpin", "@a")
    both("link", "@a", "@c")
    both("related", "@a")
    both("link", "@a", "@c", "--remove")
    both("forget", "@c", "--yes", "--dry-run")
    both("forget", "@c", "--yes")
    both("show", "@c")
    both("revert", "--source", "cli", "--dry-run")


@requirement("remote.same-answers")
def test_sessions_and_runs_are_the_same(both: Both) -> None:
    here, there = both("session", "start", "--tool", "vim")
    both.name("@session", here["session"]["id"], there["session"]["id"])
    both("session", "turn", "@session", "--q", "How do tokens rotate?", "--notes", "Well.")
    both("session", "turn", "i_00000000", "--q", "Whose is this?")
    both("show", "@session")
    both("session", "end", "@session")
    both("session", "list")
    both("session", "list", "--everywhere")
    here, there = both("journal", "2026-01-01")


@requirement("remote.same-answers")
@pytest.mark.parametrize("key", ["auth/rotation", "a//b", "../memories", "a%2Fb", "é?#/"])
def test_a_memory_is_named_by_a_key_with_any_characters(both: Both, key: str) -> None:
    both("remember", "--because", "x", "--key", key, "Tokens rotate.")
    for words in (
        ("show", key),
        ("explain", key),
        ("related", key),
        ("verify", key),
        ("pin", key),
        ("edit", key, "--claim", "Tokens rotate hourly."),
        ("forget", key, "--yes"),
    ):
        here, _ = both(*words)
        assert "error" not in here, words


@requirement("remote.same-answers")
@pytest.mark.parametrize(
    "words",
    [("show", ""), ("pin", ""), ("explain", ""), ("related", ""), ("feedback", "", "--good")],
)
def test_an_empty_reference_names_nothing(both: Both, words: tuple[str, ...]) -> None:
    here, _ = both(*words)

    assert here["error"]["code"] == "no-such"


@requirement("remote.same-answers")
def test_a_branch_and_a_label_reach_the_server(
    both: Both, repository: Path, tmp_path: Path
) -> None:
    for folder in (repository, tmp_path / "here"):
        subprocess.run(
            ["/usr/bin/env", "git", "checkout", "-qb", "feature"], cwd=folder, check=True
        )
    both.keep("@a", "--label", "DEC-001", "--evidence", "src/auth/tokens.py:3", "A branch knows.")
    both("show", "DEC-001")
    both("status")


@requirement("remote.refuses-clearly")
def test_what_needs_the_store_itself_is_refused_in_one_sentence(served: Program) -> None:
    for words in (
        ("sync",),
        ("blame", "src/auth/tokens.py:3"),
        ("diff", "main..main"),
        ("rebuild",),
        ("doctor", "--repair"),
        ("token", "list"),
        ("curate", "--apply"),
        ("list", "--branch", "main"),
        ("recall", "--include", "code", "tokens"),
        ("serve",),
        ("key", "create"),
        ("key", "list"),
        ("key", "encrypt-store"),
        ("store", "copy", "elsewhere"),
        ("remember", "--because", "x", "--allow-secret", "A text."),
    ):
        done = served(*words)

        assert done.code == 4, (words, done)
        assert done.err.startswith("holdfast: The memory is on the server team, "), (words, done)
        assert "Traceback" not in done.err, (words, done)


@requirement("remote.refuses-clearly")
def test_the_page_names_what_needs_the_store_itself(served: Program) -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to" / "use-a-remote-server.md"
    named = page.read_text().partition("## What needs the store itself")[2]
    for words in (
        ("task", "list"),
        ("agent", "list"),
        ("workspace", "list"),
        ("check", "list"),
        ("verify", "--checks"),
        ("init",),
        ("tenant", "list"),
        ("db", "check"),
        ("jobs", "list"),
        ("key", "list"),
        ("curate",),
        ("learn", "--reset"),
    ):
        done = served(*words)
        assert (done.code, "The memory is on the server " in done.err) == (4, True), words
        is_option = words[-1].startswith("--")
        assert f"`{' '.join(words) if is_option else words[0]}`" in named, words


@requirement("remote.advice-can-be-followed")
def test_commits_are_searched_where_they_were_read(served: Program) -> None:
    told = served("import", "git").well().err

    assert "holdfast recall --store local --include memory,history" in told
    assert served("recall", "--store", "local", "--include", "memory,history", "why").code in {0, 3}


@requirement("remote.same-answers")
def test_python_uses_a_server_with_the_same_words(
    served: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in served.environment.items():
        monkeypatch.setenv(name, value)
    with holdfast.open(store="team", home=served.home, folder=served.folder) as memory:
        kept = memory.remember("Owls hunt.", because="seen")
        found = memory.recall("what do owls do")

        assert [one.id for one in found] == [kept.id]
        assert memory.get(kept.id).text == "Owls hunt."
        assert "http://127.0.0.1" in repr(memory)
        for claims in (["One.", " "], ["One.", "x" * 70_000]):
            with pytest.raises(holdfast.InvalidError, match="^Claim 2 of 2: ") as refused:
                memory.remember_all(claims, because="seen")
            assert refused.value.facts["index"] == 1
        half = "\ud800"
        for call in (memory.get, memory.undo, lambda tag: memory.list(tags=[tag])):
            with pytest.raises(UnstorableTextError):
                call(half)


@requirement("list.goes-on")
@requirement("remote.same-answers")
def test_python_reads_a_list_of_a_server_to_its_end(
    served: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in served.environment.items():
        monkeypatch.setenv(name, value)
    with holdfast.open(store="team", home=served.home, folder=served.folder) as memory:
        memory.remember_all([f"Owl {number} hunts." for number in range(5)], because="seen")
        memories = memory.list(limit=2)
        texts = [one.text for one in memories]
        for number in range(5):
            memory.session(tool=f"tool-{number}")
        sessions = memory.sessions(limit=2)
        tools = [one.tool for one in sessions]

        assert memories.total == 5
        while memories.next:
            memories = memory.list(limit=2, cursor=memories.next)
            texts += [one.text for one in memories]
        while sessions.next:
            sessions = memory.sessions(limit=2, cursor=sessions.next)
            tools += [one.tool for one in sessions]
        with pytest.raises(holdfast.InvalidError, match="cursor"):
            memory.sessions(cursor="made up")

    assert sorted(texts) == [f"Owl {number} hunts." for number in range(5)]
    assert tools == [f"tool-{number}" for number in reversed(range(5))]


@requirement("remote.same-answers")
@requirement("recall.nearest-named")
def test_what_is_nearest_to_a_silent_answer_has_its_claim(both: Both) -> None:
    for number in range(12):
        claim = f"Step {number} of the rollout uses one server."
        both("remember", claim, "--because", "as agreed")
    question = "server that bakes bread and cake for guests of a hotel abroad"

    here, there = both("recall", question)

    for answer in (here, there):
        claims = answer["nearest_claims"].values()
        assert len(claims) == 3
        assert all("of the rollout uses one server." in claim for claim in claims)


@requirement("remote.same-answers")
@requirement("recall.nearest-named")
def test_a_person_is_told_the_nearest_claim_over_a_server(served: Program) -> None:
    for number in range(12):
        claim = f"Step {number} of the rollout uses one server."
        served("remember", claim, "--because", "as agreed").well()

    told = served("recall", "server that bakes bread and cake for guests of a hotel abroad").err

    assert "nearest, but not sure to answer: m_" in told
    assert told.count("of the rollout uses one server.") == 3


@requirement("remote.same-answers")
def test_what_a_conversation_settles_waits_for_a_person_on_the_server(served: Program) -> None:
    served("list").well()
    said = "Never deploy the billing service on Fridays. Maybe we move the ledger. Is that wise?\n"

    looked = served("propose", "-", "--dry-run", "--json", stdin=said).well().json
    made = served("propose", "-", "--json", stdin=said).well().json
    again = served("propose", "-", "--json", stdin=said).well().json

    assert [one["claim"] for one in looked["added"]] == [one["claim"] for one in made["added"]]
    waiting = served("review", "--json").well().json["waiting"]
    assert [one["memory"]["id"] for one in waiting] == [one["id"] for one in made["added"]]
    assert waiting[0]["memory"]["origin"] == "tool"
    assert len(served("review", "--json").well().json["waiting"]) == len(waiting)
    assert again["dry_run"] is False


@requirement("remote.same-answers")
def test_a_run_is_noted_finished_and_proposes_on_the_server(served: Program) -> None:
    served("run", "start", "--goal", "pay the debts").well()
    served("run", "note", "We decided: never deploy on Fridays.").well()
    served("run", "context").well()
    done = served("run", "finish", "--json", stdin="Never retry more than four times.").well().json

    assert done["run"]["status"] == "finished"
    assert done["candidates"]
    assert served("run", "show", "--json").code == 3  # no run is open
    assert [one["goal"] for one in served("run", "list", "--json").json["runs"]] == [
        "pay the debts"
    ]
    assert served("doctor", "--json").code in {0, 1}
    assert served("export").well().out.count('"type": "memory"') == len(done["candidates"])
