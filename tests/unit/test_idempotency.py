"""The keys with which clients repeat requests."""

from __future__ import annotations

import pytest

from holdfast.domain.errors import BadFieldError
from holdfast.domain.service.idempotency import read_key
from tests.requirements import requirement


@requirement("service.once")
def test_a_key_is_stored_as_it_is_and_a_secret_as_its_hash() -> None:
    secret = "password=hunter2-and-more9"  # noqa: S105 - a made-up one

    assert read_key("chat-7") == "chat-7"
    assert len(read_key(secret)) == 64
    assert "hunter2" not in read_key(secret)


@requirement("service.once")
@pytest.mark.parametrize("text", ["", " ", " a", "a\n", "é", "x" * 201])
def test_a_key_that_cannot_be_one_is_refused(text: str) -> None:
    with pytest.raises(BadFieldError, match="1 to 200 visible characters"):
        read_key(text, field="key")
