"""Encryption keys: safe places, bad texts, and the list of what is known."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import keyring
import keyring.backend
import keyring.errors
import pytest

from holdfast.adapters.encryption.key_ring import KEYS_FILE, KeyRingFile
from holdfast.domain.encryption.ciphertext import KeyId, read_key_id
from holdfast.domain.encryption.errors import (
    BadKeyError,
    KeyMissingError,
    KeyPlaceError,
    KeySourceError,
    NoCipherError,
    NoKeyError,
    NoSuchKeyError,
)
from holdfast.domain.encryption.keys import KeyBytes, KeyPlace, KeySource, read_key
from holdfast.domain.errors import BadFieldError
from holdfast.domain.workspace_errors import FolderUnusableError
from tests.builders import NOON
from tests.requirements import requirement

TEXT = KeyBytes(bytes(range(32))).text


@pytest.fixture
def ring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeyRingFile:
    monkeypatch.setenv("HOLDFAST_KEYS", str(tmp_path / "keys"))
    monkeypatch.delenv("HOLDFAST_ENCRYPTION_KEY", raising=False)
    return KeyRingFile(tmp_path / "home")


class PlainKeyring(keyring.backend.KeyringBackend):
    """A keyring of this process; what it is told to refuse it refuses."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call] # the library has no types here
        self.kept: dict[str, str] = {}
        self.is_locked = False

    def get_password(self, service: str, username: str) -> str | None:
        if self.is_locked:
            message = "it is locked"
            raise keyring.errors.KeyringLocked(message)
        return self.kept.get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        if self.is_locked:
            message = "it is locked"
            raise keyring.errors.KeyringLocked(message)
        self.kept[f"{service} {username}"] = password

    def delete_password(self, service: str, username: str) -> None:
        if f"{service} {username}" not in self.kept:
            raise keyring.errors.PasswordDeleteError
        del self.kept[f"{service} {username}"]


@pytest.fixture
def plain_keyring() -> Iterator[PlainKeyring]:
    before, ours = keyring.get_keyring(), PlainKeyring()
    keyring.set_keyring(ours)
    yield ours
    keyring.set_keyring(before)


def a_file(path: Path, text: str = TEXT, *, rights: int = 0o600) -> KeySource:
    path.write_text(text, encoding="utf-8")
    path.chmod(rights)
    return KeySource(place=KeyPlace.FILE, name=str(path))


@requirement("encryption.key-files")
def test_a_new_key_is_a_file_of_its_owner_outside_the_store(
    ring: KeyRingFile, tmp_path: Path
) -> None:
    key, text = ring.create(None, at=NOON)

    file = tmp_path / "keys" / f"{key.id}.key"
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_text(encoding="utf-8").strip() == text
    assert text not in (tmp_path / "home" / KEYS_FILE).read_text(encoding="utf-8")
    assert ring.problem(key.id) == ""


@requirement("encryption.key-files")
@pytest.mark.parametrize("rights", [0o640, 0o604, 0o666])
def test_a_file_that_others_may_read_is_refused(
    ring: KeyRingFile, tmp_path: Path, rights: int
) -> None:
    with pytest.raises(KeyPlaceError, match="others may read it"):
        ring.add(a_file(tmp_path / "a.key", rights=rights), at=NOON)


@requirement("encryption.key-files")
def test_a_file_inside_a_repository_is_refused(ring: KeyRingFile, tmp_path: Path) -> None:
    repository = tmp_path / "app"
    (repository / ".git").mkdir(parents=True)
    (repository / "deep").mkdir()
    (tmp_path / "link").symlink_to(repository / "deep")
    inside = a_file(repository / "deep" / "a.key")

    with pytest.raises(KeyPlaceError, match="repository"):
        ring.add(inside, at=NOON)
    with pytest.raises(KeyPlaceError, match="repository"):
        ring.create(KeySource(place=KeyPlace.FILE, name=str(tmp_path / "link" / "b.key")), at=NOON)

    assert ring.known() == []
    assert not (repository / "deep" / "b.key").exists()


