"""Sets as files: found, read, and turned into trials."""

from __future__ import annotations

import gzip
import json
import lzma
import sys
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

import pytest
import zstandard

from holdfast.adapters.benchsets.documents import RawDocument, as_documents
from holdfast.adapters.benchsets.files import find_sets, lines
from holdfast.adapters.benchsets.kept import KeptEmbedder
from holdfast.adapters.benchsets.reading import MOST_LISTED, plan
from holdfast.domain.choices import EvidenceType, Origin
from holdfast.domain.evaluation.benchmark import BadSetError, NeedsZstandardError, NoSetError, Trial
from holdfast.domain.recall.finding import EmbeddingModel, Vector
from tests.requirements import requirement

TEA = {"id": "d1", "group": "all", "ts": None, "speaker": None, "text": "Tea at four."}
ASKED = {"id": "q1", "group": "all", "text": "when is tea", "category": "plain", "gold": ["d1"]}


def written(path: Path, *shapes: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(shape) + "\n" for shape in shapes).encode()
    match path.suffix:
        case ".gz":
            path.write_bytes(gzip.compress(text))
        case ".xz":
            path.write_bytes(lzma.compress(text))
        case ".zst":
            path.write_bytes(zstandard.compress(text))
        case _:
            path.write_bytes(text)
    return path


def a_set(folder: Path, *, documents: Sequence[object] = (TEA,), **changes: object) -> Path:
    written(folder / "dev" / "queries.jsonl", ASKED | changes)
    written(folder / "dev" / "corpus.jsonl.gz", *documents)
    return folder


def trials(folder: Path, *, limit: int | None = None) -> list[Trial]:
    (found,) = find_sets(folder, "dev")
    return list(plan(found, limit=limit).trials)


def test_a_set_is_found_by_its_folder_and_by_the_folder_of_its_split(tmp_path: Path) -> None:
    a_set(tmp_path / "tea")

    for folder in (tmp_path / "tea", tmp_path / "tea" / "dev"):
        (found,) = find_sets(folder, "dev")
        assert found.name == "tea"


def test_a_folder_of_sets_gives_all_of_them_in_order(tmp_path: Path) -> None:
    for name in ("b", "a"):
        a_set(tmp_path / name)
    (tmp_path / "no-questions").mkdir()
    (tmp_path / "score.py").touch()

    assert [found.name for found in find_sets(tmp_path, "dev")] == ["a", "b"]


@pytest.mark.parametrize("where", ["nowhere", "."])
def test_a_folder_without_a_set_is_refused_with_what_a_set_is(tmp_path: Path, where: str) -> None:
    with pytest.raises(NoSetError, match=r"queries\.jsonl"):
        find_sets(tmp_path / where, "dev")


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz", ".jsonl.xz", ".jsonl.zst"])
def test_a_file_is_read_however_it_is_compressed(tmp_path: Path, ending: str) -> None:
    path = written(tmp_path / f"corpus{ending}", TEA, ASKED)

    assert list(lines(path)) == [TEA, ASKED]


@pytest.mark.parametrize("ending", [".jsonl.gz", ".jsonl.xz", ".jsonl.zst"])
def test_a_file_that_is_cut_short_is_refused_by_name(tmp_path: Path, ending: str) -> None:
    path = written(tmp_path / f"corpus{ending}", *[TEA] * 2_000)
    path.write_bytes(path.read_bytes()[:-30])

    with pytest.raises(BadSetError, match="corpus"):
        list(lines(path))


def test_a_file_of_several_frames_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl.zst"
    frames = [zstandard.compress(json.dumps(shape).encode() + b"\n") for shape in (TEA, ASKED)]
    path.write_bytes(b"".join(frames))

    assert list(lines(path)) == [TEA, ASKED]


