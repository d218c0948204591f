"""Vectors in Chroma: rebuilt from the store when they lag, are damaged or are gone."""

from __future__ import annotations

import faulthandler
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from threading import Thread
from threading import enumerate as threads
from typing import Any, ClassVar, cast
from urllib.parse import quote
from urllib.request import Request, urlopen
from uuid import uuid4

import pytest

from holdfast.adapters.chroma import embedded, following
from holdfast.adapters.chroma.collection import (
    ChromaAwayError,
    ChromaHeader,
    RemoteIndexError,
    read_metadata,
    read_row,
)
from holdfast.adapters.chroma.index import ChromaIndex
from holdfast.adapters.chroma.places import ChromaPlace, read_place
from holdfast.adapters.machine.settings import SettingsFile
from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.adapters.vectors.index_lock import IndexLock
from holdfast.app import Holdfast
from holdfast.bootstrap.plugs.scanning import (
    chosen_index,
    chroma_index,
    outside_store,
    vector_store,
)
from holdfast.domain.errors import BadFieldError, StoreUnreadableError
from holdfast.domain.lookup_errors import PlugInFailedError
from holdfast.domain.memory.selection import Selection
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH
from holdfast.ports.store.finding import VectorSource
from holdfast.ports.store.store import Store
from tests.builders import ADA, NOON, FixedClock, PlainSurroundings, WordCounter, a_tombstone
from tests.chroma_server import a_server, install, needs_chroma, shared_server
from tests.contract.steps import keep, memory_id, numbered, said_nothing
from tests.contract.test_vector_stores import (
    MODEL,
    as_in_a_large_store,
    embed,
    expected,
    fill,
    nearest,
    vector,
)
from tests.patience import PATIENCE
from tests.postgres_server import server
from tests.requirements import requirement
from tests.usecases.reading import SmallReader
from tests.usecases.wishes import asked, said

pytestmark = needs_chroma
ROOT = "/api/v2/tenants/default_tenant/databases/default_database/collections"


@pytest.fixture(autouse=True)
def _ends_in_any_case() -> Generator[None, None, None]:
    """End the process with all tracebacks if a test hangs.

    Dropping a client of chromadb 1.5.9 can spin with the lock of the interpreter held; then no
    Python code runs any more, and only this thread of C can end it.
    """
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture(autouse=True)
def _as_in_a_large_store(monkeypatch: pytest.MonkeyPatch) -> None:
    as_in_a_large_store(monkeypatch)


