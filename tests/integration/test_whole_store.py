"""A store that is encrypted as a whole, with the library that `make sqlcipher` installs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import apsw
import pytest

from holdfast.adapters.embedding.judging import WRACK
from holdfast.adapters.embedding.kept_scores import KeptScores, scores_folder
from holdfast.adapters.sqlite.database.cipher import StoreLock
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.domain.encryption.errors import NoStoreCipherError, StoreLockedError
from holdfast.domain.encryption.keys import KeyBytes, read_key
from tests.adapters.test_repository import git
from tests.cli.program import Program
from tests.contract.steps import keep, numbered
from tests.requirements import requirement

ENVIRONMENT = Path(__file__).parents[2] / ".peers" / "sqlcipher"
needs_cipher = pytest.mark.skipif(
    not (ENVIRONMENT / ".ready").exists(), reason="run: make sqlcipher"
)
CANARY = "canary4711"
_READS = """
import sqlcipher3, sys
connection = sqlcipher3.connect(sys.argv[1])
connection.execute(f"PRAGMA key = \\"x'{sys.argv[2]}'\\"")
print(connection.execute("SELECT value FROM memory").fetchall())
"""
_REPAIRS = """
import holdfast, shutil, sys
for page in (2, 3):
    home = f"{sys.argv[1]}-{page}"
    shutil.copytree(sys.argv[1], home)
    with open(f"{home}/holdfast.db", "r+b") as file:
        file.seek(page * 4096)
        file.write(bytes(4096))
    with holdfast.open(home=home, folder=home) as memory:
        print(memory.app.store.upkeep.repair(lambda done, total: None).missing)
