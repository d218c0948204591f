"""``python -m benchmarks.code_meaning FOLDER…``: questions in other words, asked of the code index.

The questions are made from the first sentences of docstrings in the repositories that are named:
the words of the symbol's own name are removed, common words are replaced, and the last clause comes
first. Only every second module is asked; the other half is for fitting, and was not used yet.
``--questions`` reads further ones from a file: folder name, question and symbol, with tabs.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
import zlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.rewording import turned_round, with_synonyms
from holdfast.adapters.code.index.code_rows import VERSION
from holdfast.adapters.code.index.database import open_database
from holdfast.adapters.code.index.meaning import embedded_text
from holdfast.adapters.code.queries import SQL
from holdfast.adapters.code.search.wording import is_test
from holdfast.bootstrap.opening.embedders import local_embedder
from holdfast.bootstrap.plugs.code import checkout, code_index
from holdfast.domain.text.words import stem
from holdfast.ports.recall.code import CodeIndex

_DEPTHS = (1, 3, 10)
_SEED = 117
_FEWEST_WORDS = 4
_WORD = re.compile(r"[A-Za-z]+")

Search = Callable[[str], list[str]]


class Asked(NamedTuple):
    """A question, and the symbol that answers it."""

    text: str
    symbol: str


def reworded(name: str, doc: str) -> str:
    """Return the first sentence in other words, without the words of the symbol's name."""
    words, _, sentence = embedded_text(name, doc).partition(". ")
    own = {stem(word.casefold()) for word in words.split()}
    left = [part for part in sentence.split() if not own & _stems(part)]
    return turned_round(with_synonyms(" ".join(left))) if len(left) >= _FEWEST_WORDS else ""


def _stems(text: str) -> set[str]:
    return {stem(word.casefold()) for word in _WORD.findall(text)}


def made(folder: Path, home: Path, most: int) -> list[Asked]:
    """Return questions from the docstrings of every second module of an indexed repository."""
    path = checkout(home=home, folder=folder).database
    connection = open_database(path, script=SQL["create_code"], version=VERSION)
    rows = list(connection.execute(SQL["described_symbols"]))
    connection.close()
    found = [
        Asked(text, name)
        for _, _, module, name, doc, _ in rows
        if zlib.crc32(module.encode()) % 2 and not is_test(module) and (text := reworded(name, doc))
    ]
    return random.Random(_SEED).sample(found, min(most, len(found)))


def is_right(title: str, symbol: str) -> bool:
    """Tell whether a passage is the symbol, or a part of it."""
    name = title.partition(" ")[0]
    return name == symbol or name.endswith(f".{symbol}") or name.startswith(f"{symbol}.")


def titles(index: CodeIndex, question: str) -> list[str]:
    """Return the titles of the best passages."""
    return [one.title for one in index.search(question, limit=max(_DEPTHS)).passages]


def ranks(asked: Sequence[Asked], search: Search) -> list[int]:
    """Return the rank of the right symbol for each question; the deepest one if it is not found."""
    found = []
    for one in asked:
        places = [
            place for place, title in enumerate(search(one.text)) if is_right(title, one.symbol)
        ]
        found.append(places[0] if places else max(_DEPTHS))
    return found


def main(words: Sequence[str] | None = None) -> None:
    """Measure every repository by words and with meaning, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.code_meaning", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, help="checkouts of repositories")
    parser.add_argument("--most", type=int, default=100, help="docstrings of each repository")
    parser.add_argument("--questions", type=Path, help="a file of further questions")
    given = parser.parse_args(words)
    heads = ("repository", "questions", "with", *(f"among {depth}" for depth in _DEPTHS))
    print(f"| {' | '.join(heads)} |\n|---|---|---|{'--:|' * len(_DEPTHS)}")
    with tempfile.TemporaryDirectory(prefix="holdfast-code-meaning-") as home:
        for folder in given.folders:
            _measure(folder.resolve(), Path(home), given.most, given.questions)


def _measure(folder: Path, home: Path, most: int, file: Path | None) -> None:
    model = local_embedder()
    for way in ("words", "words and meaning"):
        index = code_index(
            home=home, folder=folder, model=None if way == "words" else lambda: model
        )
        index.refresh(lambda _done, _total: None)
        sets = {"docstrings": made(folder, home, most), "written": written(file, folder.name)}
        for name, asked in sets.items():
            if asked:
                _print_row(folder.name, name, way, ranks(asked, partial(titles, index)))
        index.close()


def written(file: Path | None, repository: str) -> list[Asked]:
    """Return the questions of a file that are about a repository."""
    if file is None:
        return []
    rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
    return [Asked(text, symbol) for folder, text, symbol in rows if folder == repository]


def _print_row(repository: str, name: str, way: str, found: Sequence[int]) -> None:
    cells = [f"{sum(rank < depth for rank in found)} of {len(found)}" for depth in _DEPTHS]
    print(f"| {repository} | {name} | {way} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
