"""Measures how many decisions in conversations become candidates, and how many are false.

Run as ``python -m benchmarks.extraction --data FOLDER`` with a set in the format of ``holdfast
eval`` whose corpus is conversations: turns with a role, an id that ends in ``#`` and the turn's
number, and queries that name the ``gold`` turns of the deciding conversation and the ``key`` turn
that sums it up.

A decision counts as found if a proposal comes from the key turn. It also counts if a proposal comes
from another gold turn and has at least half as many of the answer's distinctive words as the gold
turn with the most of them. A key turn is cited if a proposal comes from it or was agreed to in it.
The set does not say whether a conversation outside the gold ones decides something; ``--undecided
PATTERN`` names those that are known not to.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from holdfast.domain.sessions.session import Proposal
from holdfast.domain.sessions.transcript import Speaker, Transcript, Turn
from holdfast.heuristics.extraction.extracting import extract
from holdfast.heuristics.junk.scoring import objection
from holdfast.heuristics.written import containment, content_words

ENOUGH = 0.5


def main(words: list[str]) -> int:
    """Print the figures as a small table."""
    given = _arguments(words)
    talks = conversations(given.data / "corpus.jsonl")
    queries = [
        json.loads(line)
        for line in (given.data / "dev" / "queries.jsonl").read_text("utf-8").splitlines()
    ]
    began = time.process_time()
    proposed = {
        name: tuple(one for one in extract(talk, limit=given.limit) if not objection(one.claim))
        for name, talk in talks.items()
    }
    seconds = time.process_time() - began
    deciding = [query for query in queries if _session(query["key"][0]) in talks]
    by_key = [_cites_key(query, proposed) for query in deciding]
    stated = [_is_found(query, talks, proposed) for query in deciding]
    gold = {_session(turn) for query in queries for turn in (*query["gold"], *query["stale"])}
    undecided = [n for n in talks if n not in gold and re.search(given.undecided, n)]
    rest = [n for n in talks if n not in gold and n not in undecided]
    print(f"deciding conversations           {len(deciding)}")
    print(f"  decision is a candidate        {_share(stated)}")
    print(f"  its key turn is cited          {_share(by_key)}")
    theirs = [proposed[_session(query["key"][0])] for query in deciding]
    print(f"  candidates a conversation      {_mean(theirs)}")
    print(f"undecided conversations          {len(undecided)}")
    print(f"  candidates a conversation      {_mean([proposed[n] for n in undecided])}")
    print(f"  with no candidate              {_share([not proposed[n] for n in undecided])}")
    print(f"other conversations              {len(rest)}")
    print(f"  with a candidate               {_share([bool(proposed[n]) for n in rest])}")
    print(f"milliseconds a conversation      {1000 * seconds / max(1, len(talks)):.1f}")
    for query, is_found in zip(deciding, stated, strict=True):
        if not is_found:
            print(f"missed: {query['id']} ({query['key'][0]})")
    return 0


def conversations(corpus: Path) -> dict[str, Transcript]:
    """Return the conversations of a corpus by name."""
    turns: dict[str, list[Turn]] = defaultdict(list)
    for line in corpus.read_text("utf-8").splitlines():
        row: dict[str, Any] = json.loads(line)
        if row.get("meta", {}).get("source") != "chat":
            continue
        number = int(row["id"].rpartition("#")[2]) + 1
        speaker = Speaker(row["role"])
        turns[_session(row["id"])].append(Turn(number=number, speaker=speaker, text=row["text"]))
    return {
        name: Transcript(
            tool="chat", session=name, turns=tuple(sorted(said, key=lambda turn: turn.number))
        )
        for name, said in sorted(turns.items())
    }


def _is_found(
    query: dict[str, Any], talks: dict[str, Transcript], proposed: dict[str, tuple[Proposal, ...]]
) -> bool:
    if _from_key(query, proposed):
        return True
    answer = content_words(query["answer"])
    texts = {turn.number: turn.text for turn in talks[_session(query["key"][0])].turns}
    best = max(containment(answer, content_words(texts[_number(turn)])) for turn in query["gold"])
    gold = {_number(turn) for turn in query["gold"]}
    return any(
        one.turn in gold and containment(answer, content_words(one.claim)) >= ENOUGH * best
        for one in proposed[_session(query["key"][0])]
    )


def _from_key(query: dict[str, Any], proposed: dict[str, tuple[Proposal, ...]]) -> bool:
    keys = {_number(turn) for turn in query["key"]}
    return any(one.turn in keys for one in proposed[_session(query["key"][0])])


def _cites_key(query: dict[str, Any], proposed: dict[str, tuple[Proposal, ...]]) -> bool:
    keys = {_number(turn) for turn in query["key"]}
    found = proposed[_session(query["key"][0])]
    return any(one.turn in keys or one.agreed in keys for one in found)


def _session(turn: str) -> str:
    return turn.rpartition("#")[0]


def _number(turn: str) -> int:
    return int(turn.rpartition("#")[2]) + 1


def _share(found: list[bool]) -> str:
    return f"{sum(found)} of {len(found)} ({sum(found) / max(1, len(found)):.2f})"


def _mean(found: list[tuple[Proposal, ...]]) -> str:
    return f"{sum(map(len, found)) / max(1, len(found)):.2f}"


def _arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.extraction", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--limit", type=int, default=5, metavar="N")
    parser.add_argument("--undecided", default=r"chat-[01]\d\d$", metavar="PATTERN")
    return parser.parse_args(words)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
