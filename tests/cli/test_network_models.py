"""Embedders on the network as a person meets them: choose, embed, recall, forget, lose them."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any
from uuid import uuid4

import pytest

from holdfast.adapters.embedding.answering import carried_answer_reader
from tests.adapters.embedding_server import (
    EmbeddingServer,
    Handler,
    answer_well,
    refuse,
    serving,
    stay_silent,
)
from tests.adapters.tiny_model import write_source
from tests.cli.program import Program
from tests.hook.caller import Caller, keep
from tests.patience import PATIENCE
from tests.postgres_server import server as postgres
from tests.requirements import requirement

MODEL = "openai:bge"
WORDS_ONLY = "searched by words only"


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with serving() as one:
        yield one


@pytest.fixture(params=["file", "postgres"])
def either(request: pytest.FixtureRequest, program: Program) -> Program:
    """The program with a store in a file, and with one on a server."""
    if request.param == "file":
        return program
    address = {"HOLDFAST_STORE": postgres().url(), "HOLDFAST_TENANT": uuid4().hex}
    return replace(program, extra=address)


def fill(program: Program, count: int) -> None:
    claims = [f"Service {number} rotates its token." for number in range(count)]
    lines = "".join(f'{{"claim": "{claim}", "because": "we agreed"}}\n' for claim in claims)
    program("remember", "--batch", stdin=lines).well()


def choose(program: Program, server: EmbeddingServer, *more: str) -> Any:
    words = ("model", "use", MODEL, "--url", server.url, "--json", *more)
    return program(*words).well().json


def shown(program: Program, name: str) -> dict[str, Any]:
    found = program("model", "list", "--json").well().json["models"]
    return next(model for model in found if model["name"] == name)


def recalled(program: Program, question: str) -> Any:
    return program("recall", "--q", question, "--json").well().json


def test_a_model_on_the_network_is_chosen_embeds_and_answers(
    either: Program, server: EmbeddingServer
) -> None:
    kept = keep(either, "Tokens rotate hourly.")

    chosen = choose(either, server)

    host = server.url.split("/")[2]
    assert chosen == {"name": MODEL, "dimension": 8, "sends_to": host, "memories": 1}
    assert either("config", "get", "embedding.dimension").well().out.strip() == "8"
    answer = recalled(either, "rotating token")
    assert [item["memory_id"] for item in answer["items"]] == [kept]
    assert "meaning" in {reason["leg"] for reason in answer["items"][0]["reasons"]}
    line = shown(either, MODEL)
    assert (line["chosen"], line["memories"], line["sends_to"]) == (True, 1, host)


@requirement("model.network-needs-a-person")
def test_status_doctor_list_and_explain_say_who_receives_texts(
    program: Program, server: EmbeddingServer
) -> None:
    keep(program, "Tokens rotate hourly.")
    said = program("model", "use", MODEL, "--url", server.url).well()
    host = server.url.split("/")[2]

    assert f"claims and questions are sent to {host}" in said.err
    assert f"claims and questions are sent to {host}" in program("status").well().out
    assert program("status", "--json").well().json["embedding"]["sends_to"] == host
    assert f"Claims and questions are sent to {host}." in program("doctor").well().out
    assert "network" in program("model", "list").well().out
    answer = recalled(program, "rotating token")
    assert f"receives questions and claims at {host}" in program("explain", answer["id"]).well().err
    program("model", "verify", MODEL).well()


@requirement("model.network-needs-a-person")
@pytest.mark.parametrize(
    "variables",
    [
        {"HOLDFAST_EMBEDDING_MODEL": MODEL, "HOLDFAST_EMBEDDING_URL": "{url}"},
        {"HOLDFAST_EMBEDDING_MODEL": MODEL},
        {"HOLDFAST_EMBEDDING_URL": "{url}"},
    ],
)
def test_no_variable_makes_a_service_receive_texts(
    program: Program, server: EmbeddingServer, variables: dict[str, str]
) -> None:
    keep(program, "Tokens rotate hourly.")
    with serving() as own:
        if "HOLDFAST_EMBEDDING_MODEL" not in variables:
            choose(program, own)
        program("config", "set", "embedding.dimension", "8").well()
        hostile = {name: text.format(url=server.url) for name, text in variables.items()}
        led = replace(program, extra={**program.extra, **hostile})

        answer = recalled(led, "tokens")

        assert len(answer["items"]) == 1
        assert "cannot choose an embedder on the network" in led("status").well().out
        assert led("doctor").code == 1
        assert server.texts == []


@requirement("model.network-needs-a-person")
def test_no_file_of_a_repository_chooses_an_embedder(
    program: Program, server: EmbeddingServer
) -> None:
    keep(program, "Tokens rotate hourly.")
    text = f'embedding.model = "{MODEL}"\nembedding.url = "{server.url}"\nembedding.dimension = 8\n'
    for place in ("config.toml", ".holdfast/config.toml", "holdfast/config.toml"):
        path = program.folder / place
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    recalled(program, "tokens")

    assert server.texts == []


@requirement("model.network-needs-a-person")
def test_no_home_in_a_repository_chooses_an_embedder(
    program: Program, server: EmbeddingServer
) -> None:
    home = program.folder / "tools" / "memory"
    home.mkdir(parents=True)
    text = f'embedding.model = "{MODEL}"\nembedding.url = "{server.url}"\nembedding.dimension = 8\n'
    (home / "config.toml").write_text(text)
    led = replace(program, home=home, extra={"HOME": str(program.folder)})
    keep(led, "Tokens rotate hourly.")

    recalled(led, "tokens")

    assert "inside a repository, cannot choose" in led("status").well().out
    assert "inside a repository" in led("model", "use", MODEL, "--url", server.url).err
    assert server.texts == []


@requirement("model.network-fails-softly")
def test_without_the_service_memories_are_kept_and_words_find_them(
    either: Program, server: EmbeddingServer
) -> None:
    keep(either, "Tokens rotate hourly.")
    choose(either, server)
    server.always = refuse(503)

    late = keep(either, "Certificates rotate yearly.")
    answer = recalled(either, "certificates")

    assert [item["memory_id"] for item in answer["items"]] == [late]
    assert any(WORDS_ONLY in note and "HTTP 503" in note for note in answer["notes"])

    server.always = None
    answer = recalled(either, "certificates")
    assert answer["notes"] == []
    assert shown(either, MODEL)["memories"] == 2


@requirement("model.network-fails-softly")
def test_a_question_that_is_cached_still_searches_by_meaning_without_the_service(
    program: Program, server: EmbeddingServer
) -> None:
    kept = keep(program, "Tokens rotate hourly.")
    choose(program, server)
    recalled(program, "rotating token")
    server.always = refuse(401)
    keep(program, "Certificates rotate yearly.")

    answer = recalled(program, "rotating token")

    first = answer["items"][0]
    assert first["memory_id"] == kept
    assert "meaning" in {reason["leg"] for reason in first["reasons"]}
    assert any("some memories were searched by words only" in note for note in answer["notes"])


@requirement("model.network-fails-softly")
def test_a_hook_does_not_wait_for_a_silent_service(
    program: Program, server: EmbeddingServer
) -> None:
    keep(program, "Tokens rotate hourly.")
    choose(program, server)
    program("config", "set", "hook.meaning", "on").well()
    server.always = stay_silent
    asked = len(server.bodies)
    caller = Caller(program)

    told = caller.start() + caller.prompt("When do the tokens rotate in this service?")

    assert "Tokens rotate hourly." in told
    assert len(server.bodies) > asked


@requirement("model.forgotten-leaves-the-cache")
def test_a_forgotten_text_leaves_the_cache_and_so_do_questions(
    either: Program, server: EmbeddingServer
) -> None:
    gone = keep(either, "Tokens rotate hourly.", "rule", "--key", "tokens")
    keep(either, "Certificates rotate yearly.")
    choose(either, server)
    recalled(either, "Tokens rotate hourly.")
    before = cached(either)

    either("forget", "--id", gone, "--yes").well()

    after = cached(either)
    assert (len(before), len(after)) == (3, 1)
    either("model", "use", "none").well()
    left = shown(either, next(iter(embedded_names(either))))
    assert (left["memories"], left["installed"], left["chosen"]) == (1, False, False)
    choose(either, server)
    assert server.texts.count("tokens: Tokens rotate hourly.") == 1


def embedded_names(program: Program) -> list[str]:
    found = program("model", "list", "--json").well().json["models"]
    return [model["name"] for model in found if model["memories"]]


def cached(program: Program) -> list[Path]:
    folder = program.home / "cache" / "embeddings"
    return [path for path in folder.glob("*/*/*") if path.is_file()]


@requirement("model.change-has-no-downtime")
def test_the_old_model_answers_until_the_new_one_has_embedded_all(
    either: Program, server: EmbeddingServer, tmp_path: Path
) -> None:
    source = write_source(tmp_path / "source")
    either("model", "install", "tiny", "--from", str(source)).well()
    fill(either, 70)
    either("model", "catch-up").well()
    server.behaviours = [answer_well, answer_well, refuse(401)]

    failed = either("model", "use", MODEL, "--url", server.url)

    assert failed.code != 0
    assert "HTTP 401" in failed.err
    assert shown(either, "tiny")["chosen"] is True
    assert recalled(either, "token")["notes"] == []
    sent = len(server.texts)

    server.behaviours = []
    assert choose(either, server)["memories"] == 6
    assert len(server.texts) == sent + 7  # one word for the size, and the six that were refused
    assert shown(either, MODEL)["memories"] == 70
    removed = either("model", "remove", "tiny", "--vectors", "--json").well().json
    assert removed == {"removed": "tiny", "memories": 70}
    assert either("model", "remove", MODEL, "--vectors").code == 2
    assert "1 memory" not in either("doctor").well().out


@requirement("model.embedding-resumes")
@pytest.mark.parametrize("verb", [("model", "catch-up"), ("rebuild", "--embeddings")])
def test_an_embedding_run_that_is_killed_goes_on_where_it_was(
    either: Program, server: EmbeddingServer, verb: tuple[str, ...]
) -> None:
    fill(either, 130)
    if verb[0] == "rebuild":
        choose(either, server)
    else:
        choose(either, server, "--later", "--dimension", "8")
    server.bodies.clear()
    reached = Event()

    def stop_there(handler: Handler, body: dict[str, Any]) -> None:
        reached.set()
        stay_silent(handler, body)

    server.behaviours = [answer_well, answer_well, stop_there]
    process = subprocess.Popen(
        [sys.executable, "-m", "holdfast", *verb], env=either.environment, cwd=either.folder
    )
    assert reached.wait(PATIENCE)
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=PATIENCE)
    if verb[0] == "rebuild":
        assert recalled(either, "token")["notes"] == []
    server.bodies.clear()

    done = either(*verb, "--json").well().json

    assert done == {"memories": 2}
    assert len(server.texts) == 2
    assert shown(either, MODEL)["memories"] == 130
    assert not list(either.home.glob("cache/reembedding-*"))


@requirement("model.key-is-never-shown")
def test_a_key_is_in_no_answer_of_the_program(program: Program, server: EmbeddingServer) -> None:
    server.always = refuse(401, b"you sent sk-not-for-your-eyes")
    with_key = replace(program, extra={"OUR_KEY": "sk-not-for-your-eyes"})
    with_key("config", "set", "embedding.key_env", "OUR_KEY").well()
    with_key("config", "set", "embedding.dimension", "8").well()
    keep(with_key, "Tokens rotate hourly.")
    choose(with_key, server, "--later", "--dimension", "8")

    said = [
        with_key(*words)
        for words in (
            ("recall", "--q", "tokens"),
            ("model", "catch-up"),
            ("model", "verify", MODEL),
            ("model", "list", "--json"),
            ("config", "list"),
            ("status",),
            ("doctor",),
        )
    ]

    assert server.headers[0]["Authorization"] == "Bearer sk-not-for-your-eyes"
    assert not [one for one in said if "not-for-your-eyes" in one.out + one.err]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("openai:x", "--url", "ftp://x"), "http://"),
        (("openai:x", "--url", "https://ada:hunter2@example.org/v1"), "password"),
        (("openai:text-embedding-3-small",), "has no key"),
        (("openai:text-embedding-3-small", "--dimension", "9999"), "but of 1536"),
        (("bedrock:amazon.titan-embed-text-v2:0", "--dimension", "5"), "but of 1024, 512, 256"),
        (("bedrock:cohere.embed", "--dimension", "5"), "Titan"),
        (("minilm", "--url", "https://example.org"), "has no address"),
        (("openai:x", "--url", "http://127.0.0.1:1/v1"), "does not answer"),
        (("azure:x",), "is not known"),
    ],
)
def test_a_model_that_cannot_be_used_is_refused_and_nothing_changes(
    program: Program, words: tuple[str, ...], said: str
) -> None:
    keep(program, "Tokens rotate hourly.")

    done = program("model", "use", *words)

    assert done.code not in {0, 70}
    assert said in done.err
    assert "hunter2" not in done.out + done.err
    assert not (program.home / "config.toml").exists()


def test_a_size_of_another_model_is_not_kept(program: Program, server: EmbeddingServer) -> None:
    choose(program, server)
    assert program("config", "get", "embedding.dimension").well().out.strip() == "8"

    with_key = replace(program, extra={"OPENAI_API_KEY": "sk-1"})
    program("config", "unset", "embedding.url").well()
    chosen = with_key("model", "use", "openai:text-embedding-ada-002", "--json").well().json

    assert (chosen["dimension"], chosen["sends_to"]) == (1536, "api.openai.com")
    assert "has no files" in program("model", "remove", MODEL).err
    assert "model with vectors" in program("model", "remove", MODEL, "--vectors").err
    assert program("config", "get", "embedding.dimension").well().out.strip() == ""


@requirement("model.network-has-a-budget")
def test_a_spent_budget_is_said_and_the_next_run_goes_on(
    program: Program, server: EmbeddingServer
) -> None:
    fill(program, 130)
    choose(program, server, "--later", "--dimension", "8")
    program("config", "set", "embedding.calls", "2").well()

    spent = program.start("model", "catch-up")
    assert spent.code != 0
    assert "holdfast config set embedding.calls" in spent.err
    assert shown(program, MODEL)["memories"] == 128

    assert program.start("model", "catch-up", "--json").well().json == {"memories": 2}


@requirement("recall.deep-is-never-needed")
def test_without_the_package_that_runs_models_only_those_who_chose_them_get_a_note(
    program: Program, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOLDFAST_RECALL_DEEP", raising=False)
    fill(program, 3)
    choose(program, server)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    carried_answer_reader.cache_clear()
    asked = ("recall", "--q", "who paints the fence", "--json")

    by_default = program(*asked).well().json
    program("config", "set", "recall.deep", "auto").well()
    chosen = program(*asked).well().json

    assert by_default["items"] == chosen["items"] == []
    assert by_default["notes"] == []
    assert chosen["notes"] == [
        "the best hits were not read again: The model needs onnxruntime, which is not installed"
    ]
