"""``python -m docs.token_figures``: how far the estimate of tokens is from a real vocabulary."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from holdfast.adapters.tokens.estimate import EstimatedTokens
from holdfast.adapters.tokens.exact import ExactTokens, is_installed

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "explanation" / "tokens.md"
_SHORTEST = 400

SAMPLES = {
    "English prose": "Refresh tokens rotate on every use; replaying one revokes the family.",
    "German prose": "Erneuerungsmarken werden bei jeder Benutzung gewechselt.",
    "Russian prose": "Токены обновления меняются при каждом использовании.",
    "Japanese prose": "リフレッシュトークンは使用するたびに更新されます。",
    "decimal numbers": "1024 2048 4096 8192 3.14159 2.71828 65536",
    "emoji": "✅ done 🎉 shipped 🚀",
    "a hash": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Texts of one sort, counted both ways."""

    name: str
    files: int
    estimate: int
    exact: int
    least: float
    most: float

    @property
    def off(self) -> float:
        """How far the estimate is off for all of them together; above 0 is too many."""
        return self.estimate / self.exact - 1


def groups() -> list[Group]:
    """Count the texts of this repository, sort by sort."""
    texts = {
        "Python (`src`)": ROOT.glob("src/**/*.py"),
        "Python (`tests`)": ROOT.glob("tests/**/*.py"),
        "SQL": ROOT.glob("src/**/*.sql"),
        "Markdown (explanation)": ROOT.glob("docs/explanation/*.md"),
        "Markdown (decisions)": ROOT.glob("docs/decisions/*.md"),
        "Markdown (reference, tables)": ROOT.glob("docs/reference/*.md"),
        "legal prose": [ROOT / "LICENSE"],
    }
    return [_counted(name, paths) for name, paths in texts.items()]


def _counted(name: str, paths: Iterable[Path]) -> Group:
    estimate, exact = EstimatedTokens(), ExactTokens()
    counts = [
        (estimate.count(text), exact.count(text))
        for text in (path.read_text(encoding="utf-8") for path in sorted(paths))
        if len(text.encode()) >= _SHORTEST
    ]
    off = [guessed / real - 1 for guessed, real in counts]
    return Group(
        name=name,
        files=len(counts),
        estimate=sum(guessed for guessed, _ in counts),
        exact=sum(real for _, real in counts),
        least=min(off),
        most=max(off),
    )


def group_table(counted: list[Group]) -> str:
    """Return the groups as a Markdown table."""
    rows = ["| texts | files | estimate | exact | off | least | most |", "|---|" + "---:|" * 6]
    rows += [
        f"| {one.name} | {one.files} | {one.estimate:,} | {one.exact:,} | {one.off:+.0%} |"
        + f" {one.least:+.0%} | {one.most:+.0%} |"
        for one in counted
    ]
    return "\n".join(rows)


def sample_table() -> str:
    """Return the short samples as a Markdown table."""
    estimate, exact = EstimatedTokens(), ExactTokens()
    rows = ["| sample | estimate | exact | off |", "|---|---:|---:|---:|"]
    for name, text in SAMPLES.items():
        guessed, real = estimate.count(text), exact.count(text)
        rows.append(f"| {name} | {guessed} | {real} | {guessed / real - 1:+.0%} |")
    return "\n".join(rows)


def put(page: str, mark: str, table: str) -> str:
    """Return the page with a table between its marks."""
    head, _, rest = page.partition(f"<!-- {mark} -->")
    _, _, tail = rest.partition(f"<!-- /{mark} -->")
    return f"{head}<!-- {mark} -->\n\n{table}\n\n<!-- /{mark} -->{tail}"


def main() -> None:
    """Print the tables and put them into the page."""
    if not is_installed():
        sys.exit("The exact counter is not installed: pip install 'holdfast[tokens]'")
    counted, samples = group_table(groups()), sample_table()
    page = put(PAGE.read_text(encoding="utf-8"), "token figures", counted)
    PAGE.write_text(put(page, "token samples", samples), encoding="utf-8")
    sys.stdout.write(f"{counted}\n\n{samples}\n")


if __name__ == "__main__":
    main()
