"""A server without tokens knows a repeated sensitive request, also after a restart."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from holdfast.bootstrap.service.reply_secret import FILE, reply_secret
from holdfast.domain.workspace_errors import FolderUnusableError
from holdfast.surfaces.http.options import ServeOptions
from tests.http.conftest import Home, client, running
from tests.requirements import requirement


@requirement("http.once")
def test_a_sensitive_request_is_carried_out_once_over_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_KEYS", str(tmp_path / "keys"))
    home = Home(tmp_path / "served")
    memory = home.machine().open()
    memory.encryption.create()
    memory.close()
    options = ServeOptions(home=str(home.folder), address="", asks_for_tokens=False)
    body = {
        "claim": "The door is red.",
        "evidence": ["https://example.com/door"],
        "sensitive": True,
    }
    said = {"Idempotency-Key": "one"}

    answers = []
    for _ in range(2):
        with running(options) as url, client(url) as caller:
            answers.append(caller.post("/v1/memories", json=body, headers=said))
            other = caller.post("/v1/memories", json={**body, "claim": "No."}, headers=said)

    first, again = answers
    assert first.status_code == 201, first.text
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-key-reused")


@requirement("http.once")
def test_the_secret_is_the_same_for_all_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with ThreadPoolExecutor(8) as threads:
        found = set(threads.map(reply_secret, [home] * 32))

    assert [len(one) for one in found] == [32]
    assert (home / FILE).stat().st_mode & 0o777 == 0o600
    assert reply_secret(home) in found


@requirement("http.once")
def test_a_secret_that_is_cut_off_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"short")

    made = reply_secret(tmp_path)

    assert (len(made), reply_secret(tmp_path)) == (32, made)


@requirement("http.once")
def test_a_home_that_holds_no_secret_is_a_refusal(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()

    with pytest.raises(FolderUnusableError):
        reply_secret(tmp_path)
