"""Which key of an entry a person meant."""

from __future__ import annotations

import pytest

from holdfast.domain.pages.mistaken_keys import meant_key
from tests.requirements import requirement


@requirement("files.mistaken-keys-are-told")
@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("kye", "key"),
        ("Key", "key"),
        ("typ", None),
        ("tpye", "type"),
        ("types", "type"),
        ("tabs", None),
        ("keys", None),
        ("statos", "status"),
        ("evidenc", "evidence"),
        ("expires-at", "expires"),
        ("ttl", "expires"),
        ("title", None),
        ("created", None),
        ("", None),
    ],
)
def test_a_slip_or_another_name_stands_for_a_key(written: str, meant: str | None) -> None:
    assert meant_key(written) == meant
