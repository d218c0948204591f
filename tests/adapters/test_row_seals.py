"""The bytes under the seal of a row: stores that exist hold hashes of exactly these."""

from __future__ import annotations

import pytest

from holdfast.adapters.sqlite.database.rows import Value, as_json, holds, sealed
from holdfast.domain.errors import UnstorableTextError

SALT = bytes(range(12))
ODD: tuple[tuple[Value, str], ...] = (
    (None, "null"),
    ("", '""'),
    ('a "quote", a \\ and a /', '"a \\"quote\\", a \\\\ and a /"'),
    ("\x00\x01\x1f\x7f\x80", '"\\u0000\\u0001\\u001f\x7f\x80"'),
    ("\b\t\n\x0b\x0c\r", '"\\b\\t\\n\\u000b\\f\\r"'),
    ("é ß 漢 \u2028\u2029\ufeff 🧭", '"é ß 漢 \u2028\u2029\ufeff 🧭"'),
    (0, "0"),
    (-1, "-1"),
    (2**63 - 1, "9223372036854775807"),
    (-(2**63), "-9223372036854775808"),
    (True, "true"),
    (0.0, "0.0"),
    (-0.0, "-0.0"),
    (0.1, "0.1"),
    (1e16, "1e+16"),
    (123456789.123456789, "123456789.12345679"),
    (5e-324, "5e-324"),
    (1.7976931348623157e308, "1.7976931348623157e+308"),
    (float("nan"), "NaN"),
    (float("inf"), "Infinity"),
    (float("-inf"), "-Infinity"),
    (b"", '""'),
    (b"\x00\xffab", '"00ff6162"'),
)
# Written by the encoder of the stores that are in use.
SEAL = "39c0bc9c670174ba6d210026b182761603e1a782d944ea485e12a9bdf1872200"


@pytest.mark.requirement("store.seals-stay-valid")
@pytest.mark.parametrize(("value", "text"), ODD)
def test_a_value_is_written_with_the_same_bytes_as_ever(value: Value, text: str) -> None:
    assert as_json([value]) == f"[{text}]"


def test_lists_and_objects_are_written_without_blanks_and_in_their_order() -> None:
    shape = {"z": [1, {"b": None, "a": ()}], "ä": "ö", "": {}}

    assert as_json(shape) == '{"z":[1,{"b":null,"a":[]}],"ä":"ö","":{}}'


@pytest.mark.requirement("store.seals-stay-valid")
def test_a_seal_of_an_earlier_release_still_holds() -> None:
    values = (*(value for value, _ in ODD), SALT)

    assert holds("memory", (*values, bytes.fromhex(SEAL)))


def test_a_row_that_differs_in_one_value_does_not_hold() -> None:
    row = sealed("memory", ("a claim", 1, None))

    assert holds("memory", row)
    assert not holds("memory", ("another claim", *row[1:]))
    assert not holds("link", row)


def test_half_a_character_is_refused_before_it_is_sealed() -> None:
    with pytest.raises(UnstorableTextError):
        sealed("memory", ("\ud83e",))
