"""Code that is found by what its documentation or its body says in other words."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

import apsw
import pytest

from holdfast.adapters.code.index.database import problem_of
from holdfast.adapters.code.index.index import GitCodeIndex
from holdfast.adapters.code.index.meaning import embedded_text
from holdfast.bootstrap.opening.embedders import local_embedder
from holdfast.bootstrap.plugs.code import checkout, code_index
from holdfast.domain.errors import NoMeaningError
from holdfast.domain.recall.finding import EmbeddingModel, Vector
from tests.adapters.test_repository import git
from tests.requirements import requirement

SHOP = '''
def hash_secret(raw):
    """Turn a password into something that is safe to keep."""
    return raw


def paginate(rows):
    """Divide a long list into pages."""
    return rows


def undocumented(rows):
    return split_into_batches(rows, page_size=LIMIT)


def _private(rows):
    return split_into_batches(rows)
'''
OTHER = 'def keep_safe_login():\n    """Count the turned pages."""\n    return "credential"\n'
TEST = 'def test_credentials():\n    """Check that a password is protected."""\n'
BROKEN = "the model cannot be read"
QUESTION = "how are credentials protected"
TOPICS = (
    ("password", "credentials", "protected", "secret"),
    ("list", "pages"),
    ("batches", "portions"),
)


class TopicModel:
    """An embedding model that knows two topics by their words; texts without one are unrelated."""

    def __init__(self, name: str = "topics@1") -> None:
        self.model = EmbeddingModel(name=name, dimension=len(TOPICS) + 1)
        self.unrelated = 0.0
        self.topic: str | None = None
        self.embedded: list[str] = []
        self.is_broken = False

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[Vector]]:
        self.embedded += texts
        return [[self.ask(text)] for text in texts]

    def ask(self, question: str) -> Vector:
        if self.is_broken:
            raise NoMeaningError(BROKEN)
        words = (self.topic or question).casefold().replace(".", "").split()
        known = [float(any(word in words for word in topic)) for topic in TOPICS]
        whole = [*known, 0.0 if any(known) else 1.0]
        length = sum(part * part for part in whole) ** 0.5
        values = struct.pack(f"<{len(whole)}f", *(part / length for part in whole))
        return Vector(model=self.model, values=values)


class Tree:
    """A working tree with documented functions, and its index."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root, self.home, self.model = root, home, TopicModel()
        self.index = self.opened()

    def opened(self) -> GitCodeIndex:
        return code_index(home=self.home, folder=self.root, model=lambda: self.model)

    def write(self, path: str, text: str) -> None:
        (self.root / path).write_text(text, encoding="utf-8")

    @property
    def vectors(self) -> Path:
        path = checkout(home=self.home, folder=self.root).database
        return path.with_name(f"{path.stem}-meaning.db")

    def titles(self, question: str = QUESTION) -> list[str]:
        found = self.index.search(question, limit=3).passages
        return [passage.title.partition(" ")[0] for passage in found]

    def rows(self) -> list[tuple[str, bytes]]:
        connection = apsw.Connection(str(self.vectors))
        try:
            return [(m, t) for m, t in connection.execute("SELECT model, text FROM symbol_vector")]
        finally:
            connection.close()


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[Tree]:
    root = tmp_path / "root"
    root.mkdir()
    git(root, "init", "-q")
    made = Tree(root, tmp_path / "home")
    made.write("shop.py", SHOP)
    made.write("other.py", OTHER)
    made.write("test_shop.py", TEST)
    yield made
    made.index.close()


@requirement("code.by-meaning")
def test_a_function_is_found_by_what_its_documentation_says_in_other_words(tree: Tree) -> None:
    by_words = code_index(home=tree.home, folder=tree.root)
    plain = [one.title.partition(" ")[0] for one in by_words.search(QUESTION, limit=3).passages]
    by_words.close()

    found = tree.index.search(QUESTION, limit=3).passages

    assert "hash_secret" not in plain[:1]
    assert found[0].title.startswith("hash_secret")
    assert found[0].likeness > 0.9
    assert any(one.leg == "meaning" and one.note == "hash_secret" for one in found[0].reasons)


@requirement("code.prefers-what-people-mean")
@pytest.mark.parametrize("question", ["keep_password_safe", "what does keep_password_safe do"])
def test_the_name_of_a_symbol_finds_its_definition_before_what_means_the_like(
    tree: Tree, question: str
) -> None:
    tree.write("names.py", "def keep_password_safe(raw):\n    return raw\n")
    tree.model.topic = "password"  # the vector of a name is near many texts

    assert tree.titles(question)[0] == "keep_password_safe"


@requirement("code.by-meaning")
def test_documentation_counts_where_its_function_begins(tree: Tree) -> None:
    filler = "".join(f"            line_{number} = raw\n" for number in range(40))
    inner = "".join(
        f"        def step_{number}(raw):\n{filler}        credentials = {number}\n"
        for number in range(3)
    )
    begin = '    def hash_secret(self, raw):\n        """Keep a password."""\n        first = raw\n'
    tree.write("shop.py", f"class Shop:\n{begin}{inner}")

    found = tree.index.search(QUESTION, limit=3).passages

    assert "def hash_secret" in found[0].text


