"""Makes the pools that the model is trained on and measured with, from given folders.

    python -m training.sources --sets BENCH --clones CLONES --packages SITE --out pools.jsonl

BENCH has the development halves, one folder for each set; CLONES has git clones as OWNER/NAME;
SITE is a folder of Python packages. Nothing is fetched, and nothing of it is committed.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from training.pools import Ask, Pool, lines, write_pools
from training.programming import Clone, docstrings, documentation
from training.rules import about_turn, content_words, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 7
LICENCES = {
    "qmsum": "MIT",
    "rules_meeting": "MIT (QMSum)",
    "friendsqa": "Apache-2.0",
    "rules_talk": "Apache-2.0 (FriendsQA)",
    "qamr": "MIT",
    "rules_orders": "CC BY 4.0 (Taskmaster-4)",
    "docstring": "of each package: mostly MIT, BSD, Apache-2.0 and PSF",
    "heading": "of each repository: MIT, BSD-3-Clause, Apache-2.0",
    "commit": "of each repository: MIT, BSD-3-Clause, Apache-2.0",
}
SETS = ("locomo", "beam_100k", "musique300", "hotpot300", "2wiki", "cosqa", "sde_decisions")
"""Development halves of benchmark sets: they are measured, and no model is trained on them."""
_ROLES = {"user", "assistant", "system", "commit", "tool"}
_NAMES = ("Alex", "Maria", "Sam", "Priya", "Chen", "Omar", "Lena", "Tom", "Aisha", "Ivan", "Rosa",
          "Kofi", "Nina", "Paul", "Yuki")  # fmt: skip
_MEETINGS = re.compile(r"data/(Academic|Committee|Product)/all/.*\.json$")
_LONGEST, _LONGEST_TURN, _LONGEST_QUESTION = 1600, 1200, 1200
_MEETING_SHARE, _MOST_QAMR, _DIALOGUES, _ORDERS_POOL = 0.25, 9000, 150, 600
_SHARED, _SHARED_BY_SENTENCE, _LEAST_ORDER = 3, 4, 6


def development(folder: Path) -> Iterator[Pool]:
    """Yield the development half of one set; a question about a decision wants its key turn."""
    corpus = folder / "dev" / "corpus.jsonl.gz"
    groups: dict[str, list[tuple[str, str]]] = {}
    for line in lines(corpus if corpus.exists() else folder / "corpus.jsonl"):
        who = line.get("role") or line.get("speaker")
        text = line["text"] if not who or who in _ROLES else f"{who}: {line['text']}"
        groups.setdefault(line.get("group") or "all", []).append((line["id"], text[:_LONGEST]))
    asked: dict[str, list[dict[str, Any]]] = {}
    for line in lines(folder / "dev" / "queries.jsonl"):
        asked.setdefault(line.get("group") or "all", []).append(line)
    for group, docs in groups.items():
        numbers = {name: number for number, (name, _) in enumerate(docs)}
        asks = [_asked(line, numbers) for line in asked.get(group, [])]
        yield Pool(folder.name, group, [text for _, text in docs], asks)


def _asked(line: dict[str, Any], numbers: dict[str, int]) -> Ask:
    gold = line.get("key") or line.get("gold") or []
    gold = [gold] if isinstance(gold, str) else gold
    found = [numbers[name] for name in gold if name in numbers]
    return Ask(line["text"][:_LONGEST_QUESTION], found, id=line["id"])


def meetings(clone: Clone, chance: Random) -> Iterator[Pool]:
    """Yield QMSum: a question about a meeting, its answer's sentences, and questions by rules."""
    for path in filter(_MEETINGS.match, clone.files("data")):
        try:
            meeting = json.loads(clone.text(path))
        except ValueError:
            continue
        docs = [
            f"{turn['speaker']}: {re.sub(r'{[a-z]+}', '', turn['content'])}"[:_LONGEST_TURN]
            for turn in meeting["meeting_transcripts"]
        ]
        asks = [ask for one in meeting.get("specific_query_list", []) for ask in _query(one, docs)]
        yield Pool("qmsum", path, docs, asks)
        yield Pool("rules_meeting", path, docs, _by_rules(docs, chance, share=_MEETING_SHARE))


def _query(query: dict[str, Any], docs: list[str]) -> Iterator[Ask]:
    span = [number for first, last in query["relevant_text_span"]
            for number in range(int(first), min(int(last) + 1, len(docs)))]  # fmt: skip
    wanted = content_words(query["query"]) | content_words(query["answer"])
    gold = [n for n in _nearest(wanted, span, docs)[:2]
            if len(wanted & content_words(docs[n])) >= _SHARED]  # fmt: skip
    yield Ask(query["query"], gold, also=span)
    for sentence in re.split(r"(?<=\.) ", query["answer"]):
        said = content_words(sentence)
        best = _nearest(said, span, docs)[:1]
        if best and len(said & content_words(docs[best[0]])) >= _SHARED_BY_SENTENCE:
            yield Ask(sentence, best, also=span)


