"""Pools: documents, and questions about them. One JSON object a line, one pool an object."""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


@dataclass
class Ask:
    """A question and the numbers of the documents that answer it.

    ``also`` are documents that may answer it too, so that they are no wrong answers.
    """

    q: str
    gold: list[int]
    also: list[int] = field(default_factory=list)
    id: str = ""


@dataclass
class Pool:
    """Documents among which the answers are looked for; wrong answers come from the same pool."""

    src: str
    group: str
    docs: list[str]
    asks: list[Ask]


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a file, one a line, packed or not."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    yield from (json.loads(line) for line in text.split("\n") if line.strip())


def read_pools(path: Path) -> list[Pool]:
    """Return the pools of a file."""
    return [
        Pool(line["src"], line["group"], line["docs"], [Ask(**ask) for ask in line["asks"]])
        for line in lines(path)
    ]


def write_pools(path: Path, pools: Iterable[Pool]) -> None:
    """Write pools; questions without an answer, and pools without a question, are left out."""
    with path.open("w", encoding="utf-8") as file:
        for pool in pools:
            asks = [ask for ask in pool.asks if ask.gold and ask.q.strip()]
            if asks:
                shape = {**asdict(pool), "asks": [asdict(ask) for ask in asks]}
                file.write(json.dumps(shape, ensure_ascii=False) + "\n")