def test_a_file_of_another_user_is_refused(
    ring: KeyRingFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = a_file(tmp_path / "a.key")
    owner = (tmp_path / "a.key").stat().st_uid
    if owner == 0:
        os.chown(tmp_path / "a.key", 65_534, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: owner + 1)

    with pytest.raises(KeyPlaceError, match="another user"):
        ring.add(source, at=NOON)


def test_a_file_that_exists_is_not_overwritten(ring: KeyRingFile, tmp_path: Path) -> None:
    source = a_file(tmp_path / "a.key", "mine")

    with pytest.raises(KeyPlaceError, match="exists"):
        ring.create(source, at=NOON)

    assert (tmp_path / "a.key").read_text(encoding="utf-8") == "mine"
    assert ring.known() == []


def test_a_place_that_cannot_be_written_or_read_says_so(ring: KeyRingFile, tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("", encoding="utf-8")
    (tmp_path / "link.key").symlink_to(tmp_path / "plain")

    with pytest.raises(KeySourceError):
        ring.create(KeySource(place=KeyPlace.FILE, name=str(tmp_path / "plain" / "k")), at=NOON)
    for name in ("none.key", "link.key"):
        with pytest.raises(KeySourceError):
            ring.add(KeySource(place=KeyPlace.FILE, name=str(tmp_path / name)), at=NOON)


@requirement("encryption.wrong-key")
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("hunter2", "begin with"),
        (TEXT[:-5], "base64"),
        ("holdfast-key-1:" + base64.b64encode(bytes(16)).decode(), "16 bytes"),
        ("holdfast-key-1:" + base64.b64encode(bytes(33)).decode(), "33 bytes"),
        ("holdfast-key-1:???", "base64"),
    ],
)
def test_a_text_that_is_no_key_is_refused(
    ring: KeyRingFile, tmp_path: Path, text: str, problem: str
) -> None:
    with pytest.raises(BadKeyError, match=problem):
        ring.add(a_file(tmp_path / "a.key", text), at=NOON)


def test_a_key_never_shows_itself() -> None:
    key = read_key(TEXT, place="Here")

    assert repr(key) == f"KeyBytes({key.id})"
    assert read_key_id(key.id) == key.id
    with pytest.raises(BadFieldError):
        read_key_id("k_x")


def test_the_key_of_the_default_variable_is_known_and_in_use(
    ring: KeyRingFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NoKeyError):
        ring.cipher().encrypt("m_1", "x")
    monkeypatch.setenv("HOLDFAST_ENCRYPTION_KEY", TEXT)
    named = ring.known()
    ciphertext = ring.cipher().encrypt("m_1", "x")
    made, _ = ring.create(None, at=NOON)
    ring.use(made.id)

    assert [(one.is_current, one.source.place) for one in named] == [(True, KeyPlace.ENVIRONMENT)]
    assert ring.cipher().decrypt(ciphertext) == "x"
    assert [one.is_current for one in ring.known()] == [True, False]
    assert ring.use(named[0].id).is_current
    assert [one.is_current for one in ring.known()] == [False, True]
    monkeypatch.delenv("HOLDFAST_ENCRYPTION_KEY")
    assert "not set" in ring.problem(named[0].id)
    with pytest.raises(KeyMissingError, match="not set"):
        ring.cipher().decrypt(ciphertext)


