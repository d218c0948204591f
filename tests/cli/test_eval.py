"""eval, end to end: a small set of our own goes in, figures come out."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from benchmarks.eval_table import PICTURE, TRAINED_ON, main, notes_of, put_between, rows, targets
from holdfast.adapters.embedding.model_folder import ModelFolder
from holdfast.domain.evaluation.benchmark import results_from_json
from tests.adapters.tiny_model import install_tiny
from tests.cli.program import Program
from tests.cli.sets import ASKED, write_sets, written
from tests.requirements import requirement


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_sets(tmp_path / "sets")


def test_a_set_is_measured_by_category(program: Program, data: Path) -> None:
    said = program("eval", "--data", str(data / "harbour")).well()

    lines = [line.split("\t") for line in said.out.splitlines()]
    assert lines[0][0].startswith("harbour  12 documents, ")
    assert lines[1][:4] == ["CATEGORY", "N", "R@1", "R@5"]
    assert [line[:2] for line in lines[2:5]] == [["even", "3"], ["odd", "3"], ["all", "6"]]
    assert lines[4][3] == "100.0"
    assert "95 % intervals: R@5 100.0 to 100.0" in said.out


def test_a_folder_of_sets_ends_with_one_table(program: Program, data: Path) -> None:
    said = program("eval", "--data", str(data), "--budget", "200,2000").well()

    last = said.out.rpartition("\nSET\t")[2].splitlines()
    assert [line.split("\t")[0] for line in last[1:]] == ["harbour", "talk"]
    assert "key@200" in last[0]
    assert "fresh@2000" in last[0]


def test_only_some_sets_are_run(program: Program, data: Path) -> None:
    said = program("eval", "--data", str(data), "--only", "talk", "--json").well()

    assert {figure["set"] for figure in said.json["figures"]} == {"talk"}
    assert "model" in said.json


def test_an_unknown_set_is_refused_with_those_there_are(program: Program, data: Path) -> None:
    said = program("eval", "--data", str(data), "--only", "tlak")

    assert said.code == 2
    assert "there are: harbour, talk" in said.err


def test_the_run_file_ranks_documents_by_their_own_names(
    program: Program, data: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run.jsonl"

    program("eval", "--data", str(data / "harbour"), "--out", str(run)).well()

    shapes = map(json.loads, run.read_text(encoding="utf-8").splitlines())
    ranked = {one["query_id"]: one["ranked"] for one in shapes}
    assert ranked["q0"][0] == "h0"
    assert set(ranked) == {f"q{place}" for place in range(len(ASKED))}


def test_the_key_of_a_decision_is_in_a_real_answer(program: Program, data: Path) -> None:
    said = program("eval", "--data", str(data / "talk"), "--json").well()

    ports = said.json["figures"][-1]["means"]
    assert ports["key@2000"] == 1
    assert ports["key@500"] in {0, 1}


@requirement("eval.unanswerable-not-asked")
def test_a_question_without_its_documents_is_told_and_not_counted(
    program: Program, data: Path
) -> None:
    queries = data / "talk" / "dev" / "queries.jsonl"
    lost = {"id": "lost", "group": "talk", "text": "who decided", "gold": ["t99"]}
    queries.write_text(f"{queries.read_text()}{json.dumps(lost)}\n", encoding="utf-8")
    note = (
        "1 of 2 questions is not asked: the group has no document with the id t99 (question lost)"
    )

    told = program("eval", "--data", str(data / "talk")).well()
    as_json = program("eval", "--data", str(data / "talk"), "--json").well().json

    assert note in told.out
    assert as_json["notes"] == {"talk": [note]}
    assert as_json["figures"][-1]["queries"] == 1


@requirement("eval.unanswerable-not-asked")
def test_a_set_whose_questions_have_no_documents_is_refused(program: Program, data: Path) -> None:
    written(
        data / "talk" / "dev" / "queries.jsonl",
        {"id": "uploads", "text": "how often are uploads retried", "gold": ["t3"]},
    )

    said = program("eval", "--data", str(data / "talk"))

    assert said.code == 2
    assert "the set has no documents of group all, only of talk" in said.err


@requirement("eval.own-store-untouched")
def test_nobodys_own_store_is_touched(newcomer: Program, data: Path) -> None:
    newcomer("eval", "--data", str(data / "talk")).well()

    assert not (newcomer.home / "holdfast.db").exists()


@requirement("eval.same-figures-every-time")
def test_a_second_run_gives_the_same_figures(program: Program, data: Path, tmp_path: Path) -> None:
    figures = []
    for name in ("one.json", "two.json"):
        program("eval", "--data", str(data), "--save", str(tmp_path / name)).well()
        saved = json.loads((tmp_path / name).read_text(encoding="utf-8"))
        figures.append([(one["set"], one["queries"]) for one in saved["sets"]])

    assert figures[0] == figures[1] != []


@requirement("eval.compare-is-paired")
def test_two_saved_runs_are_compared(program: Program, data: Path, tmp_path: Path) -> None:
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    program("eval", "--data", str(data / "harbour"), "--save", str(before)).well()
    shape = json.loads(before.read_text(encoding="utf-8"))
    for query in shape["sets"][0]["queries"]:
        query["measures"]["R@5"] = 0.0
    after.write_text(json.dumps(shape), encoding="utf-8")

    said = program("eval", "--compare", str(before), str(after)).well()
    as_json = program("eval", "--compare", str(before), str(after), "--json").well().json

    rows_said = [line.split("\t") for line in said.out.splitlines()]
    lost = [row for row in rows_said if row[:3] == ["harbour", "all", "R@5"]]
    assert lost == [
        ["harbour", "all", "R@5", "6", "100.0", "0.0", "-100.0", "-100.0 to -100.0", "worse"]
    ]
    assert any(one["measure"] == "R@5" and one["sure"] for one in as_json["differences"])
    assert not any(one["measure"] == "MRR" and one["sure"] for one in as_json["differences"])


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "no file"), ("{", "not JSON"), ("{}", "was not written by"), ('{"sets": []}', "both")],
)
def test_a_comparison_with_something_else_is_refused(
    program: Program, tmp_path: Path, content: str | None, words: str
) -> None:
    path = tmp_path / "run.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")

    said = program("eval", "--compare", str(path), str(path))

    assert said.code in {2, 3}
    assert words in said.err


def test_a_comparison_with_a_file_that_is_too_large_says_so(
    program: Program, tmp_path: Path
) -> None:
    path = tmp_path / "run.json"
    with path.open("wb") as file:
        file.truncate(64 * 1024 * 1024 + 1)

    said = program("eval", "--compare", str(path), str(path))

    assert (said.code, "it is larger than 64 MiB" in said.err) == (6, True)


def test_a_picture_of_what_a_budget_holds(program: Program, data: Path, tmp_path: Path) -> None:
    picture = tmp_path / "plot.svg"

    program("eval", "--data", str(data), "--plot", str(picture)).well()

    drawn = "".join(ET.parse(picture).getroot().itertext())  # noqa: S314 - our own file
    assert "harbour" in drawn
    assert "talk" in drawn


def test_another_setting_is_tried_and_an_unknown_one_refused(program: Program, data: Path) -> None:
    where = ("eval", "--data", str(data / "talk"))

    program(*where, "--set", "recall.tokens=exact").well()

    assert program(*where, "--set", "recall.nonsense=1").code == 2
    assert program(*where, "--set", "recall.tokens=guess").code == 2
    masked = program(
        *where, "--set", "recall.tokens=exact", env={"HOLDFAST_RECALL_TOKENS": "exact"}
    )
    assert masked.code == 2
    assert "unset that first" in masked.err


def test_kept_stores_are_used_again(program: Program, data: Path, tmp_path: Path) -> None:
    keep = tmp_path / "kept"
    where = ("eval", "--data", str(data / "harbour"), "--keep", str(keep), "--json")

    first = program(*where).well().json["figures"]
    (store,) = keep.rglob("holdfast.db")
    made = store.stat().st_ino
    corpus = data / "harbour" / "dev" / "corpus.jsonl"
    documents = [json.loads(line) for line in corpus.read_text(encoding="utf-8").splitlines()]
    written(corpus, *({**document, "text": "Nothing."} for document in documents))
    again = program(*where).well().json["figures"]

    assert store.stat().st_ino == made
    assert first[0]["means"]["MRR"] == again[0]["means"]["MRR"]


def test_a_temporary_home_borrows_the_models_of_the_persons_own(
    program: Program, data: Path, tmp_path: Path
) -> None:
    models = program.home / "models"
    models.mkdir(parents=True)

    program("eval", "--data", str(data / "harbour"), "--keep", str(tmp_path / "kept")).well()

    (borrowed,) = (tmp_path / "kept").rglob("models")
    assert borrowed.resolve() == models.resolve()


@pytest.mark.parametrize(
    ("wanted", "is_deep", "said"),
    [
        ((), True, "the best hits were read again, as for an MCP client"),
        (("--set", "recall.deep=off"), False, "the best hits were not read again"),
    ],
)
def test_a_run_says_whether_the_best_are_read_again(
    program: Program,
    data: Path,
    tmp_path: Path,
    *,
    wanted: tuple[str, ...],
    is_deep: bool,
    said: str,
) -> None:
    install_tiny(ModelFolder(program.home / "models"), tmp_path / "source", name="minilm")
    saved = tmp_path / "run.json"

    told = program("eval", "--data", str(data / "talk"), "--save", str(saved), *wanted).well()

    run = json.loads(saved.read_text(encoding="utf-8"))
    assert run["deep"] is is_deep
    assert told.out.splitlines()[-1] == f"by {run['model']}; {said}"


def test_a_run_by_words_alone_names_no_model(program: Program, data: Path, tmp_path: Path) -> None:
    saved = tmp_path / "run.json"

    told = program("eval", "--data", str(data / "talk"), "--save", str(saved)).well()

    assert "read again" not in told.out
    run = json.loads(saved.read_text(encoding="utf-8"))
    assert (run["model"], run["deep"]) == (None, False)


def test_a_note_that_cannot_be_read_means_the_store_is_filled_anew(
    program: Program, data: Path, tmp_path: Path
) -> None:
    keep = tmp_path / "kept"
    where = ("eval", "--data", str(data / "harbour"), "--keep", str(keep), "--json")
    program(*where).well()
    (note,) = keep.rglob("holds.json")
    note.write_text("[]", encoding="utf-8")

    assert program(*where).well().json["figures"][-1]["means"]["R@5"] == 1


def test_a_folder_that_cannot_be_made_is_told(program: Program, data: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    said = program("eval", "--data", str(data / "talk"), "--keep", str(tmp_path / "file" / "x"))

    assert said.code == 6
    assert "Not a directory" in said.err


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--from-history", "--data", "x"),
        ("--data", "x", "--since", "2026"),
        ("--from-history", "--since", "nonsense"),
        ("--data", "x", "--limit", "0"),
        ("--data", "x", "--budget", "0"),
        ("--data", "x", "--budget", ","),
        ("--data", "x", "--budget", "many"),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused(program: Program, words: tuple[str, ...]) -> None:
    said = program("eval", *words)

    assert said.code == 2
    assert "Traceback" not in said.err


def test_a_folder_without_a_set_says_what_a_set_is(program: Program, tmp_path: Path) -> None:
    said = program("eval", "--data", str(tmp_path / "nowhere"))

    assert said.code == 3
    assert "queries.jsonl" in said.err


def test_a_result_that_cannot_be_written_is_told(program: Program, data: Path) -> None:
    said = program("eval", "--data", str(data / "talk"), "--save", str(data / "no" / "x.json"))

    assert said.code == 6
    assert "cannot be written" in said.err


def commit(folder: Path, message: str) -> str:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    git = ["git", "-C", str(folder)]
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, *who, "commit", "-q", "--allow-empty", "-m", message], check=True)
    return subprocess.run(
        [*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()


def test_a_decision_is_found_by_the_commit_that_touched_its_lines(program: Program) -> None:
    program(
        "remember", "--kind", "decision", "--evidence", "src/auth/tokens.py:41-58",
        "Tokens rotate on every use.",
    ).well()  # fmt: skip

    said = program("eval", "--from-history", "--json").well()

    (figure,) = [one for one in said.json["figures"] if one["category"] == "all"]
    assert figure["queries"] == 1
    assert figure["means"]["R@1"] == 1


def test_without_decisions_a_commit_that_names_another_asks_for_it(program: Program) -> None:
    named = commit(program.folder, "Cache the rendered pages of the harbour guide")
    commit(program.folder, "Write about tides")
    commit(program.folder, f"Cached pages showed yesterday's tides\n\nCaused by {named[:10]}.")

    said = program("eval", "--from-history").well()

    assert "commits that name an earlier one" in said.out
    assert "\nnamed\t1\t100.0\t" in said.out


def test_a_history_without_a_question_says_what_to_do(program: Program) -> None:
    said = program("eval", "--from-history")

    assert said.code == 3
    assert "'holdfast remember' keeps one, with --kind decision" in said.err


def test_outside_a_repository_there_is_no_history(program: Program, tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()

    said = program("eval", "--from-history", "-C", str(tmp_path / "bare"))

    assert said.code == 3
    assert "git repository" in said.err


def test_figures_stand_beside_their_targets(
    program: Program, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved, reach, page = tmp_path / "saved.json", tmp_path / "reach.toml", tmp_path / "page.md"
    program("eval", "--data", str(data / "harbour"), "--save", str(saved)).well()
    reach.write_text(
        '[[figure]]\nset = "harbour"\nmeasure = "R@5"\nplain = 50\nreach = 60\nbeyond = 100\n'
        '[[figure]]\nset = "harbour"\nmeasure = "R@5"\nplain = 50\nreach = 60\n'
        '[[figure]]\nset = "harbour"\nmeasure = "R@5"\nplain = 50\nreach = 120\n'
        '[[figure]]\nset = "harbour"\nmeasure = "R@5"\nplain = 110\nreach = 120\n'
        '[[figure]]\nset = "harbour"\nmeasure = "R@5"\ncategories = "odd"\nplain = 1\nreach = 2\n'
        '[[figure]]\nset = "other"\nmeasure = "R@5"\nplain = 1\nreach = 2\n'
        '[[figure]]\nset = "harbour"\nmeasure = "key@500"\nplain = 1\nreach = 2\n',
        encoding="utf-8",
    )
    page.write_text("# Page\n<!-- eval -->\nold\n<!-- /eval -->\nend\n", encoding="utf-8")

    table = rows(results_from_json(json.loads(saved.read_text(encoding="utf-8"))), targets(reach))
    main(["--data", "unused", "--result", str(saved), "--write", str(page)])

    assert [row[-1] for row in table] == [
        "beyond", "reached", "20.0 short", "below plain", "reached",
    ]  # fmt: skip
    assert [row[2] for row in table] == ["6", "6", "6", "6", "3"]
    assert "Written by" in capsys.readouterr().out
    assert page.read_text(encoding="utf-8").startswith("# Page\n<!-- eval -->\n| set ")
    assert "\nold\n" not in page.read_text(encoding="utf-8")
    assert f"({PICTURE})" in page.read_text(encoding="utf-8")
    assert "harbour" in (tmp_path / PICTURE).read_text(encoding="utf-8")


def test_a_page_without_a_place_is_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Page\n", encoding="utf-8")

    with pytest.raises(SystemExit, match="no place"):
        put_between(page, "text")

    assert page.read_text(encoding="utf-8") == "# Page\n"


def test_every_target_of_the_project_can_be_read() -> None:
    found = targets()

    assert {one.set for one in found} >= {"locomo", "2wiki", "sde_decisions", "mab_fact"}
    assert all(one.plain <= one.reach <= (one.beyond or 100) for one in found)
    assert PICTURE.endswith(".svg")


def test_the_table_says_where_its_models_have_seen_the_halves() -> None:
    assert TRAINED_ON in notes_of([], "kelp@1", is_deep=False)
    assert TRAINED_ON in notes_of([], "minilm@1", is_deep=True)
    assert TRAINED_ON not in notes_of([], "minilm@1", is_deep=False)
    assert TRAINED_ON not in notes_of([], None, is_deep=True)
