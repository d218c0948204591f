"""A run as JSON, and back."""

from __future__ import annotations

import json

import pytest

from holdfast.domain.errors import BadFieldError
from holdfast.domain.evaluation.benchmark import (
    JudgedRanking,
    SetResult,
    results_from_json,
    results_json,
)

RESULT = SetResult(
    name="set",
    judged=(JudgedRanking(id="q", category="plain", ranked=("d",), measures={"R@5": 1.0}),),
    documents=3,
    memories=2,
    refused=1,
    seconds={"asking": 1.23456},
    notes=("a sample",),
)


def test_a_run_reads_back_without_its_rankings() -> None:
    written = json.loads(json.dumps(results_json([RESULT], split="dev")))

    (read,) = results_from_json(written)

    assert written["split"] == "dev"
    assert written["sets"][0]["seconds"] == {"asking": 1.235}
    assert (read.name, read.documents, read.memories, read.refused) == ("set", 3, 2, 1)
    assert read.notes == ("a sample",)
    assert read.judged == (
        JudgedRanking(id="q", category="plain", ranked=(), measures={"R@5": 1.0}),
    )


@pytest.mark.parametrize(
    "spoiled",
    [
        [],
        {},
        {"sets": [{}]},
        {"sets": [{**results_json([RESULT]), "queries": 1}]},
    ],
)
def test_what_is_not_a_run_is_refused(spoiled: object) -> None:
    with pytest.raises(BadFieldError):
        results_from_json(spoiled)


@pytest.mark.parametrize("measures", [None, [1], {"R@5": "much"}])
def test_measures_must_be_numbers_by_name(measures: object) -> None:
    shape = json.loads(json.dumps(results_json([RESULT])))
    shape["sets"][0]["queries"][0]["measures"] = measures

    with pytest.raises(BadFieldError):
        results_from_json(shape)
