"""``python -m benchmarks.code_search``: issue texts as questions to the code index, by signal."""

from __future__ import annotations

import argparse
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import cast

import apsw

from holdfast.adapters.benchsets.files import lines, part
from holdfast.adapters.code.index.code_rows import VERSION
from holdfast.adapters.code.index.database import open_database, reading
from holdfast.adapters.code.queries import SQL
from holdfast.adapters.code.search.search import search
from holdfast.bootstrap.plugs.code import checkout, code_index
from holdfast.domain.code.code_ranking import CodeWeights
from holdfast.domain.values import replace

_DEPTHS = (1, 3, 5, 10)
_PASSAGES = 30
_ALL = CodeWeights()
_NO_PATH = {"path_words": 0.0, "path_in_title": 0.0, "path": 0.0, "module": 0.0}
_NO_SYMBOL = {
    "title_symbol": 0.0,
    "quoted_symbol": 0.0,
    "prose_symbol": 0.0,
    "code_symbol": 0.0,
    "qualified": 0.0,
}
_NO_TRACEBACK = {"innermost": 0.0, "frame": 0.0}
_NO_CALLS = {"calls": 0.0}
_NO_WORDS = {"whole": 0.0, "best": 0.0, "second": 0.0, "third": 0.0}
_SIGNALS = {"path": _NO_PATH, "symbol": _NO_SYMBOL, "traceback": _NO_TRACEBACK, "calls": _NO_CALLS}
_WORD = re.compile(r"\w+")
_MAKE_PLAIN = "CREATE VIRTUAL TABLE plain USING fts5(path, text, tokenize='porter unicode61')"
_PUT_PLAIN = "INSERT INTO plain (path, text) VALUES (?, ?)"
_ASK_PLAIN = (
    "SELECT path FROM plain WHERE plain MATCH ? ORDER BY bm25(plain, 3.0, 1.0), rowid LIMIT 40"
)

Ask = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """A question, the files that may answer it, and the right ones."""

    name: str
    text: str
    documents: tuple[str, ...]
    gold: frozenset[str]

    @property
    def repository(self) -> str:
        """The name of its repository."""
        return self.name.rpartition("-")[0]


@dataclass(slots=True, kw_only=True)
class Measured:
    """The ranks of the right files for each variant, and the cost of the searches."""

    ranks: dict[str, list[int]] = field(default_factory=dict)
    milliseconds: list[float] = field(default_factory=list)
    unread: int = 0

    def note(self, way: str, found: Sequence[str], gold: frozenset[str]) -> None:
        """Record the rank of the first right file."""
        places = [place for place, path in enumerate(found) if path in gold]
        self.ranks.setdefault(way, []).append(places[0] if places else len(found) + max(_DEPTHS))

    def take(self, other: Measured) -> None:
        """Add the measurements of another process."""
        for way, ranks in other.ranks.items():
            self.ranks.setdefault(way, []).extend(ranks)
        self.milliseconds += other.milliseconds
        self.unread += other.unread


def ways() -> dict[str, CodeWeights]:
    """Return the variants: words alone, with one more signal, and all but one signal."""
    words = replace(_ALL, **_NO_PATH, **_NO_SYMBOL, **_NO_TRACEBACK, **_NO_CALLS)
    found = {"words alone": words}
    for name, without in _SIGNALS.items():
        found[f"words and {name}"] = replace(words, **{one: getattr(_ALL, one) for one in without})
    for name, without in _SIGNALS.items():
        found[f"all but {name}"] = replace(_ALL, **without)
    found["all but words"] = replace(_ALL, **_NO_WORDS)
    found["all, first line as the rest"] = replace(_ALL, title_words=1.0)
    return found


def issues_of(folder: Path, *, limit: int | None, seed: int) -> list[Issue]:
    """Read the questions, or a seeded sample of them, grouped by repository."""
    groups = {str(row["group"]): row["docs"] for row in lines(_part(folder, "groups"))}
    found = [
        Issue(
            name=str(row["id"]),
            text=str(row["text"]),
            documents=tuple(cast("list[str]", groups[str(row["group"])])),
            gold=frozenset(cast("list[str]", row["gold"])),
        )
        for row in lines(_part(folder, "queries"))
    ]
    found.sort(key=lambda issue: issue.name)
    if limit is not None and limit < len(found):
        found = random.Random(seed).sample(found, limit)
    return sorted(found, key=lambda issue: issue.name)


def documents_of(folder: Path, issues: Sequence[Issue]) -> dict[str, tuple[str, str]]:
    """Read the files that may answer those questions: path and text by id."""
    wanted = {document for issue in issues for document in issue.documents}
    found: dict[str, tuple[str, str]] = {}
    for row in lines(_part(folder, "corpus")):
        if row["id"] in wanted:
            path = cast("dict[str, str]", row["meta"])["path"]
            found[str(row["id"])] = (path, str(row["text"]))
    return found


def _part(folder: Path, stem: str) -> Path:
    found = part(folder, stem)
    if found is None:
        sys.exit(f"{folder} has no {stem}: give the folder of the set with --data.")
    return found


