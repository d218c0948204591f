"""What ``import holdfast`` promises: names, types, cost, threads, and the reference page."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Unpack

import pytest

import holdfast
from holdfast import Answer, ClosedError, Hit, MemoryStore, OpenSession, TaskBoard, Workspaces
from holdfast.domain.ids import BundleId
from holdfast.domain.recall.bundle import NOT_KEPT
from holdfast.domain.values import replace
from holdfast.usecases.memory.browse import SessionPage
from tests.python.places import CITED, an_example_repository
from tests.requirements import requirement

ROOT = Path(__file__).parents[2]
REFERENCE = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
USER_PROGRAM = """
from __future__ import annotations

from typing import assert_type

import holdfast


def prompt(hf: holdfast.MemoryStore, question: str) -> str:
    answer = hf.recall(question, budget=500, include=["memory", "code"])
    assert_type(answer, holdfast.Answer)
    for hit in answer:
        assert_type(hit, holdfast.Hit)
        assert_type(hit.verdict, holdfast.Verdict | None)
        assert_type(hit.evidence, tuple[holdfast.Evidence, ...])
    return str(answer)


with holdfast.open(as_="agent", name="bot") as hf:
    kept = hf.remember("x", kind="rule", evidence=[holdfast.span("a.py", 1)], tags=["a"])
    assert_type(kept, holdfast.KeptMemory)
    try:
        assert_type(hf.approve(*hf.review())[0], holdfast.Memory)
    except holdfast.NeedsPersonError as error:
        assert_type(error.advice, str)
    with hf.session(tool="bot") as session:
        assert_type(session.recall("x"), holdfast.Answer)
"""
MISTAKES = """
import holdfast