class OverHttp:
    """A collection of a server, with the same names of methods as in the package."""

    def __init__(self, root: str, name: str) -> None:
        self._root = root
        facts = self._asked("GET", quote(name))
        self.metadata = facts["metadata"]
        self._id = facts["id"]

    def get(self, **body: object) -> Any:
        return self._asked("POST", f"{self._id}/get", body)

    def delete(self, **body: object) -> None:
        self._asked("POST", f"{self._id}/delete", body)

    def upsert(self, **body: object) -> None:
        self._asked("POST", f"{self._id}/upsert", body)

    def update(self, **body: object) -> None:
        self._asked("POST", f"{self._id}/update", body)

    def modify(self, metadata: object) -> None:
        self._asked("PUT", self._id, {"new_metadata": metadata})

    def _asked(self, method: str, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = Request(f"{self._root}/{path}", data=data, headers=headers, method=method)  # noqa: S310 - loopback
        with urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310 - loopback
            return json.load(answer)


class Chroma:
    """One Chroma with the index of one store, as another program sees it."""

    def __init__(self, setting: str, home: Path) -> None:
        self.setting = setting
        self.home = home
        self.database = home / "holdfast.db"

    def open(self) -> SqliteStore:
        return SqliteStore.open(self.database, index=vector_store(lambda: self.setting))

    def name(self) -> str:
        store = SqliteStore.open(self.database)
        try:
            with store._engine.reading() as work:
                return f"holdfast-{work.meta('store_id')}-1"
        finally:
            store.close()

    @contextmanager
    def collection(self) -> Generator[Any, None, None]:
        """Give the collection to another program."""
        if self.setting.startswith("chroma+"):
            yield OverHttp(f"{self.setting.removeprefix('chroma+')}{ROOT}", self.name())
            return
        chromadb = import_module("chromadb")
        place = read_place(self.setting, f"{self.database}-vectors-1")
        quiet = chromadb.config.Settings(anonymized_telemetry=False)
        client = chromadb.PersistentClient(place.folder, settings=quiet)
        try:
            yield client.get_collection(self.name(), embedding_function=None)
        finally:
            client.close()

    def ids(self) -> list[str]:
        with self.collection() as collection:
            return sorted(collection.get(include=[])["ids"])

    def header(self) -> ChromaHeader:
        with self.collection() as collection:
            found = read_metadata(collection.metadata)
        assert found is not None
        return found


@pytest.fixture(params=["folder", "server"])
def chroma(request: pytest.FixtureRequest, tmp_path: Path) -> Chroma:
    install()
    setting = shared_server().setting if request.param == "server" else "chroma"
    chroma = Chroma(setting, tmp_path)
    store = chroma.open()
    fill(store, 40)
    nearest(store, 1)
    store.close()
    return chroma


SEEDS = {number: [number] for number in range(40)}


def check(store: Store, seeds: dict[int, list[int]] | None = None) -> None:
    for question in (1, 8, 900):
        assert nearest(store, question) == expected(seeds or SEEDS, question)


def builds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows whenever a collection is made anew."""
    made: list[str] = []
    build = following.build

    def counted(calls: Any, name: str, source: VectorSource) -> object:
        made.append(name)
        return build(calls, name, source)

    monkeypatch.setattr("holdfast.adapters.chroma.index.build", counted)
    return made


def test_every_vector_is_a_row_and_the_header_has_the_last_change(chroma: Chroma) -> None:
    assert len(chroma.ids()) == 40
    header = chroma.header()
    assert (header.rows, header.last.number, header.writer) == (40, 40, "")


@requirement("chroma.follows")
def test_chroma_catches_up_by_its_watermark(
    chroma: Chroma, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = builds(monkeypatch)
    store = chroma.open()
    keep(store, *(numbered(number) for number in range(40, 80)))
    embed(store, {number: [number] for number in range(40, 80)})

    check(store, {number: [number] for number in range(80)})

    store.close()
    assert (len(chroma.ids()), made) == (80, [])


def emptied(collection: Any) -> None:
    found = collection.get(include=[])["ids"]
    collection.delete(ids=found)


def one_removed(collection: Any) -> None:
    found = collection.get(include=[], limit=1)["ids"]
    collection.delete(ids=found)


def headless(collection: Any) -> None:
    collection.modify(metadata={"other": "program"})


@requirement("chroma.rebuilt")
@pytest.mark.parametrize("damage", [emptied, one_removed, headless])
def test_what_was_emptied_or_damaged_is_rebuilt_and_told(
    chroma: Chroma, damage: Callable[[Any], None]
) -> None:
    with chroma.collection() as collection:
        damage(collection)

    store = chroma.open()
    check(store)
    told = store.warnings
    store.close()

    assert len(chroma.ids()) == 40
    assert any("was damaged" in one for one in told)


@requirement("chroma.rebuilt")
def test_a_collection_that_is_gone_is_built_anew(
    chroma: Chroma, monkeypatch: pytest.MonkeyPatch
) -> None:
    if chroma.setting == "chroma":
        shutil.rmtree(f"{chroma.database}-vectors-1.chroma")
    else:
        url = f"{chroma.setting.removeprefix('chroma+')}{ROOT}/{quote(chroma.name())}"
        urlopen(Request(url, method="DELETE"), timeout=PATIENCE).close()  # noqa: S310 - loopback
    made = builds(monkeypatch)
    store = chroma.open()

    check(store)

    store.close()
    assert len(made) == 1


@requirement("chroma.rebuilt")
def test_an_older_copy_of_the_store_has_another_history(
    chroma: Chroma, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = chroma.home / "kept.db"
    shutil.copy(chroma.database, kept)
    store = chroma.open()
    embed(store, {number: [number + 300] for number in range(30)})
    nearest(store, 1)
    store.close()
    for name in chroma.home.glob("holdfast.db*"):
        if not name.is_dir() and not name.name.endswith(".lock"):
            name.unlink()
    shutil.copy(kept, chroma.database)
    made = builds(monkeypatch)
    store = chroma.open()

    check(store)

    store.close()
    assert len(made) == 1


@requirement("chroma.forgets")
def test_a_forgotten_vector_leaves_chroma_before_forgetting_returns(chroma: Chroma) -> None:
    store = chroma.open()
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(8)))
    store.upkeep.scrub()

    if chroma.setting == "chroma":
        assert not Path(f"{chroma.database}-vectors-1.chroma").exists()
    else:
        assert len(chroma.ids()) == 39
    check(store, {number: some for number, some in SEEDS.items() if number != 8})
    store.close()
    assert len(chroma.ids()) == 39


@requirement("chroma.forgets")
def test_a_forgotten_vector_of_a_store_on_postgres_leaves_chroma_too(tmp_path: Path) -> None:
    with a_server(tmp_path) as chroma:
        options = PostgresOptions(tenant=uuid4(), outside=outside_store(lambda: chroma.setting))
        store = PostgresStore.open(server().url(), options)
        fill(store, 12)
        nearest(store, 1)

        with store.writing(NOON) as tx:
            tx.memories.forget(a_tombstone(memory_id=memory_id(8)))
        left = rows_on(chroma.setting)
        told = store.warnings
        with store.writing(NOON) as tx:
            tx.memories.forget(a_tombstone(memory_id=memory_id(9)))
            chroma.stop()
        away = store.warnings
        store.close()

    assert (left, told) == (11, ())
    assert "still in an index" in away[0]


def rows_on(setting: str) -> int:
    """Return the number of rows of the only collection of a server."""
    root = f"{setting.removeprefix('chroma+')}{ROOT}"
    with urlopen(root, timeout=PATIENCE) as answer:  # noqa: S310 - loopback
        (found,) = json.load(answer)
    with urlopen(f"{root}/{found['id']}/count", timeout=PATIENCE) as answer:  # noqa: S310 - loopback
        return int(answer.read())


def test_the_vectors_of_a_dropped_model_leave_chroma(tmp_path: Path) -> None:
    with a_server(tmp_path / "data") as chroma:
        store = Chroma(chroma.setting, tmp_path).open()
        fill(store, 5)
        nearest(store, 1)
        with store.writing(NOON) as tx:
            assert tx.finding.meaning.drop(MODEL.name) == 5
        store.close()
        root = f"{chroma.setting.removeprefix('chroma+')}{ROOT}"
        with urlopen(root, timeout=PATIENCE) as answer:  # noqa: S310 - loopback
            assert json.load(answer) == []


@requirement("chroma.away")
def test_a_server_that_is_away_is_named_and_nothing_else_breaks(tmp_path: Path) -> None:
    with a_server(tmp_path / "data") as chroma:
        store = Chroma(chroma.setting, tmp_path).open()
        fill(store, 40)
        nearest(store, 1)

    with pytest.raises(ChromaAwayError, match=r"Chroma at http://127\.0\.0\.1:\d+ does not answer"):
        nearest(store, 1)
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(8)))
    with pytest.raises(StoreUnreadableError, match="does not answer"):
        store.upkeep.scrub()
    found = [one for one in store.upkeep.check(said_nothing) if one.check == "index"]
    assert "was not checked" in found[0].message

    with a_server(tmp_path / "data", chroma.port):
        store.upkeep.scrub()
        check(store, {number: some for number, some in SEEDS.items() if number != 8})
    store.close()


def test_the_check_compares_every_row_with_the_store(chroma: Chroma) -> None:
    store = chroma.open()

    def problems() -> list[str]:
        return [one.message for one in store.upkeep.check(said_nothing) if one.check == "index"]

    assert problems() == ["The vector indexes are intact."]
    with chroma.collection() as collection:
        ids = collection.get(include=[], limit=2)["ids"]
        collection.update(ids=ids[:1], embeddings=[[1.0] * 8])
    assert f"the numbers of its row {ids[0]} are not those of the store" in problems()[0]
    with chroma.collection() as collection:
        collection.delete(ids=ids[:1])
        collection.upsert(ids=["77-1-0"], embeddings=[[1.0] * 8])
    assert "a row 77-1-0 that the store does not have" in problems()[0]
    with chroma.collection() as collection:
        collection.delete(ids=["77-1-0"])
    assert "it has 39 rows instead of 40" in problems()[0]
    store.close()


KILLED = """
import os, sys
from pathlib import Path
from tests.chroma_server import install
install()
from holdfast.adapters.chroma import embedded, following
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.adapters.sqlite.memory import memories
from holdfast.bootstrap.plugs.scanning import vector_store
from tests.contract.test_vector_stores import nearest
memories._FEW = 0
following._AT_ONCE = 20
marked, times = following.Following._marked, []
def dying(self, header):
    times.append(1)
    if len(times) == int(sys.argv[3]):
        os._exit(9)
    return marked(self, header)
following.Following._marked = dying
index = vector_store(lambda: sys.argv[2])
store = SqliteStore.open(Path(sys.argv[1]), index=index)
nearest(store, 1)
"""


@requirement("chroma.follows")
@pytest.mark.parametrize("moment", [1, 2, 3])
def test_an_update_that_was_killed_is_finished_by_the_next_one(
    chroma: Chroma, moment: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = chroma.open()
    embed(store, {number: [number + 300] for number in range(40)})
    store.close()
    command = [sys.executable, "-c", KILLED, str(chroma.database), chroma.setting, str(moment)]
    assert subprocess.run(command, check=False).returncode == 9
    monkeypatch.setattr("holdfast.adapters.chroma.following.time", lambda: 1e12)
    store = chroma.open()

    check(store, {number: [number + 300] for number in range(40)})
    check(store, {number: [number + 300] for number in range(40)})
    found = [one.message for one in store.upkeep.check(said_nothing) if one.check == "index"]

    store.close()
    assert (len(chroma.ids()), found) == (40, ["The vector indexes are intact."])


def test_while_another_process_writes_the_store_itself_answers(
    chroma: Chroma, monkeypatch: pytest.MonkeyPatch
) -> None:
    if chroma.setting == "chroma":
        pytest.skip("in a folder, the lock lets one process in at a time")
    header = chroma.header()
    busy = replace(header, writer="another", until=1e12)
    with chroma.collection() as collection:
        collection.modify(metadata=dict(busy.as_metadata()))
    made = builds(monkeypatch)
    store = chroma.open()
    embed(store, {number: [number + 300] for number in range(30)})

    check(store, SEEDS | {number: [number + 300] for number in range(30)})

    store.close()
    assert (made, chroma.header().last.number) == ([], 40)


@requirement("chroma.approximate")
def test_a_search_that_compares_only_some_vectors_says_so(chroma: Chroma) -> None:
    store = chroma.open()
    keep(store, *(numbered(number) for number in range(40, 700)))
    embed(store, {number: [number] for number in range(40, 700)})

    with store.reading() as tx:
        near = tx.finding.meaning.search(vector(1), Selection(), limit=5)
        few = tx.finding.meaning.search(vector(1), Selection(), limit=690)

    store.close()
    assert (near.is_exact, 5 <= near.looked_at < 700) == (False, True)
    assert (few.is_exact, len(few.hits)) == (True, 690)


def test_many_memories_of_a_selection_are_searched_in_chroma(
    chroma: Chroma, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.adapters.chroma.index._FEW", 3)
    index = cast("ChromaIndex", chroma_index(chroma.setting, f"{chroma.database}-vectors-1"))
    store = chroma.open()
    with store.reading() as tx:
        meaning = tx.finding.meaning
        question = vector(8).values
        known = meaning._named(MODEL.name)
        assert known is not None
        source = meaning.source(known)
        near = index.nearest(question, source, among=[1, 2, 3, 4, 9, 5_000], limit=3)
        none = index.nearest(question, source, among=[5_000, 5_001, 5_002, 5_003], limit=3)
    store.close()
    index.close()

    assert near.found[0][0] == 9
    assert {sequence for sequence, _ in near.found} < {1, 2, 3, 4, 9}
    assert (near.is_exact, none.found, none.is_all) == (False, (), True)


def test_a_folder_that_another_process_uses_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install()
    monkeypatch.setattr("holdfast.adapters.chroma.embedded._WAIT_SECONDS", 0.0)
    setting = f"chroma:{tmp_path / 'db'}"
    store = Chroma(setting, tmp_path).open()
    fill(store, 3)
    nearest(store, 1)
    other = IndexLock(str(tmp_path / "db"))
    assert other.write_alone(within_seconds=0)

    with pytest.raises(ChromaAwayError, match="in use by another process"):
        nearest(store, 1)

    other.close()
    assert len(nearest(store, 1)) == 3
    store.close()


def test_a_damaged_folder_is_named(tmp_path: Path) -> None:
    install()
    folder = tmp_path / "db"
    folder.mkdir()
    (folder / "chroma.sqlite3").write_bytes(b"no database" * 500)
    store = Chroma(f"chroma:{folder}", tmp_path).open()
    fill(store, 3)

    with pytest.raises(ChromaAwayError, match="cannot be used"):
        nearest(store, 1)
    store.close()


def test_changing_the_setting_leaves_no_vectors_of_the_other_index(tmp_path: Path) -> None:
    install()
    place = f"{tmp_path / 'holdfast.db'}-vectors-1"
    store = Chroma("sidecar", tmp_path).open()
    fill(store, 3)
    nearest(store, 1)
    store.close()
    assert Path(f"{place}.i8").exists()

    store = Chroma("chroma", tmp_path).open()
    nearest(store, 1)
    store.close()
    assert Path(f"{place}.chroma").is_dir()
    assert not Path(f"{place}.i8").exists()

    store = Chroma("sidecar", tmp_path).open()
    nearest(store, 1)
    store.close()
    assert not Path(f"{place}.chroma").exists()


@requirement("chroma.away")
def test_recall_goes_on_by_words_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.adapters.chroma.index._FEW", 0)
    store = Chroma("chroma+http://127.0.0.1:9", tmp_path).open()
    holdfast = Holdfast(
        principal=ADA,
        store=store,
        clock=FixedClock(),
        counter=WordCounter(),
        surroundings=PlainSurroundings(),
        heuristics=ENGLISH,
        embedder=SmallReader(),
    )
    wanted = said(holdfast, "Tokens rotate.")

    found = asked(holdfast, "Tokens").bundle

    store.close()
    assert [item.memory_id for item in found.items] == [wanted.memory.id]
    assert "searched by words only: Chroma at http://127.0.0.1:9 does not answer" in found.notes[0]


@requirement("chroma.needs-a-person")
def test_no_variable_sends_vectors_to_another_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = SettingsFile(tmp_path / "config.toml")
    kept.set("recall.index", "chroma+https://chroma.example.com")
    assert chosen_index(kept) == "chroma+https://chroma.example.com"

    monkeypatch.setenv("HOLDFAST_RECALL_INDEX", "chroma+https://other.example.com")
    with pytest.raises(RemoteIndexError, match="HOLDFAST_RECALL_INDEX"):
        chosen_index(kept)
    monkeypatch.setenv("HOLDFAST_RECALL_INDEX", "chroma+http://127.0.0.1:8000")
    assert chosen_index(kept) == "chroma+http://127.0.0.1:8000"


@pytest.mark.parametrize(
    "value",
    ["chroma:", "chroma:data", "chroma+ftp://h", "chroma+http://u:p@h", "chroma+http://h/tenant"],
)
def test_a_setting_that_names_no_chroma_is_refused(value: str, tmp_path: Path) -> None:
    with pytest.raises(BadFieldError):
        SettingsFile(tmp_path / "config.toml").set("recall.index", value)


@pytest.mark.parametrize(
    ("setting", "place"),
    [
        ("chroma:/data/c", ChromaPlace(folder="/data/c")),
        ("chroma", ChromaPlace(folder="/home/x-1.chroma", is_own=True)),
        ("chroma+http://h:8000", ChromaPlace(url="http://h:8000")),
        ("chroma+https://h/t/d/", ChromaPlace(url="https://h", tenant="t", database="d")),
    ],
)
def test_a_setting_names_a_folder_or_a_server(setting: str, place: ChromaPlace) -> None:
    assert read_place(setting, "/home/x-1") == place


def test_a_store_on_a_server_has_no_folder_for_chroma() -> None:
    with pytest.raises(PlugInFailedError, match="not in a file"):
        chroma_index("chroma", "0a-1")


def test_a_row_that_holdfast_did_not_write_is_no_row() -> None:
    assert [read_row(name) for name in ("a", "1-2", "1-x-3", "1-2-3-4")] == [None] * 4


@pytest.mark.parametrize("name", ["rows", "store", "token", "writer", "number"])
def test_metadata_of_another_program_is_no_header(name: str) -> None:
    metadata = dict(ChromaHeader(store_id="a", dimension=3).as_metadata())
    assert read_metadata(metadata) == ChromaHeader(store_id="a", dimension=3)
    assert read_metadata(metadata | {name: -1.5}) is None


class Strange(BaseHTTPRequestHandler):
    """Answers with what no Chroma would say."""

    answers: tuple[str, ...] = ()
    seen: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.seen.append(str(self.headers["X-Chroma-Token"]))
        said = self.answers[min(len(self.seen), len(self.answers)) - 1].encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    do_POST = do_PUT = do_DELETE = do_GET  # noqa: N815 - the names of the base class

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        pass


@pytest.mark.parametrize(
    "answers",
    [
        ("no json",),
        ("[]",),
        ('{"name": "x"}',),
        ('{"id": "1", "metadata": null}', "{}"),
    ],
)
def test_a_server_that_is_no_chroma_is_away_and_the_token_is_sent(
    answers: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_CHROMA_TOKEN", "t-1")
    monkeypatch.setattr(Strange, "answers", answers)
    monkeypatch.setattr(Strange, "seen", [])
    with ThreadingHTTPServer(("127.0.0.1", 0), Strange) as strange:
        Thread(target=strange.serve_forever, daemon=True).start()
        setting = f"chroma+http://127.0.0.1:{strange.server_port}"
        store = Chroma(setting, tmp_path).open()
        fill(store, 3)

        with pytest.raises(ChromaAwayError, match="cannot be read"):
            nearest(store, 1)

        store.close()
        strange.shutdown()
    assert set(Strange.seen) == {"t-1"}


def test_a_client_lives_on_after_its_store_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install()
    others = threads()
    monkeypatch.setattr(embedded, "_FOLDERS", {})
    one, two = (embedded.chroma_folder(read_place("chroma", str(tmp_path / name))) for name in "ab")
    with one.entered() as calls:
        calls.create("first", {"a": 1})
    kept = one._client
    chroma_index("chroma", str(tmp_path / "a")).close()
    assert one._client is kept

    holders = [one for one in threads() if one.name == "chroma" and one not in others]

    monkeypatch.setattr(embedded, "_MOST_OPEN", 1)
    with two.entered() as calls:
        assert calls.find("first") is None
        assert (one.is_open, two.is_open) == (False, True)
        busy = Thread(target=two.stop_if_idle)
        busy.start()
        busy.join()
        assert two.is_open
    with one.entered() as calls:
        assert calls.find("first") is not None
    for folder in (one, two):
        folder.discard()
    for holder in holders:
        holder.join(PATIENCE)
    assert holders
    assert not any(holder.is_alive() for holder in holders)