class Checkouts:
    """Working trees with the files of each issue's repository at that time."""

    def __init__(self, work: Path, documents: dict[str, tuple[str, str]]) -> None:
        self._work = work
        self._documents = documents
        self._written: dict[str, dict[str, str]] = {}

    def at(self, issue: Issue) -> Path:
        """Return a repository with exactly the files of an issue, all untracked."""
        root = self._work / issue.repository
        if not root.exists():
            root.mkdir(parents=True)
            subprocess.run(["git", "init", "-q", str(root)], check=True)
        before = self._written.get(issue.repository, {})
        now = {self._documents[one][0]: one for one in issue.documents}
        for path in before.keys() - now.keys():
            (root / path).unlink()
        for path, document in now.items():
            if before.get(path) != document:
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(self._documents[document][1], encoding="utf-8")
        self._written[issue.repository] = now
        return root


def measure(issues: Sequence[Issue], documents: dict[str, tuple[str, str]], work: Path) -> Measured:
    """Index each issue's files as ``holdfast index`` does, and search with every variant."""
    measured = Measured()
    trees = Checkouts(work / "trees", documents)
    for number, issue in enumerate(issues, start=1):
        root = trees.at(issue)
        gold = frozenset(documents[one][0] for one in issue.gold)
        index = code_index(home=work / "home", folder=root)
        indexed = index.refresh(lambda _done, _total: None)
        measured.unread += len(issue.documents) - indexed.files
        began = time.process_time()
        found = _files(
            passage.reference for passage in index.search(issue.text, limit=_PASSAGES).passages
        )
        measured.milliseconds.append(1000 * (time.process_time() - began))
        index.close()
        measured.note("all", found, gold)
        for way, ask in _other_ways(work / "home", root):
            measured.note(way, ask(issue.text), gold)
        with_paths = [documents[one] for one in issue.documents]
        measured.note("plain BM25 over whole files", _plain(issue.text, with_paths), gold)
        sys.stderr.write(f"\r{number} of {len(issues)}: {issue.name:<50}")
    sys.stderr.write("\n")
    return measured


def _other_ways(home: Path, root: Path) -> Iterator[tuple[str, Ask]]:
    path = checkout(home=home, folder=root).database
    connection = open_database(path, script=SQL["create_code"], version=VERSION)
    with reading(connection):
        for way, weights in ways().items():
            yield (
                way,
                lambda text, weights=weights: _files(  # type: ignore[misc]  # mypy cannot infer a bound default
                    passage.reference
                    for passage in search(
                        connection,
                        text,
                        limit=_PASSAGES,
                        read=lambda path: (root / path).read_text(encoding="utf-8").split("\n"),
                        weights=weights,
                    )
                ),
            )
    connection.close()


def _files(references: Iterator[str]) -> list[str]:
    return list(dict.fromkeys(reference.rpartition(":")[0] for reference in references))


def _plain(text: str, files: Sequence[tuple[str, str]]) -> list[str]:
    """Return the results of SQLite's own BM25 over whole files for all words of the text."""
    connection = apsw.Connection(":memory:")
    connection.execute(_MAKE_PLAIN)
    connection.executemany(_PUT_PLAIN, files)
    words = dict.fromkeys(word.lower() for word in _WORD.findall(text))
    asked = " OR ".join(f'"{word}"' for word in words)
    return [str(path) for (path,) in connection.execute(_ASK_PLAIN, (asked,))]


def share(folder: Path, issues: Sequence[Issue]) -> Measured:
    """Measure some of the issues, in a separate folder."""
    work = Path(tempfile.mkdtemp(prefix="holdfast-code-search-"))
    try:
        return measure(issues, documents_of(folder, issues), work)
    finally:
        shutil.rmtree(work)


def shared(folder: Path, issues: Sequence[Issue], jobs: int) -> Measured:
    """Measure the issues with this number of processes."""
    if jobs == 1:
        return share(folder, issues)
    measured = Measured()
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for some in pool.map(share, repeat(folder), _shares(issues, jobs)):
            measured.take(some)
    return measured


def _shares(issues: Sequence[Issue], jobs: int) -> list[Sequence[Issue]]:
    """Split the issues into as many parts; neighbours stay together, as they share most files."""
    size = -(-len(issues) // jobs)
    return [issues[start : start + size] for start in range(0, len(issues), size)]


def table(measured: Measured) -> str:
    """Return the share of issues whose file is among the first results, for each variant."""
    heads = ("way", *(f"@{depth}" for depth in _DEPTHS), "MRR")
    rows = [f"| {' | '.join(heads)} |", "|---|" + "--:|" * (len(heads) - 1)]
    for way, ranks in measured.ranks.items():
        shares = [100 * sum(rank < depth for rank in ranks) / len(ranks) for depth in _DEPTHS]
        mean = statistics.fmean(1 / (rank + 1) for rank in ranks)
        cells = [*(f"{share:.1f}" for share in shares), f"{mean:.3f}"]
        rows.append(f"| {way} | {' | '.join(cells)} |")
    return "\n".join(rows)


def main(given: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.code_search", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of swebench_lite")
    parser.add_argument("--split", default="dev", help="which half (default: dev)")
    parser.add_argument("--limit", type=int, help="ask a seeded sample of so many (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--jobs", type=int, default=1, help="processes that share the questions")
    options = parser.parse_args(given)
    folder = options.data / options.split
    issues = issues_of(folder, limit=options.limit, seed=options.seed)
    measured = shared(folder, issues, options.jobs)
    spent = statistics.median(measured.milliseconds)
    sys.stdout.write(
        f"{table(measured)}\n\n{len(issues)} issues; {measured.unread} files were passed over;"
        f" a question takes {spent:.0f} ms of CPU (median, the look at the checkout included).\n"
    )


if __name__ == "__main__":
    main()
