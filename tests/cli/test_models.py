from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.adapters.machine.settings import DEFAULT_MODEL
from holdfast.bootstrap.opening.wiring import open_holdfast
from tests.adapters.tiny_model import write_source
from tests.builders import ADA
from tests.cli.program import Program
from tests.cli.test_terminal import at_terminal
from tests.patience import PATIENCE
from tests.requirements import requirement

# pip finds no such place, as without a network.
NOWHERE = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": "/dev/null", "PIP_FIND_LINKS": ""}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_source(tmp_path / "source")


@pytest.fixture
def tiny(program: Program, source: Path) -> Program:
    """A program with a tiny model that is used."""
    program("model", "install", "tiny", "--from", str(source)).well()
    return program


def shown(program: Program, name: str) -> dict[str, object]:
    found = program("model", "list", "--json").well().json["models"]
    return next(model for model in found if model["name"] == name)


def test_the_known_models_are_listed_before_any_is_installed(program: Program) -> None:
    plain = program("model", "list").well()

    names = [line.split("\t")[1] for line in plain.out.splitlines()]
    assert names[:5] == ["e5-small", "minilm", "static", "gte-small", "kelp"]
    assert {name.partition(":")[0] for name in names[5:]} == {"openai", "bedrock"}
    assert "holdfast model install" in plain.err
    assert shown(program, "minilm")["installed"] is False
    assert shown(program, "e5-small")["licence"] == "MIT"
    assert shown(program, "kelp")["source"] == "holdfast: kelp 2"


def test_the_first_model_that_is_installed_is_used(program: Program, source: Path) -> None:
    done = program("model", "install", "tiny", "--from", str(source), "--json").well().json

    assert done["installed"] is True
    assert done["model"]["chosen"] is True
    assert program("config", "get", "embedding.model").well().out.strip() == "tiny"
    again = program("model", "install", "tiny", "--from", str(source)).well()
    assert "is installed already" in again.out


@requirement("model.default-needs-no-network")
def test_without_a_network_the_default_model_is_installed(program: Program) -> None:
    named = program.start("model", "install", "minilm", env=NOWHERE)
    done = program.start("model", "install", env=NOWHERE).well()
    again = program.start("model", "install", "--json", env=NOWHERE).well().json
    program("remember", "--because", "I decided", "We release on Tuesdays.").well()
    found = program("recall", "--q", "When do we ship?", "--md").well()

    assert named.code != 0
    assert "kelp is in the package and needs no network: holdfast model install kelp" in named.err
    assert "kelp is installed" in done.out
    assert again["installed"] is False
    assert (again["model"]["name"], again["model"]["chosen"]) == (DEFAULT_MODEL, True)
    assert "Tuesdays" in found.out
    assert "words only" not in found.err
    assert program("config", "get", "embedding.model").well().out.strip() == DEFAULT_MODEL


@requirement("model.earlier-default-stays")
def test_the_default_of_earlier_versions_stays_until_the_default_is_installed(
    program: Program, source: Path
) -> None:
    program("model", "install", "minilm", "--from", str(source)).well()
    program("config", "unset", "embedding.model").well()
    assert shown(program, "minilm")["chosen"] is True
    assert "minilm@" in program("status").well().out

    program("model", "install", "--from", str(write_source(source.parent / "new", seed=9))).well()

    assert shown(program, "minilm")["chosen"] is False
    assert shown(program, "kelp")["chosen"] is True


def test_who_set_a_model_keeps_it_when_the_default_is_installed(
    program: Program, source: Path
) -> None:
    program("model", "install", "minilm", "--from", str(source)).well()

    program("model", "install", "--from", str(write_source(source.parent / "new", seed=9))).well()

    assert shown(program, "minilm")["chosen"] is True


def test_a_second_model_waits_until_it_is_chosen(tiny: Program, tmp_path: Path) -> None:
    other = write_source(tmp_path / "other", seed=9)

    said = tiny("model", "install", "other", "--from", str(other)).well()
    assert "holdfast model use other" in said.err
    assert shown(tiny, "tiny")["chosen"] is True

    tiny("model", "use", "other").well()
    assert shown(tiny, "other")["chosen"] is True
    assert shown(tiny, "tiny")["chosen"] is False


