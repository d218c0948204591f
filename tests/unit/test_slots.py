from __future__ import annotations

import pytest

from holdfast.heuristics.conflict.slots import Slot, same_slot, slots_of
from holdfast.heuristics.same_start import is_same_slot


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("the default branch is main", "the default branch is master", True),
        ("ada plays the part of hamlet", "ada plays the part of lear", True),
        ("ada plays the part of hamlet", "ada plays the part is lear", False),
        ("the capital of india is new delhi", "the capital of india is agra", True),
        ("the build is slow on mondays", "the build is flaky on mondays", False),
        ("the build is stable", "the build is unstable", True),
        ("the file is toml", "the file is optional", False),
        ("mail is sent via ses", "mail is sent to customers", False),
        ("the tool is written in go", "the tool is small", False),
        ("the tool is kept", "the tool is go", False),
        ("we use redis for caching", "we use redis for locks", False),
        ("the office of ada is in berlin", "the office of ada is in rome", True),
        ("the port is", "the port is 80", True),
        ("one two three", "one two three", False),
        ("a b c", "a b d", False),
    ],
)
def test_a_slot_is_what_both_begin_with_and_its_value_what_follows(
    one: str, other: str, *, expected: bool
) -> None:
    assert is_same_slot(one.split(), other.split()) is expected


def told(text: str) -> list[tuple[set[str], str, str]]:
    return [(set(slot.about), slot.how, slot.phrase) for slot in slots_of(text.split())]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use httpx for outgoing calls", [({"outgo", "call"}, "use", "httpx")]),
        ("We decided on Kafka for the event bus", [({"event", "bus"}, "use", "Kafka")]),
        ("We use Redis", [(set(), "use", "Redis")]),
        ("Use", []),
        ("Secrets live in Vault", [({"secret"}, "in", "Vault")]),
        ("Tokens rotate daily", [({"token", "rotat"}, "so", "daily")]),
        ("Team A owns the billing page", [({"owner", "bill", "pag"}, "by", "Team A")]),
        ("Ada is on call for search", [({"owner", "search"}, "by", "Ada")]),
        ("Pagination uses cursors", [({"pagination"}, "use", "cursors")]),
        ("URLs use kebab-case", [({"url"}, "use", "kebab-case")]),
        ("The frontend uses React", []),
        ("Hash passwords with argon2id", [({"hash", "password"}, "use", "argon2id")]),
        ("We deploy to Rome with Helm", [({"deploy", "rom"}, "use", "Helm")]),
        ("Store tokens in a cookie", [({"token"}, "in", "a cookie")]),
        ("Rebase early", []),
        ("Tests run in parallel", []),
        ("Logs are JSON lines", [({"log"}, "is", "JSON lines")]),
        ("Logs are optional", []),
        ("Comments are written in English", [({"comment"}, "form", "English")]),
        ("The bus is our Kafka", [({"bus"}, "is", "Kafka"), ({"kafka"}, "is", "The bus")]),
        ("Logs are now", []),
        ("Logs are", []),
        ("", []),
    ],
)
def test_a_clause_is_read_as_a_slot_and_its_value(
    text: str, expected: list[tuple[set[str], str, str]]
) -> None:
    assert told(text) == expected


def slot(text: str) -> Slot:
    return slots_of(text.split())[0]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Logs are JSON lines", "Logs are plain text", True),
        ("Names are plural", "Names are singular", True),
        ("Names are short", "Names are readable", False),
        ("Names are short", "Names are short words", False),
        ("Config files are YAML", "Config files are written in TOML", True),
        ("Config files are plain", "Config files are written in pieces", False),
        ("JSON fields are camelCase", "Use snake_case for JSON fields", True),
        ("Mail is sent via SES", "Mail is sent only to users", False),
        ("The panel is reachable from home", "The panel is only reachable over VPN", True),
        ("Secrets live in Vault", "Logs live in Vault", False),
    ],
)
def test_two_values_of_one_slot_exclude_each_other(one: str, other: str, *, expected: bool) -> None:
    assert same_slot(slot(one), slot(other)) is expected