@requirement("encryption.key-in-variable")
def test_the_variable_helps_only_where_the_place_cannot_be_read(
    ring: KeyRingFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, text = ring.create(None, at=NOON)
    file = Path(key.source.name)
    monkeypatch.setenv("HOLDFAST_ENCRYPTION_KEY", TEXT)
    assert ring.problem(key.id) == ""
    file.unlink()
    assert "No such file" in ring.problem(key.id)
    monkeypatch.setenv("HOLDFAST_ENCRYPTION_KEY", text)

    assert ring.problem(key.id) == ""
    assert ring.store_key(key.id) == read_key(text, place="it").for_store

    file.write_text(TEXT, encoding="utf-8")
    file.chmod(0o600)
    with pytest.raises(KeySourceError, match="it is the key"):
        ring.remove(key.id, delete=True)
    assert file.exists()


def test_a_key_that_was_exchanged_is_not_taken_for_it(ring: KeyRingFile, tmp_path: Path) -> None:
    key, _ = ring.create(None, at=NOON)
    (tmp_path / "keys" / f"{key.id}.key").write_text(TEXT, encoding="utf-8")

    assert f"not {key.id}" in ring.problem(key.id)


def test_the_keyring_of_the_system_keeps_keys(
    ring: KeyRingFile, plain_keyring: PlainKeyring
) -> None:
    made, _ = ring.create(KeySource(place=KeyPlace.KEYRING, name=""), at=NOON)
    named, _ = ring.create(KeySource(place=KeyPlace.KEYRING, name="vault"), at=NOON)

    assert made.source.name == made.id
    assert set(plain_keyring.kept) == {f"holdfast {made.id}", "holdfast vault"}
    assert ring.problem(named.id) == ""
    plain_keyring.is_locked = True
    assert "locked" in ring.problem(named.id)
    with pytest.raises(KeySourceError, match="locked"):
        ring.create(KeySource(place=KeyPlace.KEYRING, name="other"), at=NOON)
    plain_keyring.is_locked = False
    ring.remove(named.id, delete=True)
    del plain_keyring.kept[f"holdfast {made.id}"]
    assert "no such entry" in ring.problem(made.id)
    assert ring.remove(made.id, delete=True).id == made.id
    assert plain_keyring.kept == {}


def test_without_the_libraries_the_error_says_what_to_install(
    ring: KeyRingFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    monkeypatch.delitem(sys.modules, "holdfast.adapters.encryption.aead", raising=False)
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)

    with pytest.raises(KeySourceError, match="not installed"):
        ring.add(KeySource(place=KeyPlace.KEYRING, name="x"), at=NOON)
    with pytest.raises(NoCipherError):
        ring.cipher()


@requirement("encryption.remove-keeps-the-file")
def test_a_removed_key_stays_in_its_place(ring: KeyRingFile, tmp_path: Path) -> None:
    made, _ = ring.create(None, at=NOON)
    added = ring.add(a_file(tmp_path / "a.key"), at=NOON)
    variable, _ = ring.create(KeySource(place=KeyPlace.ENVIRONMENT, name="VAULT"), at=NOON)

    for key in (made, added, variable):
        ring.remove(key.id)

    assert (tmp_path / "keys" / f"{made.id}.key").exists()
    assert (tmp_path / "a.key").exists()
    assert ring.known() == []
    assert ring.add(made.source, at=NOON).id == made.id
    with pytest.raises(NoSuchKeyError):
        ring.use(KeyId("k_0000000000000000"))


def test_a_key_is_deleted_if_that_is_asked_for(ring: KeyRingFile, tmp_path: Path) -> None:
    made, _ = ring.create(None, at=NOON)
    added = ring.add(a_file(tmp_path / "a.key"), at=NOON)

    ring.remove(made.id, delete=True)
    ring.remove(added.id, delete=True)

    assert not (tmp_path / "keys" / f"{made.id}.key").exists()
    assert not (tmp_path / "a.key").exists()
    assert ring.known() == []


def test_a_key_that_cannot_be_deleted_stays_known(ring: KeyRingFile, tmp_path: Path) -> None:
    key = ring.add(a_file(tmp_path / "a.key"), at=NOON)
    other, _ = ring.create(KeySource(place=KeyPlace.FILE, name=str(tmp_path / "b.key")), at=NOON)
    (tmp_path / "b.key").rename(tmp_path / "a.key")

    with pytest.raises(KeySourceError, match="not k_"):
        ring.remove(key.id, delete=True)
    ring.remove(other.id, delete=True)

    assert [one.id for one in ring.known()] == [key.id]
    assert (tmp_path / "a.key").exists()


def test_a_key_that_is_added_again_stays_in_use(ring: KeyRingFile, tmp_path: Path) -> None:
    key = ring.add(a_file(tmp_path / "a.key"), at=NOON)
    ring.use(key.id)

    again = ring.add(a_file(tmp_path / "b.key"), at=NOON)

    assert (again.id, again.is_current) == (key.id, True)
    assert [one.source.name for one in ring.known()] == [str(tmp_path / "b.key")]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"keys": [{"id": "k_1"}]}', '{"keys": 3}'])
def test_a_damaged_list_is_named(ring: KeyRingFile, tmp_path: Path, text: str) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / KEYS_FILE).write_text(text, encoding="utf-8")

    with pytest.raises(FolderUnusableError, match=f"{KEYS_FILE}.* is damaged.* add your keys"):
        ring.known()


def test_a_list_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("", encoding="utf-8")

    with pytest.raises(FolderUnusableError):
        KeyRingFile(tmp_path / "home").use(KeyId("k_0000000000000000"))


@requirement("encryption.no-cost")
@pytest.mark.parametrize(
    "verb", [["status", "--badge"], ["recall", "x"], ["list"], ["show", "m_1"]]
)
def test_nothing_of_it_is_loaded_without_sensitive_records(tmp_path: Path, verb: list[str]) -> None:
    program = (
        "import sys, json\n"
        "from holdfast.surfaces.cli.main import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    environment = {**os.environ, "HOLDFAST_HOME": str(tmp_path), "HOLDFAST_MODELS": "/none"}
    kept = ["remember", "--scope", "global", "--because", "x", "A plain claim."]

    for words in (kept, verb):
        done = subprocess.run(  # noqa: S603 - this program
            [sys.executable, "-c", program, *words],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            check=True,
        )
        loaded = json.loads(done.stdout.splitlines()[-1])
        assert not [one for one in loaded if one.startswith(("cryptography", "keyring"))]
        assert "holdfast.adapters.encryption.key_ring" not in loaded