def test_status_and_doctor_say_what_reads_meaning(program: Program, source: Path) -> None:
    before = program("status").well().out
    findings = program("doctor", "--json").well().json["findings"]
    assert (
        f"searches by words only; 'holdfast model install {DEFAULT_MODEL}' installs a model"
        in before
    )
    assert {"ok", "note"} >= {one["severity"] for one in findings}

    program("model", "install", "tiny", "--from", str(source)).well()

    assert "tiny@" in program("status").well().out
    assert program("status", "--json").well().json["embedding"]["model"].startswith("tiny@")
    last = program("doctor", "--json").well().json["findings"][-1]
    assert (last["check"], last["severity"]) == ("meaning", "ok")


@requirement("model.damage-is-said")
@requirement("meaning.optional")
def test_a_broken_model_is_said_and_words_still_find(tiny: Program) -> None:
    tiny("remember", "--because", "I decided", "We deploy on Tuesdays.").well()
    weights = tiny.home / "models" / "tiny" / "weights.bin"
    weights.write_bytes(weights.read_bytes()[:100])

    verified = tiny("model", "verify")
    checked = tiny("doctor", "--json")

    assert verified.code != 0
    assert "holdfast model install tiny --force" in verified.err
    assert checked.code == 1
    assert "weights.bin" in checked.json["findings"][-1]["message"]
    assert "Tuesdays" in tiny("recall", "--q", "deploy", "--md").well().out


def test_a_card_that_cannot_be_read_stops_nothing_else(tiny: Program) -> None:
    (tiny.home / "models" / "tiny" / "card.json").write_text("{")

    assert "its card" in tiny("status").well().out
    assert shown(tiny, "tiny")["problem"]
    assert tiny("doctor").code == 1


def test_verify_remove_and_force(tiny: Program, source: Path) -> None:
    assert tiny("model", "verify", "--json").well().json == {"verified": ["tiny"]}
    (tiny.home / "models" / "tiny" / "vocabulary.txt").write_text("x")
    assert tiny("model", "verify", "tiny").code != 0

    tiny("model", "install", "tiny", "--from", str(source), "--force").well()
    assert "sound" in tiny("model", "verify").well().out

    assert tiny("model", "remove", "tiny", "--yes", "--json").well().json == {"removed": "tiny"}
    assert not (tiny.home / "models" / "tiny").exists()
    assert "No model is installed" in tiny("model", "verify").well().err


def test_removing_the_model_in_use_says_what_happens_and_how_to_go_on(
    tiny: Program, tmp_path: Path
) -> None:
    tiny("remember", "--because", "Seen.", "The zebra sleeps.").well()
    tiny("model", "catch-up").well()
    other = write_source(tmp_path / "other", seed=9)
    tiny("model", "install", "other", "--from", str(other)).well()

    refused = tiny("model", "remove", "tiny")
    no = at_terminal(tiny, "model", "remove", "tiny", typed="n\n")
    done = tiny("model", "remove", "tiny", "--yes").well()
    listed = tiny("model", "list").well()

    assert refused.code == 2
    assert "tiny is in use. Without it, recall searches by words only" in refused.err
    assert (tiny.home / "models" / "tiny").exists() is False
    assert (no.code, "Nothing was changed" in no.err) == (1, True)
    for said in (done.err, listed.err):
        assert "tiny is chosen and not installed" in said
        assert "the vectors of 1 memory stay in the store" in said
        assert "holdfast model install tiny" in said
        assert "holdfast model use other" in said
    assert tiny("model", "remove", "other").well().err == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("model", "install", "unheard-of"), "is not known; there are: e5-small"),
        (("model", "install", "../x"), "cannot be a model's"),
        (("model", "install", "tiny", "--from", "nowhere"), "There is no file or folder nowhere"),
        (("model", "use", "minilm"), "holdfast model install minilm"),
        (("model", "use", "unheard-of"), "is not known; there are: e5-small"),
        (("model", "remove", "minilm"), "minilm"),
        (("model", "verify", "minilm"), "minilm"),
        (("model", "use"), "model use --help"),
        (("config", "set", "embedding.url", "ftp://x"), "https://"),
        (("config", "set", "embedding.model", "a b"), "a model's name"),
    ],
)
def test_what_cannot_be_done_is_refused_with_advice(
    program: Program, words: tuple[str, ...], said: str
) -> None:
    done = program(*words)

    assert done.code not in {0, 70}
    assert said in done.err


def test_no_model_and_one_that_was_renamed_are_said(program: Program) -> None:
    program("model", "use", "none").well()
    assert "searches by words only, as the setting says" in program("status").well().out
    assert program("doctor").code == 0

    program("config", "set", "embedding.model", "remote").well()
    assert "holdfast model use openai:" in program("status").well().out


