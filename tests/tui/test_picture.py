"""The picture on the how-to page is what the program draws."""

from __future__ import annotations

import os
import re
from pathlib import Path

from tests.cli.waiting import Waiting
from tests.tui.person import LARGE, WRITE, use

PICTURE = Path(__file__).parents[2] / "docs" / "how-to" / "review-in-the-terminal.svg"
LARGEST = 150_000
_WORDS = re.compile(r"<text[^>]*>([^<]*)</text>")


def of_its_own(svg: str) -> str:
    """Return a picture that fetches no font and has names that do not differ between runs."""
    svg = re.sub(r"@font-face \{.*?\}|<!--.*?-->", "", svg, flags=re.DOTALL)
    return re.sub(r"terminal-\d+", "terminal-inbox", svg)


def words(svg: str) -> str:
    """Return the words of a picture, without ids and ages."""
    shown = "".join(_WORDS.findall(svg)).replace("&#160;", " ")
    return re.sub(r"m_[0-9a-z]+|\d+ (?:second|minute)s?", "…", shown)


def test_the_picture_on_the_page_is_what_the_program_draws(waiting: Waiting) -> None:
    drawn = of_its_own(use(waiting.program, "j", size=LARGE, theme="dark").svg)
    if os.environ.get(WRITE):
        PICTURE.write_text(drawn, encoding="utf-8")

    kept = PICTURE.read_text(encoding="utf-8")
    assert words(kept) == words(drawn)
    assert len(kept.encode()) <= LARGEST
    assert "http://" not in kept.replace("http://www.w3.org", "")
    assert "https://" not in kept
