"""Code is found by words, by what a question names, and by who calls whom."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from holdfast.adapters.code.index.code_rows import VERSION
from holdfast.adapters.code.index.database import open_database, reading
from holdfast.adapters.code.queries import SQL
from holdfast.adapters.code.search.mentions import Frame, path_parts, read_question
from holdfast.adapters.code.search.search import search
from holdfast.bootstrap.plugs.code import checkout
from holdfast.domain.choices import PassageKind
from holdfast.domain.code.code_ranking import CodeWeights
from holdfast.domain.recall.bundle import Passage
from holdfast.domain.values import replace
from tests.adapters.small_project import FILES, Project
from tests.requirements import requirement

TRACEBACK = """It breaks when I pay

Traceback (most recent call last):
  File "/home/me/site-packages/framework/basket.py", line 3, in run
    step()
  File "/srv/app/src/shop/checkout/basket.py", line 13, in pay
    store.rotate(basket)
  File "/srv/app/src/shop/vault.py", line 5, in keep
    check(name)
ValueError: 7
"""


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    project = Project(tmp_path, FILES)
    yield project
    project.index.close()


@pytest.fixture
def connection(project: Project) -> Iterator[apsw.Connection]:
    project.index.refresh(lambda _done, _total: None)
    path = checkout(home=project.root.parent / "home", folder=project.root).database
    connection = open_database(path, script=SQL["create_code"], version=VERSION)
    yield connection
    connection.close()


def files(passages: list[Passage] | tuple[Passage, ...]) -> list[str]:
    return list(dict.fromkeys(each.reference.rpartition(":")[0] for each in passages))


def first(project: Project, question: str) -> Passage:
    return project.index.search(question, limit=5).passages[0]


def legs(passage: Passage) -> set[str]:
    return {reason.leg for reason in passage.reasons}


@requirement("code.search-says-why")
def test_a_passage_is_a_symbol_with_its_lines_and_what_speaks_for_it(project: Project) -> None:
    found = first(project, "How is a token rotated and the old one revoked?")

    assert found.kind is PassageKind.CODE
    assert found.reference == "src/shop/tokens.py:10-13"
    assert found.title == "TokenStore.rotate def rotate(self, token)"
    assert found.text.startswith("    def rotate(self, token):\n")
    assert "words" in legs(found)
    assert sum(reason.amount for reason in found.reasons) == pytest.approx(found.score)
    assert 0 < found.score < 2
    assert set(found.beside) == {"TokenStore.revoke", "issue", "now", "pay"}


@requirement("code.says-what-it-only-supposes")
def test_no_unlikely_callee_stands_beside_a_passage(project: Project) -> None:
    project.write("pyproject.toml", "[tool.lint.format]\nquotes = 2\n")
    project.write("src/shop/kinds.py", "class Dict:\n    def issue(self):\n        return 1\n")
    project.write(
        "src/shop/labels.py",
        "from shop.vault import keep\n\n\n"
        "def sticker(text):\n    keep(dict(text=text), text.format(1))\n",
    )

    assert first(project, "sticker").beside == ("keep",)


def test_the_text_is_what_the_checkout_says_now(project: Project) -> None:
    project.index.search("rotate", limit=1)
    project.write("src/shop/tokens.py", "def rotate_twice(token):\n    return token\n")

    found = first(project, "rotate")

    assert found.text == "def rotate_twice(token):\n    return token"


def test_words_inside_identifiers_are_found(project: Project) -> None:
    assert first(project, "price with tax").reference.startswith("src/shop/checkout/basket.py")
    assert first(project, "format money").reference.startswith("web/cart.ts")


def test_the_best_comes_first_and_a_file_gives_three_passages_at_most(project: Project) -> None:
    found = project.index.search("token", limit=20).passages

    scores = [each.score for each in found]
    assert scores == sorted(scores, reverse=True)
    assert max(sum(one.reference.startswith(path) for one in found) for path in FILES) == 3
    assert len(project.index.search("token", limit=2).passages) == 2


@requirement("code.mentions-count")
@pytest.mark.parametrize(
    ("question", "path", "leg"),
    [
        ("Something is odd in src/shop/clock.py", "src/shop/clock.py", "path"),
        ("Something is odd in C:\\work\\shop\\clock.py", "src/shop/clock.py", "path"),
        ("The clock is odd", "src/shop/clock.py", "path"),
        ("It says shop.clock.something is odd", "src/shop/clock.py", "path"),
        ("`BasketTotal` is odd", "src/shop/checkout/basket.py", "symbol"),
        ("`TokenStore.revoke` is odd", "src/shop/tokens.py", "symbol"),
        ("wait_until() is odd", "src/shop/clock.py", "symbol"),
        (TRACEBACK, "src/shop/vault.py", "traceback"),
        ("Error\n    at total (/srv/web/total.ts:2:10)\n", "web/total.ts", "traceback"),
        ('File "/home/me/shop/manage.py", line 2, in run', "manage.py", "traceback"),
        ("panic\n\tsrc/shop/clock.py:5 +0x1d\n", "src/shop/clock.py", "traceback"),
    ],
)
def test_what_a_question_names_is_found_and_the_reason_says_so(
    project: Project, question: str, path: str, leg: str
) -> None:
    found = first(project, question)

    assert found.reference.rpartition(":")[0] == path
    assert leg in legs(found)


@pytest.mark.parametrize(
    "question",
    [
        'It broke\n  File "/usr/lib/python3/site-packages/other/clock.py", line 4, in now',
        'It broke\n  File "/usr/lib/node_modules/manage.py", line 1, in run',
        "It broke at nowhere.py:12 and in ...:3",
    ],
)
def test_a_place_in_the_code_of_others_points_at_nothing(project: Project, question: str) -> None:
    found = project.index.search(question, limit=9).passages

    assert all("traceback" not in legs(each) for each in found)


def test_a_package_is_its_own_file_and_a_path_that_many_have_points_at_none(tmp_path: Path) -> None:
    files = {f"apps/app{one}/models.py": f"x = {one}\n" for one in range(5)}
    project = Project(tmp_path, {**files, "core/tools/__init__.py": "y = 1\n", "__init__.py": "\n"})

    assert first(project, "core.tools.thing is odd").reference == "core/tools/__init__.py:1-1"
    found = project.index.search("why models.py?", limit=9).passages
    assert len(found) == 5
    assert {reason.note for each in found for reason in each.reasons} == {"model"}
    project.index.close()


def test_of_a_traceback_the_innermost_place_of_ours_counts_most(project: Project) -> None:
    found = project.index.search(TRACEBACK, limit=5).passages

    assert files(list(found))[:2] == ["src/shop/vault.py", "src/shop/checkout/basket.py"]
    amounts = {
        each.reference: reason.amount
        for each in found
        for reason in each.reasons
        if reason.leg == "traceback"
    }
    assert amounts["src/shop/vault.py:4-6"] > amounts["src/shop/checkout/basket.py:12-13"]


@pytest.mark.parametrize(
    "name",
    [
        "tests/vault.py",
        "t/unit/vault.py",
        "src/test_vault.py",
        "web/vault.spec.ts",
        "pkg/vault_test.go",
        "app/VaultTest.java",
        "conftest.py",
    ],
)
def test_a_test_comes_after_what_it_tests_unless_tests_are_asked_for(
    tmp_path: Path, name: str
) -> None:
    text = "# The vault opens at noon.\n"
    project = Project(tmp_path, {name: text, "a/latest/contest.py": text})

    found = project.index.search("noon", limit=2).passages
    asked = project.index.search("Tests: noon", limit=2).passages

    assert files(list(found)) == ["a/latest/contest.py", name]
    assert {reason.note for reason in found[1].reasons} == {"a test"}
    assert all(reason.note != "a test" for each in asked for reason in each.reasons)
    project.index.close()


def test_a_definition_comes_before_a_stub_of_its_name_in_a_test(tmp_path: Path) -> None:
    stub = "class Stub:\n    def send_task(self):\n        raise ValueError\n"
    real = (
        "class App:\n    def send_task(self, name, retries=0):\n"
        '        """Send a message by the name of its handler."""\n'
        + "".join(f"        step_{one} = self.step(name, retries, {one})\n" for one in range(40))
    )
    project = Project(tmp_path, {"t/unit/test_beat.py": stub, "app/base.py": real})

    found = project.index.search("send_task", limit=5).passages
    asked = project.index.search("the stub of send_task in the tests", limit=5).passages

    assert files(list(found)) == ["app/base.py", "t/unit/test_beat.py"]
    assert files(list(asked))[0] == "t/unit/test_beat.py"
    project.index.close()


APPLICATION = """\
app.route = function route(path) {
  // The app uses the router of the app for every route of an app.
  return this.router.route(path, this.app, app);
};