@requirement("model.init-never-needs-a-network")
def test_init_says_what_reads_meaning_and_never_fails_for_want_of_a_network(
    program: Program,
) -> None:
    plain = program("init").well()
    assert "searches by words only" in plain.out
    assert program("init", "--no-model", "--json").well().json["model"] == ""

    program("config", "set", "embedding.model", "e5-small").well()
    missed = program.start("init", "--model", env=NOWHERE).well()
    assert "no model: The model e5-small could not be fetched" in missed.err
    assert list((program.home / "models").iterdir()) == [program.home / "models" / ".lock"]

    program("config", "unset", "embedding.model").well()
    wanted = program.start("init", "--model", env=NOWHERE)

    assert wanted.code == 0
    assert "Traceback" not in wanted.err
    assert "kelp@" in wanted.out


@requirement("model.install-is-whole-or-nothing")
def test_two_installs_at_once_leave_one_whole_model(program: Program, source: Path) -> None:
    words = [sys.executable, "-m", "holdfast", "model", "install", "tiny", "--from", str(source)]
    both = [
        subprocess.Popen(
            [*words, "--force"],
            env=program.environment,
            cwd=program.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(2)
    ]

    ends = [(one.communicate(timeout=PATIENCE), one.returncode) for one in both]

    assert [code for _, code in ends] == [0, 0], ends
    assert program("model", "verify", "--json").well().json == {"verified": ["tiny"]}
    assert sorted(path.name for path in (program.home / "models").iterdir()) == [".lock", "tiny"]


@requirement("model.install-is-whole-or-nothing")
@pytest.mark.parametrize("with_signal", [signal.SIGKILL, signal.SIGINT])
def test_an_install_that_is_stopped_leaves_no_model(
    program: Program, source: Path, with_signal: signal.Signals
) -> None:
    # A pipe in the place of the weights: the install reads for ever, until it is stopped.
    slow = Path(shutil.copytree(source, source.with_name("slow")))
    weights = slow / "model.safetensors"
    weights.unlink()
    os.mkfifo(weights)
    models = program.home / "models"
    words = [sys.executable, "-m", "holdfast", "model", "install", "tiny", "--from", str(slow)]
    process = subprocess.Popen(words, env=program.environment, cwd=program.folder)
    with weights.open("wb"):  # this waits until the install reads
        begun = list(models.glob(".partial*"))
        process.send_signal(with_signal)
        code = process.wait(timeout=PATIENCE)

    assert begun
    if with_signal is signal.SIGINT:
        assert code == 130
        assert list(models.glob(".partial*")) == []
    assert not (models / "tiny").exists()
    program("model", "install", "tiny", "--from", str(source)).well()
    assert list(models.glob(".partial*")) == []


@requirement("model.status-says-when")
def test_the_status_says_when_the_rest_is_embedded(tiny: Program) -> None:
    tiny("remember", "--because", "I decided", "The cat slept on the mat.").well()
    rest = "a recall embeds the rest, or 'holdfast model catch-up' now"

    assert f"has embedded 0 of 1 in the store; {rest}" in joined(tiny("status").well().out)
    tiny("recall", "where did the cat sleep").well()
    after = joined(tiny("status").well().out)
    assert "has embedded 1 of 1 in the store" in after
    assert rest not in after


def joined(text: str) -> str:
    return " ".join(text.split())


def test_a_newly_chosen_model_reads_what_the_other_has_read_and_the_other_stays_at_hand(
    tiny: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny("remember", "--because", "I decided", "The cat slept on the mat.").well()
    tiny("model", "catch-up").well()
    other = write_source(tmp_path / "other", seed=9)
    tiny("model", "install", "other", "--from", str(other)).well()

    later = tiny("model", "use", "other", "--later").well()

    assert "holdfast model catch-up" in later.err
    assert "tiny@" in tiny("status", "--json").well().json["embedding"]["answering"]
    assert "answers until it has embedded all" in tiny("status").well().out
    assert (shown(tiny, "tiny")["memories"], shown(tiny, "other")["memories"]) == (1, 0)
    monkeypatch.setenv("HOLDFAST_MODELS", str(tiny.home / "models"))
    memory = open_holdfast(principal=ADA, home=tiny.home, folder=tiny.folder)
    memory.close()
    assert memory.embedder is not None
    assert memory.embedder.model.name == shown(tiny, "other")["model"]
    assert [one.model.name for one in memory.older_embedders] == [shown(tiny, "tiny")["model"]]
    assert tiny("model", "catch-up", "--json").well().json == {"memories": 1}
    assert shown(tiny, "other")["memories"] == 1