@requirement("code.by-meaning")
def test_symbols_outside_of_tests_are_embedded_once_and_documented_ones_first(tree: Tree) -> None:
    tree.index.refresh(lambda _done, _total: None)
    tree.titles()
    tree.index.refresh(lambda _done, _total: None)

    assert sorted(tree.model.embedded[:3]) == [
        "hash secret. Turn a password into something that is safe to keep.",
        "keep safe login. Count the turned pages.",
        "paginate. Divide a long list into pages.",
    ]
    assert tree.model.embedded[3:] == [
        "undocumented. return split into batches rows page size limit"
    ]


@requirement("code.by-meaning")
def test_a_function_without_documentation_is_found_by_the_words_of_its_body(tree: Tree) -> None:
    tree.index.refresh(lambda _done, _total: None)

    assert tree.titles("hand over the portions")[0] == "undocumented"


@requirement("code.by-meaning")
def test_an_answer_counts_what_has_no_vector_yet(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.adapters.code.index.meaning._BATCH", 1)
    monkeypatch.setattr("holdfast.adapters.code.index.index._EMBEDDING_SECONDS", 0.0)

    left = [tree.index.search(QUESTION, limit=3).unembedded for _ in range(5)]
    tree.model.is_broken = True
    tree.write("more.py", "def kept_apart(first, second):\n    return hold(first, second)\n")

    assert left == [3, 2, 1, 0, 0]
    assert tree.index.search(QUESTION, limit=3).unembedded == 0


@requirement("code.by-meaning")
def test_a_question_about_tests_is_answered_by_words(tree: Tree) -> None:
    tree.index.refresh(lambda _done, _total: None)

    assert tree.titles("which test protects a password")[0] == "test_credentials"


@requirement("code.by-meaning")
def test_vectors_follow_the_checkout_and_the_model(tree: Tree) -> None:
    tree.index.refresh(lambda _done, _total: None)
    before = tree.rows()
    tree.write("other.py", "x = 1\n")
    tree.model = TopicModel("topics@2")
    tree.index.close()
    tree.index = tree.opened()

    tree.index.refresh(lambda _done, _total: None)

    after = tree.rows()
    assert {model for model, _ in before} == {"topics@1"}
    assert {model for model, _ in after} == {"topics@2"}
    assert (len(before), len(after)) == (4, 3)


@requirement("code.by-meaning")
@requirement("store.derived-damage-noticed")
def test_a_flipped_bit_in_a_vector_is_seen_and_the_file_is_made_again(tree: Tree) -> None:
    tree.index.refresh(lambda _done, _total: None)
    tree.index.close()
    connection = apsw.Connection(str(tree.vectors))
    connection.execute("UPDATE symbol_vector SET value = zeroblob(length(value))")
    connection.close()

    problem = problem_of(tree.vectors)

    assert problem == "the page at byte 4096 is not the one that was written"
    assert tree.titles()[0] == "hash_secret"
    assert problem_of(tree.vectors) is None


@requirement("store.derived-damage-noticed")
def test_wherever_a_bit_is_flipped_the_next_answer_is_the_one_without_the_file(tree: Tree) -> None:
    tree.index.refresh(lambda _done, _total: None)
    tree.index.close()
    sound = tree.vectors.read_bytes()
    tree.vectors.unlink()
    wanted = tree.index.search(QUESTION, limit=3)

    for place in range(24, len(sound), 1_021):
        tree.index.close()
        damaged = bytearray(sound)
        damaged[place] ^= 1
        tree.vectors.write_bytes(damaged)

        assert tree.index.search(QUESTION, limit=3) == wanted, place


def test_without_a_model_or_with_a_broken_one_words_decide(tree: Tree) -> None:
    tree.model.is_broken = True

    assert tree.titles("divide a long list")[0] == "paginate"

    tree.model.is_broken = False
    tree.index.refresh(lambda _done, _total: None)
    tree.model.is_broken = True
    assert tree.titles("divide a long list")[0] == "paginate"


def test_a_long_text_is_searched_by_its_words(tree: Tree) -> None:
    tree.index.refresh(lambda _done, _total: None)

    found = tree.index.search(" ".join(["credentials", *["traceback"] * 60]), limit=3).passages

    assert all(one.likeness == 0 for one in found)


def test_a_rebuild_makes_the_vectors_again(tree: Tree) -> None:
    tree.index.refresh(lambda _done, _total: None)

    tree.index.refresh(lambda _done, _total: None, anew=True)

    assert len(tree.model.embedded) == 8


@pytest.mark.parametrize(
    ("name", "doc", "text"),
    [
        ("TokenStore.rotateAll", "Rotate. Every token of a family at once. More.",
         "Token Store rotate All. Rotate. Every token of a family at once."),
        ("make_HTTP2", "no full stop", "make HTTP 2. no full stop"),
        ("empty", " ", ""),
    ],
)  # fmt: skip
def test_the_text_has_the_words_of_the_name_and_the_first_sentence(
    name: str, doc: str, text: str
) -> None:
    assert embedded_text(name, doc) == text


def test_code_is_never_sent_to_a_model_that_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_EMBEDDING_MODEL", "openai:text-embedding-3-small")

    assert local_embedder(tmp_path) is None
