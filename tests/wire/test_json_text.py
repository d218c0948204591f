"""Answers as JSON: what a repository hides is shown at every depth, and nothing else changes."""

from __future__ import annotations

import json

import pytest

from holdfast.domain.sessions.hook_calls import HookAnswer
from holdfast.surfaces.hook.speaking import spoken
from holdfast.surfaces.http.problems import sent
from holdfast.surfaces.mcp.protocol import Json, notification
from holdfast.surfaces.wire.json_text import json_text, shown
from tests.requirements import requirement

HIDDEN = "a\u200bb\U000e0041\u202e\x1b\x7f\udc80"
SHOWN = "a<U+200B>b<U+E0041><U+202E><U+001B><U+007F><U+DC80>"


@requirement("recall.one-text-at-every-door")
def test_texts_and_names_are_shown_at_every_depth() -> None:
    value: dict[str, object] = {HIDDEN: [{"in": (HIDDEN, 1, None, True)}]}

    assert json.loads(json_text(value)) == {SHOWN: [{"in": [SHOWN, 1, None, True]}]}
    assert json.loads(bytes(sent(value, status=200).body)) == json.loads(json_text(value))


@requirement("recall.one-text-at-every-door")
@pytest.mark.parametrize("code", [*range(0x20), *range(0x7F, 0xA0)])
def test_every_control_character_is_shown(code: int) -> None:
    seen = chr(code) if chr(code) in "\n\t" else f"<U+{code:04X}>"
    value: dict[str, object] = {"a": f"x{chr(code)}y"}

    assert json.loads(json_text(value)) == shown(value) == {"a": f"x{seen}y"}


@requirement("recall.one-text-at-every-door")
def test_a_hook_shows_them_too() -> None:
    said = json.loads(spoken("claude", "SessionStart", HookAnswer(context=HIDDEN)))

    assert said["hookSpecificOutput"]["additionalContext"] == SHOWN


@requirement("recall.one-text-at-every-door")
def test_a_notification_shows_them_and_names_its_request_as_the_client_did() -> None:
    named: Json = {"progressToken": HIDDEN[:-1], "requestId": HIDDEN[:-1], "_meta": {"a": "\u200b"}}

    told = json.loads(notification("notifications/progress", {**named, "message": HIDDEN}))

    assert told["params"] == {**named, "message": SHOWN}


@pytest.mark.parametrize("text", ["plain", "two\nlines\tand \\u200b", "größer 漢字 👩\u200d🔧", ""])
@pytest.mark.parametrize("indent", [None, 2])
def test_other_text_stays_as_it_is(text: str, indent: int | None) -> None:
    assert json.loads(json_text({"text": text}, indent=indent)) == {"text": text}
    assert json_text({"a": [1]}) == '{"a":[1]}'
    assert json_text({"a": [1]}, is_compact=False) == '{"a": [1]}'
    assert json_text(text, ascii_only=True).isascii()