"""


@dataclass(frozen=True)
class Person:
    """Runs the program, with a library that can encrypt or without it."""

    folder: Path

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def keys(self) -> Path:
        return self.folder / "keys"

    def runs(
        self, *words: str, cipher: bool = True, text: str = "", **variables: str
    ) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "holdfast", *words]
        return self._run(command, cipher=cipher, text=text, **variables)

    def python(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self._run([sys.executable, *words], cipher=True)

    def _run(
        self, words: list[str], *, cipher: bool, text: str = "", **variables: str
    ) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            "HOLDFAST_HOME": str(self.home),
            "HOLDFAST_KEYS": str(self.keys),
            "HOLDFAST_ORIGIN": "human",
            "HOLDFAST_MODELS": str(self.folder / "none"),
            "PYTHONPATH": os.pathsep.join([str(ENVIRONMENT)] if cipher else []),
            **variables,
        }
        return subprocess.run(
            words,
            cwd=self.folder if words[1] == "-m" and words[2] == "holdfast" else None,
            env=environment,
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )

    def well(self, *words: str) -> str:
        done = self.runs(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def encrypted(self) -> str:
        """Remember something, encrypt the store, and return the id of its key."""
        # A store in clear is filled in this process: of all these commands, only the last
        # needs a library that can encrypt.
        program = Program(self.home, self.folder, {"HOLDFAST_KEYS": str(self.keys)})
        program("remember", "--because", "I heard it.", f"The {CANARY} sings in Bern.").well()
        program("task", "add", f"Feed the {CANARY}").well()
        program("key", "create").well()
        return str(json.loads(self.well("key", "encrypt-store", "--json"))["key"])

    def files_with(self, word: str) -> list[str]:
        found = [path for path in self.home.rglob("*") if path.is_file()]
        return [path.name for path in found if word.encode() in path.read_bytes()]


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


@needs_cipher
@requirement("encryption.whole-store")
def test_no_file_of_an_encrypted_store_holds_a_word_of_it(person: Person) -> None:
    key = person.encrypted()
    person.well("remember", "--because", "Later.", f"The second {CANARY} is in Basel.")
    person.well("recall", CANARY)
    shown = person.runs("status").stdout

    assert person.files_with(CANARY) == []
    assert person.files_with("SQLite format 3") == []
    assert f"encrypted as a whole with {key}" in shown
    assert person.well("list").count(CANARY) == 2
    assert CANARY in person.well("task", "list")

    person.well("key", "decrypt-store")
    assert "holdfast.db" in person.files_with(CANARY)
    assert not (person.home / "holdfast.db-cipher").exists()
    assert person.runs("list", cipher=False).stdout.count(CANARY) == 2


@needs_cipher
@requirement("conflict.advice-keeps-no-text")
def test_no_hashes_of_claims_stay_beside_an_encrypted_store(person: Person) -> None:
    scores = KeptScores(scores_folder(person.home), WRACK.stem)
    scores.put({(f"The {CANARY} sings in Bern.", "No bird sings."): 0.5})

    person.encrypted()

    assert not scores_folder(person.home).exists()


@needs_cipher
@requirement("encryption.whole-store")
def test_bundles_that_wait_are_stored_before_the_store_is_encrypted(person: Person) -> None:
    person.well("remember", "--because", "I heard it.", f"The {CANARY} sings in Bern.")
    writer = apsw.Connection(str(person.home / "holdfast.db"))
    writer.execute("BEGIN IMMEDIATE")
    answer = person.well("recall", CANARY, "--json")
    waiting = (person.home / "holdfast.db-pending").exists()
    writer.execute("ROLLBACK")
    writer.close()
    person.well("key", "create")

    person.well("key", "encrypt-store")

    assert waiting
    assert person.files_with(CANARY) == []
    assert CANARY in person.well("show", json.loads(answer)["id"])


@requirement("encryption.whole-store")
def test_a_copy_that_a_killed_process_left_is_gone_after_the_next_write(person: Person) -> None:
    kept = person.well("remember", "--because", "I heard it.", f"The {CANARY} sings in Bern.")
    copy = person.home / "holdfast.db-rescue"
    copy.write_text(CANARY)
    journal = person.home / "holdfast.db-rescue-journal"
    journal.write_text(CANARY)

    person.well("list")
    assert copy.exists()
    person.well("forget", "--yes", "--id", kept.split()[0])

    assert not copy.exists()
    assert not journal.exists()


@needs_cipher
@requirement("encryption.whole-store-locked")
def test_without_its_key_the_store_is_locked_and_stays_as_it_is(person: Person) -> None:
    key = person.encrypted()
    file, away = next(person.keys.iterdir()), person.folder / "away.key"
    file.rename(away)
    before = (person.home / "holdfast.db").read_bytes()

    refused = [
        person.runs(*words)
        for words in (("recall", CANARY), ("doctor", "--repair"), ("remember", "A thing."))
    ]
    badge = person.well("status", "--badge")

    for one in refused:
        assert one.returncode != 0
        assert one.stderr.count("\n") == 1, one.stderr
        assert f"is encrypted with the key {key}, and cannot be read" in one.stderr
    assert "holdfast doctor" in badge
    assert (person.home / "holdfast.db").read_bytes() == before
    person.well("key", "add", "--file", str(away))
    assert CANARY in person.well("list")
    assert "whole store" in person.well("key", "list")
    assert "encrypted with the key" in person.runs("key", "remove", "k_").stderr


@needs_cipher
@requirement("encryption.key-in-variable")
def test_the_variable_opens_a_store_whose_key_file_is_missing(person: Person) -> None:
    person.encrypted()
    sensitive = ("remember", "--sensitive", "--key", "vault", "--because", "Ada.", "-")
    assert person.runs(*sensitive, text="Ada has it.").returncode == 0
    file = next(person.keys.iterdir())
    text = file.read_text(encoding="utf-8").strip()
    file.unlink()

    locked = person.runs("list")
    opened = person.runs("list", HOLDFAST_ENCRYPTION_KEY=text)
    shown = person.runs("show", "vault", HOLDFAST_ENCRYPTION_KEY=text)
    wrong = person.runs("list", HOLDFAST_ENCRYPTION_KEY=KeyBytes(bytes(32)).text)

    assert "HOLDFAST_ENCRYPTION_KEY" in locked.stderr
    assert CANARY in opened.stdout, opened.stderr
    assert "Ada has it." in shown.stdout, shown.stderr
    assert wrong.returncode == locked.returncode == 6


@needs_cipher
@requirement("encryption.whole-store-locked")
def test_a_locked_store_lists_where_its_key_is_expected(person: Person) -> None:
    key = person.encrypted()
    file = next(person.keys.iterdir())
    file.unlink()

    listed = person.runs("key", "list")
    state = json.loads(person.well("key", "list", "--json"))["keys"][0]
    (person.home / "keys.json").unlink()
    unknown = json.loads(person.well("key", "list", "--json"))["keys"]

    assert listed.returncode == 0
    assert f"{key}\tunreadable, whole store" in listed.stdout
    assert str(file) in listed.stderr
    assert "locked: " in listed.stderr
    assert (state["key"]["name"], state["records"]) == (str(file), None)
    assert [(one["id"], one["key"], one["reads_store"]) for one in unknown] == [(key, None, True)]


@needs_cipher
@requirement("encryption.rotation-names-the-store")
def test_a_rotation_says_that_the_whole_store_keeps_its_key(person: Person) -> None:
    key = person.encrypted()

    told = person.runs("key", "rotate")
    answer = json.loads(person.well("key", "rotate", "--json"))
    again = json.loads(person.well("key", "encrypt-store", "--json"))
    after = person.runs("key", "rotate", "--to", again["key"])

    assert f"the whole store is still encrypted with {key};" in told.stderr
    assert told.stderr.count("\n") == 1
    assert "holdfast key encrypt-store" in told.stderr
    assert answer["store_key"] == again["before"] == key
    assert after.stderr == ""


@needs_cipher
@requirement("encryption.whole-store")
def test_no_verdicts_are_cached_in_files_beside_an_encrypted_store(person: Person) -> None:
    repository = person.folder / "repository"
    repository.mkdir()
    (repository / "canary.txt").write_text("It sings.\nIt eats.\n", encoding="utf-8")
    git(repository, "init", "--quiet")
    words = ("remember", "--evidence", "canary.txt:1-2", f"The {CANARY} sings.")
    person.well("-C", str(repository), *words)
    person.well("-C", str(repository), "verify")
    before = person.files_with("canary.txt")
    person.well("key", "create")

    person.well("key", "encrypt-store")
    encrypted = person.files_with("canary.txt")
    verified = person.well("-C", str(repository), "verify")

    assert any(name.endswith(".json") for name in before)
    assert encrypted == []
    assert "1 fresh" in verified
    assert person.files_with("canary.txt") == []
    assert not (person.home / "cache" / "verdicts").exists()


@requirement("cli.no-traceback")
@pytest.mark.parametrize(
    "words", [("status",), ("status", "--badge"), ("key", "list"), ("doctor",), ("recall", "it")]
)
def test_a_missing_library_of_stores_is_one_sentence(person: Person, words: tuple[str]) -> None:
    module = 'raise ModuleNotFoundError("No module named \'apsw\'", name="apsw")'
    (person.folder / "apsw.py").write_text(module, encoding="utf-8")

    told = person.runs(*words, PYTHONPATH=str(person.folder))

    assert told.returncode == 6
    assert told.stderr.count("\n") == 1, told.stderr
    assert "The package apsw" in told.stderr
    assert "pip install apsw" in told.stderr
    assert told.stdout == ""


@needs_cipher
@requirement("encryption.whole-store-locked")
def test_a_library_without_a_cipher_is_named_and_changes_nothing(person: Person) -> None:
    person.encrypted()
    before = (person.home / "holdfast.db").read_bytes()

    read = person.runs("recall", CANARY, cipher=False)
    written = person.runs("key", "decrypt-store", cipher=False)

    for one in (read, written):
        assert one.returncode != 0
        assert "pip install apsw-sqlite3mc" in one.stderr
        assert one.stderr.count("\n") == 1, one.stderr
    assert (person.home / "holdfast.db").read_bytes() == before


@needs_cipher
@requirement("encryption.whole-store-format")
def test_sqlcipher_itself_reads_an_encrypted_store(person: Person) -> None:
    person.encrypted()
    key = read_key(next(person.keys.iterdir()).read_text(encoding="utf-8"), place="it")

    read = person.python("-c", _READS, str(person.home / "holdfast.db"), key.for_store.hex())

    assert CANARY in read.stdout, read.stderr


@needs_cipher
@requirement("encryption.whole-store-exact")
def test_a_stop_at_any_moment_leaves_a_store_that_opens(person: Person) -> None:
    done = person.python("-m", "tests.integration.whole_store_steps", str(person.folder))

    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[0]) > 20, done.stdout


@needs_cipher
@requirement("encryption.whole-store-exact")
def test_a_damaged_page_of_an_encrypted_store_is_repaired_encrypted(person: Person) -> None:
    person.encrypted()
    file = person.home / "holdfast.db"
    content = bytearray(file.read_bytes())
    place = len(content) // 8_192 * 4_096 + 2_000
    content[place] ^= 1
    file.write_bytes(content)

    found = person.runs("doctor")
    person.well("doctor", "--repair")

    assert found.returncode != 0
    assert person.files_with(CANARY) == []
    assert CANARY in person.well("list")
    content[100] ^= 1
    file.write_bytes(content)
    first_page = person.runs("doctor", "--repair")
    assert "the first page of the file is damaged" in first_page.stderr
    assert file.read_bytes() == bytes(content)


@needs_cipher
@requirement("store.repair-searches-pages")
def test_a_damaged_page_of_an_encrypted_store_costs_no_row_of_other_pages(person: Person) -> None:
    person.home.mkdir(mode=0o700)
    with closing(SqliteStore.open(person.home / "holdfast.db")) as store:
        keep(store, *(numbered(n, claim=f"Service {n} rests. " * 9) for n in range(60)))
    person.encrypted()

    done = person.python("-c", _REPAIRS, str(person.home))

    assert done.stdout.split() == ["0", "0"], done.stderr


@requirement("encryption.whole-store-locked")
def test_a_store_in_clear_cannot_be_encrypted_without_a_cipher(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "holdfast.db", key_of=lambda _id: KeyBytes(b"").for_store)

    with pytest.raises(NoStoreCipherError, match="apsw-sqlite3mc"):
        store.upkeep.copying.encrypt(None)

    assert store.upkeep.copying.encrypted_with is None
    store.close()


def test_a_damaged_note_is_named(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    SqliteStore.open(path).close()
    (tmp_path / "holdfast.db-cipher").write_text("{", encoding="utf-8")

    with pytest.raises(StoreLockedError, match=r"the note .*holdfast\.db-cipher is damaged"):
        SqliteStore.open(path)


@requirement("encryption.whole-store-exact")
def test_a_pending_note_beside_a_store_in_clear_locks_nobody_out(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    SqliteStore.open(path).close()
    StoreLock(str(path)).note(["k_0000000000000000"], pending=True)

    store = SqliteStore.open(path)

    assert store.upkeep.facts().events == 0
    store.close()


@requirement("encryption.whole-store")
def test_an_encrypted_store_opens_no_vector_index_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    asked: list[str] = []
    store = SqliteStore.open(path, index=asked.append)

    with store.reading() as tx:
        tx.finding.meaning.models()
    opened = store._engine._connections
    with opened.held(1) as held:
        held.indexes.of(1)
        assert len(asked) == 1
        held.indexes.close()
        StoreLock(str(path)).note(["k_0000000000000000"])
        held.indexes.of(1)

    assert len(asked) == 1
    store.close()
