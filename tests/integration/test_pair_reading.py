"""What the model in the package suspects, as people and agents see it."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from holdfast.adapters.embedding import fetching, judging
from holdfast.adapters.embedding.judging import WRACK
from holdfast.adapters.embedding.kept_scores import scores_folder
from holdfast.bootstrap.opening.judging import judge
from holdfast.bootstrap.opening.own_settings import settings
from holdfast.bootstrap.opening.pair_reading import pair_reader
from tests.cli.program import Program
from tests.postgres_server import server as postgres
from tests.requirements import requirement
from tests.sure_judge import SureJudge

OLD, NEW = "Dana is a vegetarian.", "Dana had the steak again, she loves meat."
HIDDEN = "Dana hides the steak knife in the blue meat box."
BY_AGENT = ("--origin", "agent", "--evidence", "command:ls")
REASON = "the model wrack reads these as contradicting  (score 0.99)"


HEADING = "Advice of a model, which can be wrong; it blocks no approval.\n"


@pytest.fixture
def sure(monkeypatch: pytest.MonkeyPatch) -> SureJudge:
    """The model of this process, replaced by one that is sure."""
    model = SureJudge()
    monkeypatch.setattr(judging, "carried_judge", lambda: model)
    return model


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A program whose judge is the model in the package."""
    folder = tmp_path / "work"
    folder.mkdir()
    return Program(tmp_path / "home", folder, extra={"HOLDFAST_CONFLICTS_JUDGE": "wrack"})


def kept(program: Program, claim: str, *words: str) -> str:
    told = program("remember", "--json", *(words or ("--because", "I know")), claim).well().json
    return str(told["memory"]["id"])


@pytest.mark.usefixtures("sure")
def test_conflicts_shows_what_the_model_suspects_after_the_rules(program: Program) -> None:
    kept(program, "The API listens on port 8080.")
    kept(program, "The API listens on port 9090.", *BY_AGENT)
    old, new = kept(program, OLD), kept(program, NEW)

    shown = program("conflicts").well().out
    answer = program("conflicts", "--json").well().json

    assert shown.index('one says "port 9090"') < shown.index(HEADING) < shown.index(REASON)
    assert shown.count(HEADING) == 1
    assert f"holdfast resolve {new} {old} (with --supersede, --keep-old, --keep-both" in shown
    by_rule, advice = answer["conflicts"]
    assert (by_rule["clash"], by_rule["advice"]) == ("number", False)
    assert (advice["clash"], advice["advice"], advice["confidence"]) == ("judged", True, 0.99)
    assert advice["reason"] == "the model wrack reads these as contradicting"
    assert (advice["candidate"], advice["standing"]) == (new, old)
    assert answer["notes"] == []


@pytest.mark.usefixtures("sure")
def test_advice_alone_is_no_known_conflict_and_says_how_to_end_it(program: Program) -> None:
    kept(program, OLD)
    kept(program, NEW)

    shown = program("conflicts").well()

    assert "No conflicts are known here." in shown.err
    assert shown.out.startswith(HEADING)
    assert "holdfast config set conflicts.judge off\n" in shown.out
    assert "% sure" not in shown.out


@pytest.mark.usefixtures("sure")
def test_the_limit_counts_rules_first(program: Program) -> None:
    kept(program, "The API listens on port 8080.")
    kept(program, "The API listens on port 9090.", *BY_AGENT)
    kept(program, OLD)
    kept(program, NEW)

    (found,) = program("conflicts", "--json", "--limit", "1").well().json["conflicts"]

    assert not found["advice"]


@requirement("conflict.advice-blocks-nothing")
@pytest.mark.usefixtures("sure")
def test_a_review_shows_advice_and_the_candidate_can_be_approved(program: Program) -> None:
    old, new = kept(program, OLD), kept(program, NEW, *BY_AGENT)

    for shown in (program("review").well().out, program("review", new).well().out):
        assert f"advice  {old}  the model wrack reads these as contradicting (score 0.99)" in shown
        assert f"holdfast resolve {new} {old} (with --supersede, " in shown
    (waiting,) = program("review", "--json").well().json["waiting"]
    assert waiting["conflicts"] == []
    assert [one["standing"] for one in waiting["advice"]] == [old]
    program("approve", new, "--hash", waiting["shown"]).well()
    (left,) = program("conflicts", "--json").well().json["conflicts"]
    assert (left["candidate"], left["advice"]) == (new, True)


@requirement("conflict.advice-settled-stays-settled")
@pytest.mark.usefixtures("sure")
def test_a_pair_that_is_kept_is_shown_nowhere_again(program: Program) -> None:
    old, new = kept(program, OLD), kept(program, NEW)
    assert f"advice  {new}" in program("curate").well().out

    program("resolve", new, old, "--keep-both").well()

    assert program("conflicts", "--json").well().json["conflicts"] == []
    assert "advice" not in program("curate").well().out


