"""The model that real tools are driven against: it answers in every protocol, and keeps all."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Generator
from typing import Any

import pytest

from interop.checks import CLAIM, DECISION, PROMPT, checks_of
from interop.fake_model import ARGUMENTS, DONE, FakeModel
from tests.patience import PATIENCE

TOOL = "holdfast_memory_create"
FENCED = f'<holdfast-context id="1">\n{CLAIM}\n</holdfast-context>'


@pytest.fixture
def model() -> Generator[FakeModel, None, None]:
    model = FakeModel()
    yield model
    model.close()


def ask(model: FakeModel, path: str, body: dict[str, Any]) -> str:
    request = urllib.request.Request(  # noqa: S310 - our own server
        model.address + path, json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
        text: str = answer.read().decode()
        return text


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        (
            "/v1/responses",
            {"tools": [{"type": "function", "name": TOOL}], "input": []},
            [{"type": "function_call_output"}],
        ),
        (
            "/v1/messages",
            {"tools": [{"name": TOOL}], "messages": [], "stream": True},
            [{"type": "tool_result"}],
        ),
        ("/v1/messages", {"tools": [{"name": TOOL}], "messages": []}, [{"type": "tool_result"}]),
        (
            "/v1/chat/completions",
            {"tools": [{"function": {"name": TOOL}}], "messages": [], "stream": True},
            [{"role": "tool"}],
        ),
        (
            "/v1/chat/completions",
            {"tools": [{"function": {"name": TOOL}}], "messages": []},
            [{"role": "tool"}],
        ),
        (
            "/v1beta/models/x:streamGenerateContent",
            {"tools": [{"functionDeclarations": [{"name": TOOL}]}], "contents": []},
            [{"functionResponse": {}}],
        ),
        (
            "/v1beta/models/x:generateContent",
            {"tools": [{"functionDeclarations": [{"name": TOOL}]}], "contents": []},
            [{"functionResponse": {}}],
        ),
    ],
)
def test_it_calls_our_tool_once_and_is_done(
    model: FakeModel, path: str, body: dict[str, Any], said: list[dict[str, Any]]
) -> None:
    history = next(name for name in ("input", "messages", "contents") if name in body)

    first = ask(model, path, body)
    second = ask(model, path, {**body, history: said})

    assert TOOL in first
    assert ARGUMENTS["key"] in first
    assert TOOL not in second
    assert DONE in second
    assert [one for one, _ in model.requests] == [path, path]


def test_what_reached_a_model_is_judged() -> None:
    body = {"tools": [{"name": TOOL}], "messages": [FENCED, PROMPT]}
    aside = {"messages": [DECISION]}
    candidates = [ARGUMENTS["value"], f"Decided: {DECISION}."]

    good = checks_of([("/", aside), ("/", body)], [str(one) for one in candidates])
    twice = checks_of([("/", {**body, "messages": [FENCED, FENCED, PROMPT]})], [])
    nothing = checks_of([], [])

    assert all(one.is_held for one in good)
    assert [one.name for one in twice if not one.is_held] == ["once", "called", "proposed"]
    assert not any(one.is_held for one in nothing)