@pytest.mark.parametrize("ending", [".jsonl.gz", ".jsonl.xz", ".jsonl.zst"])
def test_a_file_that_is_something_else_is_refused_by_name(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"corpus{ending}"
    path.write_text("this is no archive at all", encoding="utf-8")

    with pytest.raises(BadSetError, match="corpus"):
        list(lines(path))


@requirement("eval.bad-set-named-by-line")
@pytest.mark.parametrize("line", ["{", "[1]", '"text"'])
def test_a_line_that_is_no_object_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text(f"\n{json.dumps(TEA)}\n{line}\n", encoding="utf-8")

    with pytest.raises(BadSetError, match="line 3 of"):
        list(lines(path))


def test_without_the_package_a_zstd_file_says_what_to_install(tmp_path: Path) -> None:
    path = written(tmp_path / "corpus.jsonl.zst", TEA)

    with (
        mock.patch.dict(sys.modules, {"zstandard": None, "holdfast.adapters.benchsets.zst": None}),
        pytest.raises(NeedsZstandardError, match="pip install zstandard"),
    ):
        list(lines(path))


def test_each_group_is_a_trial_of_its_own(tmp_path: Path) -> None:
    groups = ("x", "y", "unasked")
    documents = [TEA | {"id": f"{group}/1", "group": group} for group in groups]
    asked = [ASKED | {"id": group, "group": group, "gold": [f"{group}/1"]} for group in "xy"]
    written(tmp_path / "queries.jsonl", *asked)
    written(tmp_path / "corpus.jsonl", *documents)

    found = trials(tmp_path)

    assert [trial.name for trial in found] == [f"{tmp_path.name}/x", f"{tmp_path.name}/y"]
    assert [[one.id for one in trial.documents] for trial in found] == [["x/1"], ["y/1"]]


def test_documents_without_a_group_are_one_corpus(tmp_path: Path) -> None:
    written(tmp_path / "queries.jsonl", {"id": "q", "text": "tea", "gold": ["d1"]})
    written(tmp_path / "corpus.jsonl", {"id": "d1", "text": "Tea at four.", "ts": None})

    (trial,) = trials(tmp_path)

    assert [document.id for document in trial.documents] == ["d1"]
    assert trial.queries[0].category == "all"


def test_documents_may_lie_above_the_splits(tmp_path: Path) -> None:
    written(tmp_path / "dev" / "queries.jsonl", ASKED)
    written(tmp_path / "corpus.jsonl", TEA)

    assert trials(tmp_path)[0].documents


def test_a_set_without_documents_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "dev" / "queries.jsonl", ASKED)

    with pytest.raises(NoSetError, match="no documents"):
        trials(tmp_path)


def test_a_set_may_borrow_its_documents_and_ask_only_among_earlier_ones(tmp_path: Path) -> None:
    chat = [TEA | {"id": f"d{number}", "speaker": "user"} for number in range(4)]
    a_set(tmp_path / "chat", documents=chat)
    meta = {"corpus": "chat", "new": "d2"}
    written(tmp_path / "conflict" / "dev" / "queries.jsonl", ASKED | {"meta": meta})

    (trial,) = trials(tmp_path / "conflict")

    assert len(trial.documents) == 4
    assert trial.queries[0].among == frozenset({"d0", "d1"})


def test_questions_whose_documents_are_not_here_are_not_asked_and_counted(tmp_path: Path) -> None:
    a_set(tmp_path / "chat")
    borrowed = [ASKED | {"id": name, "meta": {"corpus": name}} for name in ("chat", "long", "far")]
    written(tmp_path / "conflict" / "queries.jsonl", *borrowed)
    (found,) = find_sets(tmp_path / "conflict", "dev")

    planned = plan(found)

    assert planned.notes == (
        "2 of 3 questions are not asked: their documents (far, long) are not here",
    )
    assert [query.id for trial in planned.trials for query in trial.queries] == ["chat"]


def test_a_set_may_list_the_documents_of_each_group(tmp_path: Path) -> None:
    a_set(tmp_path, documents=[TEA, TEA | {"id": "other"}], group="issue")
    written(tmp_path / "dev" / "groups.jsonl.gz", {"group": "issue", "docs": ["d1"]})

    (trial,) = trials(tmp_path)

    assert [document.id for document in trial.documents] == ["d1"]


@requirement("eval.same-figures-every-time")
def test_of_many_listed_groups_a_sample_is_taken_that_is_always_the_same(tmp_path: Path) -> None:
    count = MOST_LISTED + 10
    asked = [ASKED | {"id": f"q{number}", "group": f"g{number}"} for number in range(count)]
    written(tmp_path / "queries.jsonl", *asked)
    written(tmp_path / "corpus.jsonl", TEA)
    written(tmp_path / "groups.jsonl", *({"group": f"g{n}", "docs": ["d1"]} for n in range(count)))
    (found,) = find_sets(tmp_path, "dev")

    once, again = plan(found), plan(found)

    assert once.notes == (f"a seeded sample of {MOST_LISTED} of {count} questions",)
    names = [trial.name for trial in once.trials]
    assert len(names) == once.count == MOST_LISTED
    assert names == [trial.name for trial in again.trials]
    assert len(trials(tmp_path, limit=count)) == count


def test_a_limit_takes_that_many_questions(tmp_path: Path) -> None:
    written(tmp_path / "queries.jsonl", *(ASKED | {"id": f"q{n}"} for n in range(9)))
    written(tmp_path / "corpus.jsonl", TEA)

    (trial,) = trials(tmp_path, limit=4)

    assert len(trial.queries) == 4


