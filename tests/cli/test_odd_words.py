"""Whatever is typed, the program answers in its own words."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast.surfaces.cli.index import INDEX
from tests.cli.program import Program
from tests.requirements import requirement

ENDLESS = {"mcp", "serve", "web"}
"""Verbs that go on until somebody stops them; so does every verb with --watch."""
SAFE_VERBS = sorted(set(INDEX) - ENDLESS)
WORDS = st.one_of(
    st.sampled_from(
        [
            *("--json", "--", "-", "-q", "--key", "--kind", "--limit", "--id", "--budget", "--q"),
            *("--because", "--evidence", "--ttl", "--home=", "-C", "m_", "c_", "0", "-1", "1e9"),
            *("--satisfied", "--tag", "--hash", "--batch", "--replay", "=", "--=", "--md", "\n"),
        ]
    ),
    st.text(max_size=12),
    st.text(alphabet="\udcff\x00\x1b\u202e-=m_ ", max_size=6),
)


@pytest.fixture(scope="module")
def shared(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Program:
    place = tmp_path_factory.mktemp("odd")
    # A copy: some verbs install hooks, and every other test begins with the template.
    folder = Path(shutil.copytree(template, place / "app"))
    return Program(home=place / "home", folder=folder)


@requirement("cli.no-traceback")
@settings(
    max_examples=300, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(
    verb=st.one_of(st.sampled_from(SAFE_VERBS), st.text(max_size=8)),
    words=st.lists(WORDS, max_size=5),
)
def test_no_words_make_a_traceback(shared: Program, verb: str, words: list[str]) -> None:
    # Arbitrary text may be a verb too.
    if ENDLESS & set(verb.split()[:1]):
        return
    if verb == "export" and any(word[:1] not in "-" for word in words):
        return

    done = shared(*verb.split(), *(word for word in words if not word.startswith(("--ho", "--w"))))

    assert done.code in {0, 1, 2, 3, 4, 5, 6}, (done.code, done.err)
    assert "Traceback" not in done.err
    assert "\x1b" not in done.out + done.err


@requirement("evidence.name-is-kept-exactly")
def test_a_file_name_with_control_characters_is_refused_as_evidence(program: Program) -> None:
    name = "w\x1b[31m.py"
    (program.folder / name).write_text("one\ntwo\nthree\n", encoding="utf-8")

    told = program("remember", "--evidence", f"{name}:1-3", "Otters swim.")

    assert told.code == 2
    assert "control characters" in told.err
    assert "\x1b" not in told.err
    assert program("list").well().out == ""


@requirement("store.odd-home-is-said")
def test_a_home_that_is_no_utf8_is_a_plain_error(program: Program) -> None:
    odd = program.home.parent / os.fsdecode(b"h\xff")

    told = program("--home", str(odd), "remember", "--because", "x", "Otters swim.")

    assert told.code == 6
    assert "not valid UTF-8" in told.err
    assert "bug" not in told.err
