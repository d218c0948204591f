from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator

import pytest

from holdfast.domain import hashing
from holdfast.domain.hashing import sha256

CONTENT = b"the port is 8080"
EXPECTED = hashlib.sha256(CONTENT).digest()


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Begin as a fresh process does: without OpenSSL."""
    monkeypatch.setattr(hashing, "_left", [3])
    monkeypatch.delitem(sys.modules, "_hashlib", raising=False)
    hashing._own.cache_clear()
    yield
    hashing._own.cache_clear()


def test_the_first_hashes_and_all_others_are_the_same() -> None:
    assert {sha256(CONTENT).digest() for _ in range(6)} == {EXPECTED}
    assert hashing._left == [0]


def test_where_openssl_is_loaded_already_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "_hashlib", hashlib)

    assert sha256(CONTENT).digest() == EXPECTED
    assert hashing._left == [3]


def test_an_interpreter_without_its_own_hashes_asks_openssl(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hashing, "_OWN", "no_such_module")

    assert sha256(CONTENT).digest() == EXPECTED


def test_a_few_hashes_do_not_load_openssl() -> None:
    program = (
        "import sys; from holdfast.domain.hashing import sha256; sha256(b'x').hexdigest();"
        "sys.exit('_hashlib' in sys.modules)"
    )

    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", program], check=False
    )

    assert done.returncode == 0