hf = holdfast.open()
hf.recall("x", bugdet=5)
hf.recall(5)
holdfast.no_such_name
"""


@pytest.fixture
def hf(tmp_path: Path) -> Iterator[MemoryStore]:
    folder = an_example_repository(tmp_path / "app")
    with holdfast.open(home=tmp_path / "home", folder=folder) as opened:
        yield opened


def ran(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)  # noqa: S603 - our own tools


def printed(program: str) -> list[str]:
    """Return the words that a program prints."""
    return ran(sys.executable, "-c", program).stdout.split()


def loosely(thing: object) -> Any:
    """Return a thing for calls that a type checker refuses."""
    return thing


def methods_of(owner: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(owner, inspect.isfunction) if name[0] != "_"}


@requirement("python.all-is-the-promise")
def test_the_reference_describes_exactly_what_is_promised() -> None:
    headed = set(re.findall(r"^###? holdfast\.(\w+)$", REFERENCE, re.MULTILINE))
    errors = set(re.findall(r"^\| `holdfast\.(\w+)` \|", REFERENCE, re.MULTILINE))
    methods = set(re.findall(r"^### MemoryStore\.(\w+)$", REFERENCE, re.MULTILINE))

    assert headed | errors == set(holdfast.__all__) - {"__version__"}
    assert methods == methods_of(MemoryStore)


@requirement("python.options-are-named")
def test_every_option_of_a_method_can_be_imported_and_is_named_by_help() -> None:
    owners = {one for one in map(vars(holdfast).get, holdfast.__all__) if inspect.isclass(one)}
    owners |= {MemoryStore, TaskBoard, Workspaces}
    seen = set()
    for method in [getattr(owner, name) for owner in owners for name in methods_of(owner)]:
        for options in re.findall(r"Unpack\[(\w+)\]", str(inspect.signature(method))):
            seen.add(options)
            if method.__module__ == OpenSession.__module__:
                continue  # it takes what recall takes, which names them
            for name in getattr(holdfast, options).__annotations__:
                assert f"``{name}``" in (inspect.getdoc(method) or ""), (method, name)

    assert seen == {name for name in holdfast.__all__ if name.endswith("Options")}


@requirement("python.import-is-cheap")
def test_importing_the_package_loads_nothing_else() -> None:
    program = (
        "import sys\nbefore = set(sys.modules)\nimport holdfast\n"
        "holdfast.__all__, holdfast.__version__, dir(holdfast)\n"
        "print(*sorted(set(sys.modules) - before))"
    )

    assert printed(program) == ["__future__", "holdfast"]


@requirement("python.import-is-cheap")
@pytest.mark.parametrize("name", ["HoldfastError", "Memory", "Answer", "url"])
def test_a_name_is_imported_without_the_engine(name: str) -> None:
    program = f"import sys, holdfast\nholdfast.{name}\nprint(*sys.modules)"

    assert not {"apsw", "numpy", "onnxruntime", "sqlite3"} & set(printed(program))


@requirement("python.types-are-seen")
@pytest.mark.parametrize(
    ("checker", "mistakes"),
    [(["mypy", "--strict"], {5, 6, 7}), (["ty", "check", "--output-format", "concise"], {6, 7})],
    ids=["mypy", "ty"],
)
def test_a_type_checker_sees_every_type_and_finds_mistakes(
    tmp_path: Path, checker: list[str], mistakes: set[int]
) -> None:
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(USER_PROGRAM, encoding="utf-8")
    wrong.write_text(MISTAKES, encoding="utf-8")
    program = Path(sys.executable).parent / checker[0]

    good = ran(program, *checker[1:], right)
    bad = ran(program, *checker[1:], wrong)

    assert good.returncode == 0, good.stdout + good.stderr
    found = {int(line) for line in re.findall(r"wrong\.py:(\d+)", bad.stdout)}
    assert found == mistakes, bad.stdout


@requirement("python.answers-are-lists")
def test_an_answer_is_a_list_of_hits_with_their_reasons(hf: MemoryStore) -> None:
    hf.remember("Tokens rotate hourly.", evidence=[holdfast.span(CITED, 3, 4)], kind="rule")

    answer = hf.recall("how often do tokens rotate", budget=800)
    (hit,) = answer

    assert isinstance(answer, Answer)
    assert isinstance(hit, Hit)
    assert (len(answer), bool(answer), answer[0], answer[-1:]) == (1, True, hit, (hit,))
    assert (hit.text, str(hit), hit.type) == ("Tokens rotate hourly.", hit.text, "memory")
    assert [str(one) for one in hit.evidence] == [f"{CITED}:3-4"]
    assert (hit.verdict, hit.verdicts) == ("fresh", {f"{CITED}:3-4": "fresh"})
    assert hit.memory is not None
    assert (hit.id, hit.memory.kind) == (hit.memory.id, "rule")
    assert hit.score == pytest.approx(sum(hit.reasons.values()))
    assert hit.why.startswith("own strength")
    assert 0 < hit.tokens <= answer.tokens <= answer.budget == 800
    assert str(answer) == answer.markdown() == answer._repr_markdown_()
    assert (answer.question, answer.memories) == ("how often do tokens rotate", (hit.memory,))
    assert hf.get_answer(answer).bundle_id == answer.bundle_id
    assert "id=" in repr(hit)
    assert repr(answer) == (
        f"Answer(1 hit, {answer.tokens} tokens, bundle_id={answer.bundle_id!r})"
    )


@requirement("python.answers-are-lists")
def test_an_answer_without_hits_is_false_and_still_has_text(hf: MemoryStore) -> None:
    answer = hf.recall("who owns billing")

    assert not answer
    assert "No memory answers this question" in str(answer)


@requirement("python.answers-are-lists")
def test_passages_of_code_are_hits_too(hf: MemoryStore) -> None:
    hf.remember("Tokens rotate hourly.", evidence=[f"{CITED}:3"])
    answer = hf.recall("line 3 tokens", include=("memory", "code"))

    passages = [hit for hit in answer if hit.type == "code"]

    assert len(answer) == len(answer.memories) + len(passages)
    for hit in passages:
        assert (hit.memory, hit.evidence, hit.verdict, hit.superseded_by) == (None, (), None, None)
        assert hit.id.startswith("src/")
        assert hit.text


def test_a_forgotten_memory_is_named_in_an_old_answer_without_its_text(hf: MemoryStore) -> None:
    memory = hf.remember("Tokens rotate hourly.", because="I decided it.")
    answer = hf.recall("tokens")

    hf.forget(memory)
    (hit,) = hf.get_answer(answer)

    assert (hit.id, hit.memory) == (memory.id, None)
    assert (hit.key, hit.kind) == (None, None)
    assert answer[0].kind is memory.kind
    assert "forgotten" in hit.text


@requirement("python.closed-says-so")
@pytest.mark.parametrize("name", sorted(methods_of(MemoryStore) - {"close"}))
def test_every_method_of_a_closed_memory_says_that_it_is_closed(name: str, tmp_path: Path) -> None:
    closed = holdfast.open(home=tmp_path / "home", folder=tmp_path)
    closed.close()

    with pytest.raises(ClosedError, match="was closed") as refused:
        getattr(closed, name)()

    assert "holdfast.open()" in refused.value.advice
    assert repr(closed).endswith("closed>")
    with pytest.raises(ClosedError):
        closed.__enter__()


@requirement("python.from-threads")
def test_threads_share_one_memory(hf: MemoryStore) -> None:
    together = threading.Barrier(8)

    def work(number: int) -> int:
        together.wait()
        hf.remember(f"Server {number} listens on port {8000 + number}.", because="I read it.")
        return len(hf.recall(f"on which port does server {number} listen"))

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(work, range(8)))

    assert all(found)
    assert len(hf.list()) == 8


@requirement("python.closed-says-so")
def test_a_call_during_which_another_thread_closes_the_memory_says_so(
    hf: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = type(hf.app.answers)
    recall = answers.recall

    def closed_before_it_reads(*given: Any) -> Any:
        hf.close()
        return recall(*given)

    monkeypatch.setattr(answers, "recall", closed_before_it_reads)
    with pytest.raises(ClosedError, match="was closed") as refused:
        hf.recall("how often do tokens rotate")

    assert "holdfast.open()" in refused.value.advice


@requirement("python.closed-says-so")
def test_an_export_that_is_read_on_after_the_memory_was_closed_says_so(hf: MemoryStore) -> None:
    hf.remember("Tokens rotate hourly.", because="I decided it.")
    lines = hf.export()
    next(lines)

    hf.close()

    with pytest.raises(ClosedError, match="was closed"):
        next(lines)


def test_errors_carry_code_facts_and_advice(hf: MemoryStore) -> None:
    with pytest.raises(holdfast.NotFoundError) as missing:
        hf.get("m_nothing")
    with pytest.raises(holdfast.NoEvidenceError) as bare:
        hf.remember("Everybody knows this.")
    with pytest.raises(holdfast.WrongTypeError) as typed:
        loosely(hf).recall(5)
    with pytest.raises(holdfast.InvalidError, match="does not exist"):
        holdfast.open(folder="no such folder")

    assert missing.value.facts == {"noun": "memory", "reference": "m_nothing"}
    assert (missing.value.code, missing.value.advice) == (
        "no-such",
        "list() returns the ids of memories.",
    )
    assert "holdfast.url" in bare.value.advice
    assert typed.value.facts["expected"] == "text"
    assert typed.value.advice


def test_a_session_records_what_was_asked_and_ends(hf: MemoryStore) -> None:
    hf.remember("Tokens rotate hourly.", because="I decided it.")

    with hf.session(tool="my-agent", user="ada") as session:
        answer = session.recall("how often do tokens rotate")
        turn = session.turn("and keys?", answer=answer, satisfied=False, notes="no")
        state = repr(session)

    (kept,) = hf.sessions()
    assert (turn.bundle_id, turn.satisfied) == (answer.bundle_id, False)
    assert turn.number == 2
    assert (kept.id, kept.tool, kept.user) == (session.id, "my-agent", "ada")
    assert kept.finished_at is not None
    assert state.endswith("open>")
    with pytest.raises(holdfast.ConflictError, match="has ended"):
        session.turn("more?")
    with pytest.raises(holdfast.WrongTypeError, match="satisfied must be True or False"):
        loosely(session).turn("more?", satisfied="yes")


def test_a_session_records_a_question_whose_answer_could_not_be_kept(hf: MemoryStore) -> None:
    class Busy(MemoryStore):
        def recall(self, question: str, **options: Unpack[holdfast.RecallOptions]) -> Answer:
            """Answer as if another program had locked the store."""
            given = super().recall(question, **options).recalled
            bundle = replace(
                given.bundle, id=BundleId("c_unknown"), notes=(f"{NOT_KEPT}: it is locked",)
            )
            return Answer(replace(given, bundle=bundle))

    with Busy(hf.app).session(tool="my-agent") as session:
        answer = session.recall("how often do tokens rotate")

    assert not answer.is_kept
    assert hf.recall("how often do tokens rotate").is_kept
    page = hf.app.memories.show(session.id)
    assert isinstance(page, SessionPage)
    assert [(turn.query, turn.bundle_id) for turn in page.turns] == [(answer.question, None)]


def test_a_session_outlives_a_memory_that_is_closed_inside_it(tmp_path: Path) -> None:
    with holdfast.open(home=tmp_path, folder=tmp_path) as closed, closed.session() as session:
        closed.close()

    assert not session.is_ended


def test_an_export_is_lines_that_another_memory_imports(hf: MemoryStore, tmp_path: Path) -> None:
    hf.remember("Tokens rotate hourly.", because="I decided it.")
    backup = tmp_path / "backup.jsonl"
    backup.write_text("".join(f"{line}\n" for line in hf.export()), encoding="utf-8")

    with holdfast.open(home=tmp_path / "new", folder=tmp_path) as other:
        with backup.open(encoding="utf-8") as lines:
            brought = other.import_(lines)
        with pytest.raises(holdfast.WrongTypeError, match="lines of text"):
            loosely(other).import_("one text")
        with pytest.raises(holdfast.WrongTypeError, match="lines of text"):
            loosely(other).import_([1])

    assert (brought.added > 0, brought.refused) == (True, ())
    assert json.loads(backup.read_text().splitlines()[0])["type"] == "holdfast"


def test_turns_of_a_conversation_are_pairs_of_known_speakers(hf: MemoryStore) -> None:
    with pytest.raises(holdfast.WrongTypeError, match="pairs of texts"):
        loosely(hf).propose("a text")
    with pytest.raises(holdfast.WrongTypeError, match="pairs of texts"):
        loosely(hf).propose([("user", 1)])
    with pytest.raises(holdfast.InvalidError, match="assistant"):
        hf.propose([("robot", "We decided to use MySQL.")])


def test_two_views_of_a_memory_are_equal(hf: MemoryStore) -> None:
    kept = hf.remember("Tokens rotate hourly.", because="I decided it.")
    other = hf.remember("Keys rotate daily.", because="I decided it.")

    assert kept == hf.get(kept)
    assert kept in hf.list()
    assert len({kept, hf.get(kept), other}) == 2
    assert kept != other
    assert kept != kept.id
    assert kept != hf.recall("tokens")[0]


def test_what_a_method_returned_may_be_passed_to_the_next(hf: MemoryStore, tmp_path: Path) -> None:
    first = hf.remember("Tokens rotate hourly.", evidence=[tmp_path / "app" / CITED])
    answer = hf.recall("how often do tokens rotate")

    second = hf.remember(
        "Keys rotate too.", evidence=answer[0].evidence, derived_from=[first], from_bundle=answer
    )

    assert [one.type for one in second.evidence] == ["span", "bundle"]
    assert [one.memory for one in hf.explain(second).derived_from] == [hf.get(first)]


def test_an_option_that_does_not_exist_is_a_type_error_of_ours(hf: MemoryStore) -> None:
    with pytest.raises(holdfast.InvalidError, match="list: there is no option 'kind'") as refused:
        loosely(hf).list(kind="rule")

    assert isinstance(refused.value, TypeError)


def test_values_have_short_reprs(hf: MemoryStore) -> None:
    memory = hf.remember("Tokens rotate hourly. " * 20, evidence=[f"{CITED}:3"], origin="agent")
    old = hf.remember("Ports are open.", key="ports", because="I decided it.")
    hf.remember("Ports are not open.", key="ports", because="x", origin="agent")
    shown = [
        *(hf, memory, hf.review(), hf.review()[0], hf.conflicts()[0], hf.explain(memory)),
        *(hf.verify(everything=True), hf.verify(everything=True)[0], hf.reject(memory)),
        *(hf.decisions()[0], hf.forget(old, dry_run=True)),
    ]

    for value in shown:
        assert len(repr(value)) < 260, repr(value)
        assert " object at " not in repr(value)


def test_a_home_may_begin_with_the_sign_for_the_users_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    with holdfast.open(home="~/memory", folder="~"):
        pass

    assert (tmp_path / "memory" / "holdfast.db").exists()
