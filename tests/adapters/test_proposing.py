from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from holdfast.adapters.proposing.model import ModelAccess, ModelProposer
from holdfast.adapters.tokens.estimate import EstimatedTokens
from holdfast.domain.choices import Kind
from holdfast.domain.refusals import ProposerFailedError
from tests.adapters.speaking_model import Model, speaking
from tests.patience import PATIENCE
from tests.requirements import requirement
from tests.unit.talks import a_talk

SECRET = "ghp_" + "a1B2" * 9  # no secret, only shaped like one
RULING = "Never deploy billing on Fridays."
TALK = a_talk(f"U: {RULING}", "T: the output of a tool", "A: Understood.")
MEMORY: dict[str, object] = {
    "claim": "Billing is never deployed on Fridays.",
    "kind": "rule",
    "turn": 1,
    "quote": RULING,
    "confidence": 0.9,
}
count = EstimatedTokens().count


@pytest.fixture
def model() -> Iterator[Model]:
    with speaking() as one:
        yield one


def a_proposer(
    server: Model, *, pauses: list[float] | None = None, **changes: Any
) -> ModelProposer:
    fields: dict[str, Any] = {
        "protocol": "openai",
        "url": server.url,
        "model": "small",
        "key": "k",
        "tokens": 4_000,
        "timeout": PATIENCE,
    }
    waits = [] if pauses is None else pauses
    return ModelProposer(ModelAccess(**(fields | changes)), count=count, pause=waits.append)


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_a_model_proposes_in_both_protocols(model: Model, protocol: str) -> None:
    model.proposes(MEMORY)

    [one] = a_proposer(model, protocol=protocol).propose(TALK, limit=5)

    assert one.claim == "Billing is never deployed on Fridays."
    assert (one.kind, one.turn, one.confidence) == (Kind.RULE, 1, 0.9)
    assert TALK.turns[0].text[one.first : one.last] == one.quote == RULING
    assert one.rule == f"{protocol}:small"


def test_openai_is_asked_as_it_wants_to_be(model: Model) -> None:
    model.proposes()

    assert a_proposer(model).propose(TALK, limit=3) == []

    [body], [headers] = model.bodies, model.headers
    assert model.paths == ["/v1/chat/completions"]
    assert headers["authorization"] == "Bearer k"
    assert body["model"] == "small"
    assert body["response_format"] == {"type": "json_object"}
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert "At most 3" in body["messages"][0]["content"]


def test_anthropic_is_asked_as_it_wants_to_be(model: Model) -> None:
    model.proposes()

    a_proposer(model, protocol="anthropic").propose(TALK, limit=3)

    [body], [headers] = model.bodies, model.headers
    assert model.paths == ["/v1/messages"]
    assert headers["x-api-key"] == "k"
    assert headers["anthropic-version"]
    assert body["max_tokens"] > 0
    assert [message["role"] for message in body["messages"]] == ["user"]
    assert "JSON" in body["system"]


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_without_a_key_none_is_sent(model: Model, protocol: str) -> None:
    model.proposes()

    a_proposer(model, protocol=protocol, key="").propose(TALK, limit=3)

    assert not {"authorization", "x-api-key"} & set(model.headers[0])


@requirement("propose.model-gets-no-secret")
@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_a_model_is_sent_no_secret_no_hidden_sign_and_no_tool_output(
    model: Model, protocol: str
) -> None:
    model.proposes()
    talk = a_talk(
        f"U: The token is {SECRET}, use it. {'x ' * 3_000}{SECRET}",
        "T: the output of a tool",
        "A: I keep\N{ZERO WIDTH SPACE} it.",
    )

    a_proposer(model, protocol=protocol, tokens=20_000).propose(talk, limit=3)

    assert SECRET not in model.heard
    assert "[secret removed" in model.heard
    assert "\N{ZERO WIDTH SPACE}" not in model.heard
    assert "output of a tool" not in model.heard
    assert "[cut]" in model.heard


def test_a_conversation_is_cut_from_its_beginning_to_fit_the_budget(model: Model) -> None:
    model.proposes()
    talk = a_talk(*(f"U: Turn number {n} says a few words more." for n in range(200)))

    a_proposer(model, tokens=1_000).propose(talk, limit=3)

    [body] = model.bodies
    sent = "".join(message["content"] for message in body["messages"])
    assert count(sent) + body["max_tokens"] <= 1_000
    assert "Turn number 199" in sent
    assert "Turn number 0 " not in sent


def test_a_budget_without_room_for_a_turn_is_said(model: Model) -> None:
    with pytest.raises(ProposerFailedError, match="no room"):
        a_proposer(model, tokens=100).propose(TALK, limit=3)

    assert model.bodies == []


