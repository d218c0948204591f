"""The comparison of what stores find: one set, the same vectors, the measures of the evaluation."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.peers.meanings import HashedWords
from benchmarks.peers.peer import OURS, PLAIN
from benchmarks.quality.asking import rankings
from benchmarks.quality.material import MeasuredSet, prepared
from benchmarks.quality.report import StoreRow, picture, row_from_json, text
from benchmarks.quality.small import write_small_set
from holdfast.domain.evaluation.benchmark import SetResult
from holdfast.domain.values import replace

BUDGET = 1000
SMALL_BUDGET = 60


@pytest.fixture
def small(tmp_path: Path) -> MeasuredSet:
    data = write_small_set(tmp_path / "data")
    return prepared(data, "small", limit=30, reader=HashedWords(), work=tmp_path / "trials")


def found(small: MeasuredSet, folder: Path, budget: int = BUDGET) -> SetResult:
    trial = small.folder / "000"
    return small.result({"000": rankings(PLAIN, folder / f"{budget}", trial)}, budget)


def test_a_store_is_asked_every_question_and_measured_within_the_budget(
    small: MeasuredSet, tmp_path: Path
) -> None:
    wide = found(small, tmp_path / "stores")
    narrow = found(small, tmp_path / "stores", SMALL_BUDGET)

    assert len(wide.judged) == 30
    assert sum(one.measures["R@10"] for one in wide.judged) > 25
    assert sum(one.measures["R<=60"] for one in narrow.judged) < sum(
        one.measures["R<=1000"] for one in wide.judged
    )


def test_the_table_names_the_difference_and_the_stores_that_were_not_measured(
    small: MeasuredSet, tmp_path: Path
) -> None:
    result = found(small, tmp_path / "stores")
    nothing = replace(
        result,
        judged=tuple(
            replace(one, ranked=(), measures=dict.fromkeys(one.measures, 0.0))
            for one in result.judged
        ),
    )
    rows = [
        StoreRow(name=OURS.name, results=(result,)),
        StoreRow(name="other", version="other 1.0", results=(nothing,)),
        StoreRow(name="absent", problem="not measured: it is not installed"),
    ]

    written = text(rows, model="hashed-words", budget=BUDGET)
    drawn = picture(rows, budget=BUDGET)

    assert "| other | 0.0 | 0.0 | 0.0 |" in written
    assert "| other | **+100.0** (+100.0 to +100.0) |" in written
    assert "- absent: not measured: it is not installed." in written
    assert "Questions: small 30." in written
    assert "absent" not in drawn
    read = [row_from_json(row.told()) for row in rows]
    assert text(read, model="hashed-words", budget=BUDGET) == written


def test_only_the_questions_that_are_asked_count_of_a_saved_result(
    small: MeasuredSet, tmp_path: Path
) -> None:
    result = found(small, tmp_path / "stores")
    more = replace(result, judged=(*result.judged, replace(result.judged[0], id="another")))
    fewer = replace(result, judged=result.judged[1:])

    assert small.asked_of(more) == result
    with pytest.raises(SystemExit, match="1 questions are not in that result"):
        small.asked_of(fewer)
