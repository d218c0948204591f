"""doctor checks the models that the package carries, beside the one that embeds."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from holdfast.adapters.embedding import fetching
from holdfast.adapters.embedding.answering import LAVER
from holdfast.adapters.embedding.judging import WRACK
from holdfast.adapters.embedding.reading import DULSE
from tests.cli.program import Program


def test_doctor_names_the_weights_that_are_cut_or_missing(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = tmp_path / "weights"
    shutil.copytree(fetching._WEIGHTS, weights)
    before = program("doctor", "--json").json
    cut = weights / WRACK.stem / WRACK.member
    cut.write_bytes(cut.read_bytes()[:1_000])
    (weights / LAVER.stem / LAVER.member).unlink()
    monkeypatch.setattr(fetching, "_WEIGHTS", weights)

    done = program("doctor", "--json")

    assert not [one for one in before["findings"] if one["check"] == "models"]
    assert done.code == 1
    first, second = [one for one in done.json["findings"] if one["check"] == "models"]
    assert (first["severity"], second["severity"]) == ("warning", "warning")
    assert f"weights of {WRACK.name}," in first["message"]
    assert f"weights of {LAVER.name}," in second["message"]
    assert "Install the package holdfast again" in first["advice"]
    assert not [one for one in (first, second) if f"of {DULSE.name}," in one["message"]]
