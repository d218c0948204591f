"""The benchmark of code search, on a set of two issues."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.code_search import main, ways
from tests.adapters.small_project import FILES


@pytest.fixture
def data(tmp_path: Path) -> Path:
    paths = [path for path in FILES if path.endswith(".py")]
    old: dict[str, object] = {
        "id": "d_old",
        "text": "x = 1\n",
        "meta": {"path": "src/shop/clock.py"},
    }
    corpus: list[dict[str, object]] = [
        {"id": f"d{place}", "text": FILES[path], "meta": {"path": path}}
        for place, path in enumerate(paths)
    ]
    clock = paths.index("src/shop/clock.py")
    everything = [f"d{place}" for place in range(len(paths))]
    before = [one for one in everything if one != f"d{clock}"] + ["d_old"]
    questions = [
        ("shop__shop-1", "What time does the clock tell?", f"d{clock}", everything),
        ("shop__shop-2", "A token is never revoked", "d0", before),
    ]
    rows: dict[str, list[dict[str, object]]] = {
        "corpus": [*corpus, old],
        "queries": [
            {"id": name, "group": name, "text": text, "gold": [gold]}
            for name, text, gold, _ in questions
        ],
        "groups": [{"group": name, "docs": docs} for name, _, _, docs in questions],
    }
    folder = tmp_path / "set" / "dev"
    folder.mkdir(parents=True)
    for stem, objects in rows.items():
        lines = "".join(json.dumps(each) + "\n" for each in objects)
        (folder / f"{stem}.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path / "set"


def test_every_way_of_asking_has_its_figures(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["--data", str(data)])

    printed = capsys.readouterr().out
    assert "| all | 100.0 | 100.0 | 100.0 | 100.0 | 1.000 |" in printed
    assert all(f"| {way} |" in printed for way in (*ways(), "plain BM25 over whole files"))
    assert "2 issues; 0 files were passed over" in printed


def test_a_sample_is_asked_when_wanted(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--data", str(data), "--limit", "1", "--seed", "3"])

    assert "1 issues" in capsys.readouterr().out


def test_a_folder_without_a_set_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="has no groups"):
        main(["--data", str(tmp_path)])
