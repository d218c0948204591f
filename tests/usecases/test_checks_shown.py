"""Where a report shows a check that has no place of its own."""

from __future__ import annotations

import pytest

from holdfast.usecases.checks.showing import shown_at
from tests.requirements import requirement

FILES = ("LICENSE", "pyproject.toml", "src/deep/a.py", "src/z.py", "web/package.json")


@requirement("checks.in-ci")
@pytest.mark.parametrize(
    ("check", "file"),
    [
        ("symbol main must exist in src/**", "src/z.py"),
        ("symbol main must exist", "pyproject.toml"),
        ("dependency numpy must appear", "pyproject.toml"),
        ("dependency react must appear in web/**", "web/package.json"),
        ("dependency react must appear in src/**", "src/z.py"),
        ("must match `x` in docs/a.md", "docs/a.md"),
        ("file docs/*.md must exist", "pyproject.toml"),
        ("what a later version reads", "pyproject.toml"),
    ],
)
def test_a_check_is_shown_at_the_file_it_is_about(check: str, file: str) -> None:
    assert shown_at(check, FILES) == file


@requirement("checks.in-ci")
@pytest.mark.parametrize("check", ["symbol main must exist", "what a later version reads"])
def test_without_manifests_or_files_there_is_less_to_choose(check: str) -> None:
    assert (shown_at(check, FILES[:1]), shown_at(check, ())) == ("LICENSE", "")
