"""A body whose field has another name is told that name, and the names that are known."""

from __future__ import annotations

import pytest

from holdfast.domain.errors import BadFieldError
from holdfast.surfaces.wire.checking import check
from tests.requirements import requirement

SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "limit": {"type": "integer"}},
    "required": ["text"],
    "additionalProperties": False,
}


@requirement("http.body-fields-named")
def test_an_unknown_field_is_named_before_the_one_that_is_missing() -> None:
    wanted = r"body\.question is unknown; the body takes limit, text"
    with pytest.raises(BadFieldError, match=wanted):
        check({"question": "x"}, SCHEMA, noun="body")


@requirement("http.body-fields-named")
def test_a_missing_field_is_named_where_all_others_are_known() -> None:
    with pytest.raises(BadFieldError, match=r"body\.text is missing"):
        check({"limit": 3}, SCHEMA, noun="body")
