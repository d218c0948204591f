"""The recording that README opens with is a picture of commands that really ran."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from docs.recording import PICTURE, ROWS, picture, record
from tests.requirements import requirement


@requirement("docs.output-is-real")
def test_the_recording_shows_what_the_commands_print() -> None:
    scenes = record()
    outputs = ["\n".join(lines) for _, lines in scenes]

    assert "ready" in outputs[0]
    assert "(fresh)" in outputs[1]
    assert "candidate" in outputs[2]
    assert "holdfast approve 1" in outputs[3]
    assert outputs[4].startswith("accepted")
    assert "1. gotcha" in outputs[5]
    assert "drifted" in outputs[6]
    assert all(len(lines) < ROWS for _, lines in scenes)
    kept = PICTURE.read_text(encoding="utf-8")
    words = [element.text or "" for element in ET.fromstring(kept).iter() if element.text]  # noqa: S314 - our own file
    assert any(word.startswith("$ holdfast review") for word in words)
    assert len(words) == len(
        [one.text for one in ET.fromstring(picture(scenes)).iter() if one.text]  # noqa: S314 - made here
    )


def test_the_picture_runs_nothing_and_fetches_nothing() -> None:
    kept = PICTURE.read_text(encoding="utf-8")

    assert len(kept) < 50_000
    assert "<script" not in kept
    assert "http" not in kept.replace("http://www.w3.org/2000/svg", "")
    assert "prefers-reduced-motion" in kept