def _nearest(wanted: set[str], span: list[int], docs: list[str]) -> list[int]:
    return sorted(span, key=lambda number: -len(wanted & content_words(docs[number])))


def _by_rules(docs: list[str], chance: Random, *, share: float = 1.0) -> list[Ask]:
    made = []
    for number, text in enumerate(docs):
        if share == 1.0 or chance.random() < share:
            name, _, turn = text.partition(": ")
            if question := about_turn(name, turn, chance):
                made.append(Ask(question, [number]))
    return made


def talk(clone: Clone, chance: Random) -> Iterator[Pool]:
    """Yield FriendsQA by episode: questions about a scene, and questions by rules."""
    episodes: dict[str, Pool] = {}
    for part in ("dev", "tst"):
        for scene in json.loads(clone.text(f"dat/friendsqa_{part}.json"))["data"]:
            name = part + scene["title"].rsplit("_", 1)[0]
            pool = episodes.setdefault(name, Pool("friendsqa", name, [], []))
            for paragraph in scene["paragraphs"]:
                _add_scene(paragraph, pool)
    for pool in episodes.values():
        yield pool
        yield Pool("rules_talk", pool.group, pool.docs, _by_rules(pool.docs, chance))


def _add_scene(paragraph: dict[str, Any], pool: Pool) -> None:
    start = len(pool.docs)
    for turn in paragraph["utterances:"]:
        who = " and ".join(name.split()[0] for name in turn["speakers"])
        pool.docs.append(f"{who}: {plain(turn['utterance'])}")
    for qa in paragraph["qas"]:
        numbers = {str(answer.get("utterance_id", "")) for answer in qa["answers"]}
        gold = sorted(start + int(number) for number in numbers if number.isdigit())
        gold = [number for number in gold if number < len(pool.docs)]
        pool.asks.append(Ask(plain(qa["question"]), gold))


def sentences(clone: Clone, chance: Random) -> Iterator[Pool]:
    """Yield QAMR: short questions about one sentence of Wikipedia."""
    rows = (line.partition("\t") for line in clone.text("data/wiki-sentences.tsv").split("\n"))
    known = {name: plain(text) for name, _, text in rows if text}
    for part in ("dev", "test"):
        numbers: dict[str, int] = {}
        asks = []
        for line in clone.text(f"data/filtered/{part}.tsv").split("\n"):
            fields = line.split("\t")
            if len(fields) > 5 and fields[0] in known:
                number = numbers.setdefault(fields[0], len(numbers))
                asks.append(Ask(fields[5], [number]))
        chance.shuffle(asks)
        yield Pool("qamr", part, [known[name] for name in numbers], asks[:_MOST_QAMR])


def orders(clone: Clone, chance: Random) -> Iterator[Pool]:
    """Yield Taskmaster-4: what a user said, and a question by rules about it."""
    docs, asked = [], []
    for number in range(8):
        try:
            dialogues = json.loads(clone.text(f"TM-4-2024/data/data_0{number}.json"))
        except ValueError:
            continue
        chance.shuffle(dialogues)
        for dialogue in dialogues[:_DIALOGUES]:
            name = chance.choice(_NAMES)
            for turn in dialogue["utterances"]:
                is_short = len(turn["text"].split()) < _LEAST_ORDER
                if turn["speaker"].lower() != "user" or is_short:
                    continue
                if question := about_turn(name, turn["text"], chance):
                    docs.append(f"{name}: {turn['text']}")
                    asked.append(question)
    for start in range(0, len(docs), _ORDERS_POOL):
        part = asked[start : start + _ORDERS_POOL]
        asks = [Ask(question, [number]) for number, question in enumerate(part)]
        yield Pool("rules_orders", f"tm{start}", docs[start : start + _ORDERS_POOL], asks)


def all_pools(sets: Path, clones: Path, packages: list[Path]) -> Iterator[Pool]:
    """Yield every pool, in the order and with the chances of the published model."""
    chance = Random(SEED)
    for name in SETS:
        yield from development(sets / name)
    yield from meetings(Clone(clones / "Yale-LILY" / "QMSum"), chance)
    yield from talk(Clone(clones / "emorynlp" / "FriendsQA"), chance)
    yield from sentences(Clone(clones / "uwnlp" / "qamr"), chance)
    yield from orders(Clone(clones / "google-research-datasets" / "Taskmaster"), chance)
    yield from docstrings(packages, chance)
    yield from documentation(clones, chance)


def main() -> None:
    """Write the pools and print how many there are of each source."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=Path, required=True)
    parser.add_argument("--clones", type=Path, required=True)
    parser.add_argument("--packages", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    pools = list(all_pools(given.sets, given.clones, given.packages))
    write_pools(given.out, pools)
    docs, asks = Counter[str](), Counter[str]()
    for pool in pools:
        docs[pool.src] += len(pool.docs)
        asks[pool.src] += sum(bool(ask.gold) for ask in pool.asks)
    for name in docs:
        licence = LICENCES.get(name, "not trained on")
        print(f"{name}: {docs[name]:,} documents, {asks[name]:,} questions, {licence}")


if __name__ == "__main__":
    main()
