"""Scores of pairs are kept by hashes, and each pair is read once."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.adapters.disk import file_locks
from holdfast.adapters.embedding import kept_scores
from holdfast.adapters.embedding.errors import ModelBrokenError
from holdfast.adapters.embedding.judging import WRACK
from holdfast.adapters.embedding.kept_scores import (
    KeptPairReader,
    KeptScores,
    ScoreTraces,
    remove_scores,
    scores_folder,
)
from holdfast.adapters.embedding.known_models import ModelSource
from holdfast.adapters.sqlite.database.files import StoreFiles
from holdfast.domain.errors import StoreBusyError
from holdfast.domain.ids import MemoryId
from holdfast.domain.review.traces import GoneText, Reach
from holdfast.usecases.review.pair_reading import no_progress
from tests.requirements import requirement

ONE = ("Dana had the steak.", "Dana is a vegetarian.")
TWO = ("Dana moved to Oslo.", "Dana lives in Rome.")
ENOUGH = 10_000


class PlainJudge:
    """Gives every pair one score, and counts the pairs."""

    def __init__(self, score: float | None = 0.9512345678901234) -> None:
        self.told = score
        self.read: list[tuple[str, str]] = []

    @property
    def source(self) -> ModelSource:
        return WRACK

    def score(self, newer: str, older: str) -> float | None:
        self.read.append((newer, older))
        return self.told


def reader(home: Path | None, judge: PlainJudge) -> KeptPairReader:
    folder = None if home is None else scores_folder(home)
    return KeptPairReader(judge, KeptScores(folder, WRACK.stem))


def stored(home: Path) -> bytes:
    return (scores_folder(home) / WRACK.stem).read_bytes()


def gone(claim: str) -> GoneText:
    return GoneText(memory=MemoryId("m_1"), claim=claim)


@requirement("conflict.advice-is-bounded")
@pytest.mark.parametrize("is_on_disk", [True, False])
def test_a_pair_is_read_once(tmp_path: Path, *, is_on_disk: bool) -> None:
    judge = PlainJudge()
    first = reader(tmp_path if is_on_disk else None, judge)
    second = reader(tmp_path, judge) if is_on_disk else first

    told = first.scores([ONE, TWO], most_letters=ENOUGH, progress=no_progress)

    assert second.scores([TWO, ONE], most_letters=ENOUGH, progress=no_progress) == told
    assert judge.read == [ONE, TWO]
    assert told.scores == (judge.told, judge.told)
    assert list(tmp_path.iterdir()) == ([tmp_path / "cache"] if is_on_disk else [])


@requirement("conflict.advice-is-bounded")
def test_letters_are_spent_on_new_pairs_only(tmp_path: Path) -> None:
    judge = PlainJudge()
    letters = sum(map(len, ONE))

    first = reader(tmp_path, judge).scores([ONE, TWO], most_letters=letters, progress=no_progress)
    second = reader(tmp_path, judge).scores([ONE, TWO], most_letters=letters, progress=no_progress)

    assert (first.left, second.left) == (1, 0)
    assert first.scores[1] is None
    assert second.scores == (judge.told, judge.told)


@requirement("conflict.advice-is-bounded")
def test_a_pair_that_cannot_be_read_costs_letters_once(tmp_path: Path) -> None:
    class Latin(PlainJudge):
        def score(self, newer: str, older: str) -> float | None:
            score = super().score(newer, older)
            return score if newer.isascii() else None

    judge = Latin()
    odd = (
        "\u0414\u0430\u043d\u0430 \u0435\u0441\u0442.",
        "\u0414\u0430\u043d\u0430 \u043d\u0435 \u0435\u0441\u0442.",
    )
    letters = max(sum(map(len, pair)) for pair in (odd, ONE))

    first = reader(tmp_path, judge).scores([odd, ONE], most_letters=letters, progress=no_progress)
    second = reader(tmp_path, judge).scores([odd, ONE], most_letters=letters, progress=no_progress)

    assert (first.scores, first.left) == ((None, None), 1)
    assert (second.scores, second.left) == ((None, judge.told), 0)
    assert judge.read == [odd, ONE]


def test_the_order_of_a_pair_matters(tmp_path: Path) -> None:
    judge = PlainJudge()

    reader(tmp_path, judge).scores([ONE, ONE[::-1]], most_letters=ENOUGH, progress=no_progress)

    assert len(judge.read) == 2


def test_progress_counts_what_is_read(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    judge = PlainJudge()
    reader(tmp_path, judge).scores([ONE], most_letters=ENOUGH, progress=no_progress)

    reader(tmp_path, judge).scores(
        [ONE, TWO], most_letters=ENOUGH, progress=lambda *step: steps.append(step)
    )

    assert steps == [(1, 1)]


@requirement("conflict.advice-keeps-no-text")
def test_the_file_has_no_text_and_belongs_to_one_version(tmp_path: Path) -> None:
    reader(tmp_path, PlainJudge()).scores([ONE], most_letters=ENOUGH, progress=no_progress)

    assert b"Dana" not in stored(tmp_path)
    assert KeptScores(scores_folder(tmp_path), "wrack-2").get(*ONE) is None
    assert KeptScores(scores_folder(tmp_path), WRACK.stem).get(*ONE) == PlainJudge().told


@requirement("conflict.advice-keeps-no-text")
@pytest.mark.parametrize("claim", ONE)
def test_a_forgotten_claim_leaves_the_scores(tmp_path: Path, claim: str) -> None:
    judge = PlainJudge()
    reader(tmp_path, judge).scores([ONE, TWO], most_letters=ENOUGH, progress=no_progress)
    traces = ScoreTraces(tmp_path)

    (trace,) = traces.remove([gone(claim)])

    assert trace.reach is Reach.REMOVED
    assert trace.place == str(traces)
    kept = KeptScores(scores_folder(tmp_path), WRACK.stem)
    assert kept.get(*ONE) is None
    assert kept.get(*TWO) == judge.told
    assert not traces.remove([gone(claim)])


@requirement("conflict.advice-keeps-no-text")
@pytest.mark.parametrize("claim", ONE)
@pytest.mark.parametrize("is_on_disk", [True, False])
def test_a_reader_forgets_a_claim_that_it_has_read(
    tmp_path: Path, claim: str, *, is_on_disk: bool
) -> None:
    judge = PlainJudge()
    reading = reader(tmp_path if is_on_disk else None, judge)
    reading.scores([ONE, TWO], most_letters=ENOUGH, progress=no_progress)

    reading.forget([claim])
    reading.scores([ONE, TWO], most_letters=ENOUGH, progress=no_progress)

    assert judge.read == [ONE, TWO, ONE]
    reading.forget([claim])
    if is_on_disk:
        assert ScoreTraces(tmp_path).remove([gone(claim)]) == []
        assert KeptScores(scores_folder(tmp_path), WRACK.stem).get(*TWO) == judge.told


@requirement("conflict.advice-keeps-no-text")
@pytest.mark.parametrize("broken", ["read_plain", "_overwrite", "changing"])
def test_a_score_that_cannot_be_removed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    def refuse(*_given: object) -> None:
        raise PermissionError

    reader(tmp_path, PlainJudge()).scores([ONE], most_letters=ENOUGH, progress=no_progress)
    monkeypatch.setattr(kept_scores, broken, refuse)

    (trace,) = ScoreTraces(tmp_path).remove([gone(ONE[0])])

    assert trace.reach is Reach.LEFT
    assert trace.place.startswith(str(scores_folder(tmp_path)))
    assert "Delete" in trace.advice


@requirement("conflict.advice-keeps-no-text")
@pytest.mark.parametrize(
    ("name", "cut"), [(WRACK.stem, 1), (f".{WRACK.stem}.4711", 1), (f".{WRACK.stem}.4711", 0)]
)
def test_a_damaged_file_and_what_a_crash_left_lose_their_hashes(
    tmp_path: Path, name: str, cut: int
) -> None:
    reader(tmp_path, PlainJudge()).scores([ONE], most_letters=ENOUGH, progress=no_progress)
    whole, path = stored(tmp_path), scores_folder(tmp_path) / name
    (scores_folder(tmp_path) / WRACK.stem).unlink()
    path.write_bytes(whole[: len(whole) - cut])
    (scores_folder(tmp_path) / "wrack-0").write_bytes(b"without a hash")
    kept = path.open("rb")

    (trace,) = ScoreTraces(tmp_path).remove([gone(ONE[0])])

    assert trace.reach is Reach.REMOVED
    assert not list(scores_folder(tmp_path).iterdir())
    with kept:
        assert not any(kept.read())


@requirement("conflict.advice-keeps-no-text")
def test_one_process_at_a_time_changes_the_scores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_locks, "_PATIENCE_SECONDS", 0.0)
    reader(tmp_path, PlainJudge()).scores([ONE], most_letters=ENOUGH, progress=no_progress)
    before = stored(tmp_path)

    with file_locks.changing(scores_folder(tmp_path)):
        reader(tmp_path, PlainJudge()).scores([TWO], most_letters=ENOUGH, progress=no_progress)
        with pytest.raises(StoreBusyError):
            ScoreTraces(tmp_path).remove([gone(ONE[0])])

    assert stored(tmp_path) == before


def test_nothing_is_looked_for_where_nothing_was_kept(tmp_path: Path) -> None:
    assert not ScoreTraces(tmp_path).remove([gone(ONE[0])])
    assert not list(tmp_path.iterdir())


@requirement("conflict.advice-keeps-no-text")
def test_nothing_is_kept_beside_a_store_that_is_encrypted_meanwhile(tmp_path: Path) -> None:
    note, folder = tmp_path / "holdfast.db-cipher", scores_folder(tmp_path)
    kept = KeptScores(folder, WRACK.stem, note=note)
    kept.put({ONE: 0.5})
    (folder / "wrack-0").write_bytes(b"of an earlier version")

    note.touch()
    remove_scores(tmp_path)
    kept.put({TWO: 0.5})

    assert not list(folder.iterdir())
    assert kept.get(*TWO) == 0.5
    assert KeptScores(folder, WRACK.stem, note=note).get(*ONE) is None
    assert StoreFiles(tmp_path / "holdfast.db").scores == str(folder)


def test_a_damaged_file_counts_as_empty(tmp_path: Path) -> None:
    judge = PlainJudge()
    reader(tmp_path, judge).scores([ONE], most_letters=ENOUGH, progress=no_progress)
    whole = stored(tmp_path)

    for damaged in (whole[:-1], b"", b"\0" * len(whole), whole[:-8] + b"\0" * 8):
        (scores_folder(tmp_path) / WRACK.stem).write_bytes(damaged)
        assert KeptScores(scores_folder(tmp_path), WRACK.stem).get(*ONE) is None


def test_a_full_cache_drops_what_was_read_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_scores, "MOST_KEPT", 10)
    kept = KeptScores(scores_folder(tmp_path), WRACK.stem)

    for number in range(11):
        kept.put({(f"new {number}", "old"): 0.5})

    again = KeptScores(scores_folder(tmp_path), WRACK.stem)
    assert again.get("new 1", "old") is kept.get("new 1", "old") is None
    assert again.get("new 10", "old") == kept.get("new 10", "old") == 0.5


def test_what_was_read_before_a_failure_is_kept(tmp_path: Path) -> None:
    class Failing(PlainJudge):
        def score(self, newer: str, older: str) -> float | None:
            if (newer, older) == TWO:
                raise ModelBrokenError(name="wrack", problem="it fell over")
            return super().score(newer, older)

    with pytest.raises(ModelBrokenError):
        reader(tmp_path, Failing()).scores([ONE, TWO], most_letters=ENOUGH, progress=no_progress)

    assert KeptScores(scores_folder(tmp_path), WRACK.stem).get(*ONE) is not None


def test_a_folder_that_cannot_be_written_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")

    told = reader(tmp_path, PlainJudge()).scores([ONE], most_letters=ENOUGH, progress=no_progress)

    assert told.scores == (PlainJudge().told,)