@requirement("eval.bad-set-named-by-line")
@pytest.mark.parametrize(
    "spoiled", [{"id": 7}, {"text": None}, {"gold": "d1"}, {"gold": [1]}, {"key": "d1"}]
)
def test_a_question_that_makes_no_sense_is_named_by_its_line(
    tmp_path: Path, spoiled: dict[str, object]
) -> None:
    written(a_set(tmp_path) / "dev" / "queries.jsonl", ASKED | spoiled)

    with pytest.raises(BadSetError, match="line 1 of"):
        trials(tmp_path)


@requirement("eval.bad-set-named-by-line")
def test_a_document_that_makes_no_sense_is_named_by_its_line(tmp_path: Path) -> None:
    a_set(tmp_path, documents=[TEA, TEA | {"text": 3}])

    with pytest.raises(BadSetError, match="line 2 of"):
        trials(tmp_path)


@requirement("eval.bad-set-named-by-line")
@pytest.mark.parametrize("text", ["", " \n"])
def test_a_question_without_text_is_named_by_its_line(tmp_path: Path, text: str) -> None:
    path = a_set(tmp_path) / "dev" / "queries.jsonl"
    asked = [json.dumps(ASKED), "", json.dumps(ASKED | {"id": "q2", "text": text})]
    path.write_text("\n".join(asked), encoding="utf-8")

    with pytest.raises(BadSetError, match=r"line 3 of .*queries.* text is empty"):
        trials(tmp_path)


@requirement("eval.bad-set-named-by-line")
def test_a_question_that_repeats_an_id_is_named_by_its_line(tmp_path: Path) -> None:
    written(a_set(tmp_path) / "dev" / "queries.jsonl", ASKED, ASKED | {"text": "what is at four"})

    with pytest.raises(BadSetError, match=r"line 2 of .*queries.* repeats the id 'q1'"):
        trials(tmp_path)


@requirement("eval.bad-set-named-by-line")
@pytest.mark.parametrize("group", ["all", None])
def test_a_document_that_repeats_an_id_of_its_group_is_named_by_its_line(
    tmp_path: Path, group: str | None
) -> None:
    a_set(tmp_path, documents=[TEA, TEA | {"text": "Tea at five.", "group": group}])

    with pytest.raises(BadSetError, match=r"line 2 of .*corpus.* repeats the id 'd1'"):
        trials(tmp_path)


def test_documents_of_two_groups_may_have_the_same_id(tmp_path: Path) -> None:
    a_set(tmp_path, documents=[TEA, TEA | {"text": "Tea at five.", "group": "other"}])

    (trial,) = trials(tmp_path)

    assert [document.text for document in trial.documents] == ["Tea at four."]


@requirement("eval.bad-set-named-by-line")
def test_a_set_that_lists_its_groups_has_each_id_once(tmp_path: Path) -> None:
    a_set(tmp_path, documents=[TEA, TEA | {"group": "other"}])
    written(tmp_path / "dev" / "groups.jsonl", {"group": "all", "docs": ["d1"]})

    with pytest.raises(BadSetError, match="line 2 of"):
        trials(tmp_path)


@requirement("eval.unanswerable-not-asked")
def test_questions_of_a_group_without_documents_are_refused_with_the_groups(
    tmp_path: Path,
) -> None:
    written(tmp_path / "queries.jsonl", {"id": "q", "text": "tea", "gold": ["d1"]})
    documents = [TEA | {"id": f"d{number}", "group": f"s{number}"} for number in range(7)]
    written(tmp_path / "corpus.jsonl", *documents)

    with pytest.raises(
        BadSetError,
        match=r"no documents of group all, only of s0, s1, s2, s3, s4 and 2 more\. Give each",
    ):
        trials(tmp_path)


@requirement("eval.unanswerable-not-asked")
def test_a_question_of_a_group_that_is_not_listed_is_refused(tmp_path: Path) -> None:
    written(a_set(tmp_path) / "dev" / "groups.jsonl", {"group": "all", "docs": ["gone"]})

    with pytest.raises(BadSetError, match=r"no documents of group all\. Give"):
        trials(tmp_path)


@requirement("eval.unanswerable-not-asked")
@pytest.mark.parametrize(
    "named",
    [{"gold": ["d9"]}, {"gold": ["d1", "d9"]}, {"key": ["d9"]}, {"stale": ["d9"]},
     {"meta": {"new": "d9"}}],
)  # fmt: skip
def test_a_question_that_names_an_absent_document_is_not_asked(
    tmp_path: Path, named: dict[str, object]
) -> None:
    questions = [ASKED, ASKED | {"id": "q2"} | named, ASKED | {"id": "q3", "group": "x"}]
    written(a_set(tmp_path) / "dev" / "queries.jsonl", *questions)
    (found,) = find_sets(tmp_path, "dev")

    planned = plan(found)

    assert planned.notes == (
        "1 of 3 questions is not asked: the set has no documents of group x, only of all",
        "1 of 3 questions is not asked: the group has no document with the id d9 (question q2)",
    )
    assert [query.id for trial in planned.trials for query in trial.queries] == ["q1"]