@pytest.mark.parametrize("missing", ["url", "model"])
def test_what_is_not_set_is_said(model: Model, missing: str) -> None:
    with pytest.raises(ProposerFailedError, match=rf"propose\.{missing} is not set"):
        a_proposer(model, pauses=[], **{missing: ""}).propose(TALK, limit=3)


@requirement("propose.model-not-believed")
@pytest.mark.parametrize(
    "changes",
    [
        {"quote": "Deploy on Fridays."},
        {"quote": ""},
        {"turn": 9},
        {"turn": "1"},
        {"claim": " "},
        {"claim": 3},
        {"claim": "x" * 3_000},
        {"quote": None},
    ],
)
def test_a_memory_without_an_exact_quote_is_dropped(
    model: Model, changes: dict[str, object]
) -> None:
    model.proposes({**MEMORY, **changes}, MEMORY)

    assert len(a_proposer(model).propose(TALK, limit=5)) == 1


def test_odd_kinds_and_confidences_are_put_right(model: Model) -> None:
    model.proposes(
        {**MEMORY, "kind": "poem", "confidence": 7},
        {**MEMORY, "kind": 3, "confidence": True},
        {**MEMORY, "confidence": "very"},
    )

    found = a_proposer(model).propose(TALK, limit=5)

    assert [(one.kind, one.confidence) for one in found] == [
        (Kind.FACT, 1.0),
        (Kind.FACT, 0.5),
        (Kind.RULE, 0.5),
    ]


def test_a_number_that_is_none_is_no_confidence(model: Model) -> None:
    model.says(json.dumps({"memories": [MEMORY]}).replace("0.9", "NaN"))

    [one] = a_proposer(model).propose(TALK, limit=5)

    assert one.confidence == 0.5


def test_a_quote_over_several_lines_is_found(model: Model) -> None:
    talk = a_talk("U: Never deploy\nbilling on Fridays.", "A: OK.")
    model.says(f"Here it is:\n```json\n{json.dumps({'memories': [MEMORY, 'nonsense']})}\n```")

    [one] = a_proposer(model).propose(talk, limit=5)

    assert one.quote == "Never deploy\nbilling on Fridays."


def test_no_more_than_the_limit_is_taken(model: Model) -> None:
    model.proposes(*[MEMORY] * 9)

    assert len(a_proposer(model).propose(TALK, limit=2)) == 2


@requirement("propose.rules-where-models-fail")
@pytest.mark.parametrize(
    "said", ["I cannot help with that.", '{"memories": 3}', "{not json}", "[]", '{"other": []}']
)
@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_an_answer_that_is_no_list_is_refused(model: Model, protocol: str, said: str) -> None:
    model.says(said)

    with pytest.raises(ProposerFailedError, match="no list"):
        a_proposer(model, protocol=protocol).propose(TALK, limit=3)


@requirement("propose.rules-where-models-fail")
@pytest.mark.parametrize("content", [b"<html>", b"[]", b'{"choices": []}', b'{"content": 3}'])
@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_an_answer_that_is_no_message_is_refused(
    model: Model, protocol: str, content: bytes
) -> None:
    model.mumbles(content)

    with pytest.raises(ProposerFailedError, match="no message"):
        a_proposer(model, protocol=protocol).propose(TALK, limit=3)


@requirement("propose.rules-where-models-fail")
def test_a_refusal_is_told_with_what_to_check(model: Model) -> None:
    model.refuses(401)

    with pytest.raises(ProposerFailedError) as refused:
        a_proposer(model).propose(TALK, limit=3)

    assert 'answers with HTTP 401: "not you".' in str(refused.value)
    assert "propose.key_env" in str(refused.value)
    assert len(model.bodies) == 1


@requirement("propose.rules-where-models-fail")
def test_too_many_requests_are_tried_once_more(model: Model) -> None:
    model.refuses(429, Retry_After="3")
    model.refuses(429)
    pauses: list[float] = []

    with pytest.raises(ProposerFailedError, match="HTTP 429"):
        a_proposer(model, pauses=pauses).propose(TALK, limit=3)

    assert pauses == [3.0]
    assert len(model.bodies) == 2


@requirement("propose.rules-where-models-fail")
def test_a_model_that_never_answers_is_given_up(model: Model) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        asked = a_proposer(model, url=f"http://127.0.0.1:{port}/v1", timeout=0.1)

        with pytest.raises(ProposerFailedError, match="nothing came within 0.1 seconds"):
            asked.propose(TALK, limit=3)


def test_nobody_there_is_told(model: Model) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]

    with pytest.raises(ProposerFailedError, match="does not answer"):
        a_proposer(model, url=f"http://127.0.0.1:{port}/v1").propose(TALK, limit=3)