@pytest.mark.usefixtures("sure")
def test_one_id_of_such_a_pair_is_answered_with_the_command_for_both(program: Program) -> None:
    old, new = kept(program, OLD), kept(program, NEW)

    refused = program("resolve", new, "--keep-old")

    assert refused.code == 2
    assert f"Only a model suspects that {new} and {old} contradict each other." in refused.err
    assert f"holdfast resolve {new} {old} (with --supersede" in refused.err


@requirement("conflict.advice-off-is-off")
@pytest.mark.parametrize("name", ["off", ""])
def test_a_judge_that_is_off_reads_nothing(program: Program, sure: SureJudge, name: str) -> None:
    kept(program, OLD)
    kept(program, NEW, *BY_AGENT)
    off = {"HOLDFAST_CONFLICTS_JUDGE": name}

    assert program("conflicts", "--json", env=off).well().json["conflicts"] == []
    (waiting,) = program("review", "--json", env=off).well().json["waiting"]

    assert waiting["advice"] == []
    assert sure.read == []


def test_the_model_and_off_are_no_plug_ins(tmp_path: Path) -> None:
    for name in ("wrack", "off"):
        (tmp_path / "config.toml").write_text(f'conflicts.judge = "{name}"\n')
        assert judge(tmp_path) is None


@requirement("conflict.advice-is-bounded")
def test_the_second_call_reads_nothing_anew(program: Program, sure: SureJudge) -> None:
    kept(program, OLD)
    kept(program, NEW)

    program("conflicts").well()
    assert len(sure.read) == 1
    program("conflicts").well()
    program("curate").well()

    assert len(sure.read) == 1


@requirement("conflict.advice-is-bounded")
def test_remember_and_recall_read_no_pair(program: Program, sure: SureJudge) -> None:
    kept(program, OLD)
    kept(program, NEW)
    program("recall", "--q", "what does Dana eat", "--md").well()

    assert sure.read == []


@requirement("conflict.advice-keeps-no-text")
@pytest.mark.usefixtures("sure")
def test_a_forgotten_memory_leaves_the_scores(program: Program) -> None:
    kept(program, OLD)
    new = kept(program, NEW)
    program("conflicts").well()
    path = scores_folder(program.home) / WRACK.stem
    before = path.stat().st_size

    program("forget", new, "--yes").well()

    assert path.stat().st_size < before


@requirement("conflict.advice-reads-nothing-sensitive")
def test_a_sensitive_memory_is_never_read(program: Program, sure: SureJudge) -> None:
    program("key", "create", "--file", str(program.home / "key")).well()
    kept(program, OLD)
    kept(program, HIDDEN, "--sensitive", "--because", "I know")
    kept(program, "Every sensitive fact stays in the office.")
    kept(program, NEW)

    program("conflicts").well()
    program("curate").well()

    assert len(sure.read) == 1
    assert not any("Sensitive" in one or "knife" in one for pair in sure.read for one in pair)


@requirement("conflict.advice-is-never-needed")
@pytest.mark.parametrize("damage", ["missing", "foreign"])
def test_without_the_weights_the_rules_answer_and_one_note_says_so(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    weights = tmp_path / "weights"
    shutil.copytree(fetching._WEIGHTS / "kelp-2", weights / "kelp-2")
    if damage == "foreign":
        (weights / WRACK.stem).mkdir()
        (weights / WRACK.stem / WRACK.member).write_bytes(b"GIF89a")
    monkeypatch.setattr(fetching, "_WEIGHTS", weights)
    # Another test of this process may have loaded the model.
    monkeypatch.setattr(judging, "carried_judge", judging.CarriedJudge)
    kept(program, "The API listens on port 8080.")
    kept(program, "The API listens on port 9090.", *BY_AGENT)
    kept(program, OLD)
    kept(program, NEW)

    shown = program("conflicts").well()
    answer = program("conflicts", "--json").well().json

    assert 'one says "port 9090"' in shown.out
    assert shown.err.count("only the rules looked for contradictions: The weights of wrack") == 1
    assert len(answer["conflicts"]) == 1
    assert answer["notes"][0].startswith("only the rules looked for contradictions: ")
    assert "only the rules looked for contradictions" in program("curate").well().err


@requirement("conflict.advice-is-never-needed")
def test_a_model_that_cannot_run_is_asked_only_if_somebody_chose_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOLDFAST_CONFLICTS_JUDGE", raising=False)
    by_default = pair_reader(settings(tmp_path), None)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    without_tools = pair_reader(settings(tmp_path), None)
    monkeypatch.setenv("HOLDFAST_CONFLICTS_JUDGE", "wrack")
    chosen = pair_reader(settings(tmp_path), None)

    assert by_default is not None
    assert without_tools is None
    assert chosen is not None


@requirement("conflict.advice-keeps-no-text")
@pytest.mark.usefixtures("sure")
def test_the_scores_of_a_store_on_a_server_stay_in_the_process(program: Program) -> None:
    server = {"HOLDFAST_STORE": postgres().url(), "HOLDFAST_TENANT": uuid4().hex}
    program = replace(program, extra=program.extra | server)
    kept(program, OLD)
    kept(program, NEW)

    (advice,) = program("conflicts", "--json").well().json["conflicts"]

    assert advice["advice"]
    assert not scores_folder(program.home).exists()