def test_answers_are_read_as_texts(tmp_path: Path) -> None:
    documents = [TEA | {"id": "d0"}, TEA]
    a_set(tmp_path, documents=documents, answer=2022, key=["d1"], stale=["d0"])

    (query,) = trials(tmp_path)[0].queries

    assert (query.answers, query.key, query.stale) == (("2022",), ("d1",), ("d0",))


def test_documents_are_remembered_in_the_order_of_time() -> None:
    raws = [RawDocument(id="b", text="later", ts=2), RawDocument(id="a", text="sooner", ts=1.5)]
    untimed = [raws[0], RawDocument(id="a", text="sooner")]

    assert [document.id for document in as_documents(raws)] == ["a", "b"]
    assert [document.id for document in as_documents(untimed)] == ["b", "a"]


def test_a_speaker_stands_before_the_words_and_a_role_behind_them() -> None:
    said = [
        RawDocument(id="1", text="Hello.", who="Maria", session="s"),
        RawDocument(id="2", text="Hello.", who="user", group="chat"),
        RawDocument(id="3", text="Hi.", who="assistant", group="chat"),
        RawDocument(id="4", text="Mend the door", who="commit", group="chat"),
        RawDocument(id="5", text="Doors turn.", path="doors.py"),
        RawDocument(id="6", text="Hinges squeak.", group="all"),
    ]

    documents = as_documents(said)

    assert [one.claim for one in documents] == [
        "Maria: Hello.",
        "Hello.",
        "Hi.",
        "Mend the door",
        "doors.py\nDoors turn.",
        "Hinges squeak.",
    ]
    assert [one.origin for one in documents] == [
        Origin.HUMAN, Origin.HUMAN, Origin.AGENT, Origin.REPO, Origin.HUMAN, Origin.HUMAN,
    ]  # fmt: skip
    assert [(one.evidence, one.reference) for one in documents] == [
        (EvidenceType.TURN, "s#0"),
        (EvidenceType.TURN, "chat#0"),
        (EvidenceType.TURN, "chat#1"),
        (EvidenceType.COMMIT, "4"),
        (EvidenceType.STATEMENT, "doors.py"),
        (EvidenceType.STATEMENT, "6"),
    ]


class CountingEmbedder:
    """Gives every text as many vectors as it has words, and counts what it was asked."""

    model = EmbeddingModel(name="count/ing@1", dimension=2)
    unrelated = 0.25

    def __init__(self) -> None:
        self.read: list[str] = []

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[Vector]]:
        self.read += texts
        return [[self._vector(word) for word in text.split()] for text in texts]

    def ask(self, question: str) -> Vector:
        self.read.append(question)
        return self._vector(question)

    def _vector(self, word: str) -> Vector:
        return Vector(model=self.model, values=word.encode().ljust(8, b"_")[:8])


def test_a_text_is_embedded_once_and_found_again_by_the_next_run(tmp_path: Path) -> None:
    first, second = CountingEmbedder(), CountingEmbedder()
    once = KeptEmbedder(first, tmp_path)

    made = once.embed(["one", "two words", "one"])
    asked = once.ask("one")
    again = KeptEmbedder(second, tmp_path)

    assert first.read == ["one", "two words", "one"]
    assert once.model == again.model == first.model
    assert again.unrelated == first.unrelated
    assert again.embed(["two words", "one"]) == [made[1], made[0]]
    assert again.ask("one") == asked
    assert second.read == []
    assert len(made[1]) == 2


def test_a_record_that_was_cut_off_is_made_again(tmp_path: Path) -> None:
    KeptEmbedder(CountingEmbedder(), tmp_path).embed(["one", "two"])
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-3])
    model = CountingEmbedder()

    KeptEmbedder(model, tmp_path).embed(["one", "two", "three"])
    fresh = CountingEmbedder()
    KeptEmbedder(fresh, tmp_path).embed(["one", "two", "three"])

    assert model.read == ["two", "three"]
    assert fresh.read == []


def test_a_file_of_rubbish_is_written_anew(tmp_path: Path) -> None:
    KeptEmbedder(CountingEmbedder(), tmp_path).embed(["one"])
    (path,) = tmp_path.iterdir()
    path.write_bytes(b"\xff" * 500)

    KeptEmbedder(CountingEmbedder(), tmp_path).embed(["one"])
    model = CountingEmbedder()

    KeptEmbedder(model, tmp_path).embed(["one"])
    assert model.read == []


def test_where_nothing_can_be_kept_the_model_is_asked(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    model = CountingEmbedder()
    kept = KeptEmbedder(model, tmp_path / "file" / "cache")

    assert kept.embed(["one"]) == kept.embed(["one"])
    assert model.read == ["one"]