/* Mounts it. */
app.use = function use(fn) {
  var steps = flatten(fn);
  return this.router.push(steps);
};

app.close =
app.stop = function stop() {
  return this.server.end();
};

defineGetter(app, 'fresh', function () {
  return !this.stale;
});

defineGetter(app, 'stale', function stale() {
  return !this.fresh && app.fresh === app.use(app.fresh);
});

exports.tag = makeTag({ weak: true });
"""


@requirement("code.mentions-count")
@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("app.use", "/* Mounts it. */"),
        ("how does `app.use` work in the app?", "/* Mounts it. */"),
        ("app.close", "app.close ="),
        ("app.stop", "app.close ="),
        ("app.fresh", "defineGetter(app, 'fresh'"),
        ("app.stale", "defineGetter(app, 'stale'"),
        ("exports.tag", "exports.tag"),
    ],
)
def test_the_part_of_a_file_that_a_question_names_in_full_comes_first(
    tmp_path: Path, question: str, begins: str
) -> None:
    project = Project(tmp_path, {"lib/application.js": APPLICATION})

    found = first(project, question)

    assert found.text.startswith(begins)
    project.index.close()


def test_a_name_that_everybody_defines_points_at_nobody(tmp_path: Path) -> None:
    project = Project(tmp_path, {f"part{one}.py": "def run():\n    pass\n" for one in range(9)})

    found = project.index.search("`run` is odd", limit=20).passages

    assert found
    assert all("symbol" not in legs(each) for each in found)
    project.index.close()


def test_those_who_call_the_best_one_are_lifted(connection: apsw.Connection) -> None:
    question = "rotate: give out a new token"
    without = ask(connection, question, replace(CodeWeights(), calls=0.0))
    found = ask(connection, question, CodeWeights())

    assert all("calls" not in legs(each) for each in without)
    lifted = {each.reference.rpartition(":")[0] for each in found if "calls" in legs(each)}
    assert "src/shop/checkout/basket.py" in lifted


@pytest.mark.parametrize(
    "question",
    [
        "",
        " \n\t ",
        "the and of it",
        "🦀🦀🦀",
        "\0\0",
        "\ud800 half a character",
        '"unclosed AND (NEAR/2 * ^col:',
        "Wie rotiert man das Zeichen?",
        "トークンを回す",
        "`" * 5_000,
        "a/" * 50_000,
        "x" * 100_000,
        "a.b" * 40_000,
        "word_" * 20_000,
        'File "' * 10_000,
        "```" * 9_999,
        "rotate the token " * 6_000,
    ],
    ids=range(17),
)
def test_any_question_gets_an_answer_or_none(project: Project, question: str) -> None:
    for each in project.index.search(question, limit=5).passages:
        assert each.text
        assert each.score > 0


def test_a_question_of_another_language_still_finds_what_it_names(project: Project) -> None:
    found = first(project, "Warum gibt `wait_until` nie auf?")

    assert found.reference.startswith("src/shop/clock.py")


def test_nothing_to_search_or_nothing_wanted_gives_nothing(
    connection: apsw.Connection, tmp_path: Path
) -> None:
    empty = open_database(tmp_path / "empty.db", script=SQL["create_code"], version=VERSION)

    assert search(empty, "token", limit=5, read=lambda _: None) == []
    assert search(connection, "token", limit=0, read=lambda _: None) == []
    empty.close()


def test_what_is_gone_by_now_is_not_shown(connection: apsw.Connection) -> None:
    def read(path: str) -> list[str] | None:
        return None if path == "src/shop/tokens.py" else ["only", "two lines"]

    found = search(connection, "token rotate revoke items length", limit=9, read=read)

    assert all(int(each.reference.rpartition("-")[2]) <= 2 for each in found)
    assert "src/shop/tokens.py" not in files(found)


def ask(connection: apsw.Connection, question: str, weights: CodeWeights) -> list[Passage]:
    with reading(connection):
        return search(
            connection,
            question,
            limit=20,
            read=lambda path: FILES[path].splitlines(),
            weights=weights,
        )


def test_a_question_is_taken_apart_into_title_prose_and_code() -> None:
    said = read_question("Fix rotate\r\nIt `breaks` here:\n```python\nTokenStore()\n```\nThanks")

    assert said.title == "Fix rotate"
    assert "TokenStore" in said.code
    assert "TokenStore" not in said.prose
    assert said.names.quoted == {"breaks"}
    assert "TokenStore" in said.names.code


def test_the_innermost_place_is_the_last_whichever_way_a_language_tells_it() -> None:
    python = read_question('File "a.py", line 1, in run\nFile "b.py", line 2, in keep')
    other = read_question("Error: no\n    at keep (b.ts:2:1)\n    at run (a.ts:1:1)\n")

    assert [frame.path for frame in python.frames] == ["a.py", "b.py"]
    assert [frame.path for frame in other.frames] == ["a.ts", "b.ts"]


def test_places_are_read_in_the_order_they_stand_in() -> None:
    said = read_question('x\nb.py:7: in keep\n  File "a/c.py", line 3, in run\nsee (d/e.go:9)')

    assert said.frames == (
        Frame(path="b.py", line=7),
        Frame(path="a/c.py", line=3, function="run"),
        Frame(path="d/e.go", line=9),
    )


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("a/b.py", ("a", "b.py")),
        ("C:\\a\\b.py", ("a", "b.py")),
        ("../~/./a//b.py", ("a", "b.py")),
        ("", ()),
    ],
)
def test_a_path_is_its_names(path: str, parts: tuple[str, ...]) -> None:
    assert path_parts(path) == parts
