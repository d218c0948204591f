"""Makes the further pools of the reranker from given folders, and drops what overlaps.

    python -m training.more_sources --pools pools.jsonl --sets BENCH --clones CLONES \
        --packages SITE --out all.jsonl

It reads the pools of ``sources``, adds those of this module, and removes every text and question
that shares 13 words in a row with any text of the sets, or is one of their questions.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from training.overlap import runs_of, words_of
from training.pools import Ask, Pool, lines, read_pools, write_pools
from training.programming import Clone, source_of
from training.sources import SETS
from training.spoken import Speaker, asked_about

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 11
LICENCES = {
    "said_meeting": "MIT (QMSum)",
    "said_talk": "Apache-2.0 (FriendsQA)",
    "said_assistant": "CC BY-SA 4.0 (Schema-Guided Dialogue)",
    "selqa_sentence": "Apache-2.0 (SelQA)",
    "selqa_section": "Apache-2.0 (SelQA)",
    "qed": "CC BY-SA 3.0 (QED, text of Wikipedia)",
    "xquad": "CC BY-SA 4.0 (XQuAD)",
    "pubmedqa": "MIT (PubMedQA)",
    "function": "of each package: mostly MIT, BSD, Apache-2.0 and PSF; MIT (TheAlgorithms)",
}
_NAMES = ("Alex", "Maria", "Sam", "Priya", "Chen", "Omar", "Lena", "Tom", "Aisha", "Ivan", "Rosa",
          "Kofi", "Nina", "Paul", "Yuki", "Emma", "Luis", "Hana", "Greg", "Tara")  # fmt: skip
_SAID = {"friendsqa": ("said_talk", 1.0), "qmsum": ("said_meeting", 0.12)}
_TO_AGENT = (
    "What did you suggest about {words}?",
    "What did you tell me about {words}?",
    "What did you find for {words}?",
    "What did you recommend when I asked about {words}?",
)
_FILES, _TOGETHER, _PER_FILE, _TURNS, _LONG_TURN = 70, 12, 36, 0.35, 8
_LONGEST, _POOL, _MOST_FUNCTIONS, _PER_MODULE = 1400, 2500, 9000, 8
_LEAST_WORDS, _MOST_WORDS = 4, 25
_SAME = {
    "return": "get", "compute": "calculate", "calculate": "compute", "create": "make",
    "check": "test", "convert": "turn", "remove": "delete", "string": "text",
    "dictionary": "dict", "integer": "number", "directory": "folder", "retrieve": "get",
}  # fmt: skip
_SKIPPED = frozenset(["the", "a", "an", "this", "that", "given", "specified", "if", "its", "and"])
_BOXES = ("{words}", "python {words}", "how to {words} in python", "{words} python")


def said(pools: list[Pool], chance: Random) -> Iterator[Pool]:
    """Yield questions by rules about the turns of FriendsQA and QMSum."""
    for pool in pools:
        if pool.src not in _SAID:
            continue
        name, share = _SAID[pool.src]
        asks = []
        for number, text in enumerate(pool.docs):
            who, _, turn = text.partition(": ")
            if chance.random() < share:
                speaker = Speaker(who.split(" and ")[0])
                asks += [Ask(one, [number]) for one in asked_about(speaker, turn, chance)]
        yield Pool(name, pool.group, pool.docs, asks)


def assistants(clone: Clone, chance: Random) -> Iterator[Pool]:
    """Yield Schema-Guided Dialogue: a user with an assistant, twelve dialogues a pool."""
    paths = [path for path in clone.files() if "dialogues_" in path]
    chance.shuffle(paths)
    for path in paths[:_FILES]:
        try:
            dialogues = json.loads(clone.text(path))
        except ValueError:
            continue
        chance.shuffle(dialogues)
        for start in range(0, min(len(dialogues), _PER_FILE), _TOGETHER):
            pool = Pool("said_assistant", f"{path}{start}", [], [])
            speaker = Speaker(chance.choice(_NAMES), is_me=chance.random() < 0.5)
            for dialogue in dialogues[start : start + _TOGETHER]:
                for turn in dialogue["turns"]:
                    is_user = turn["speaker"] == "USER"
                    _add_turn(pool, speaker, turn["utterance"], chance, is_user=is_user)
            yield pool


def _add_turn(pool: Pool, speaker: Speaker, text: str, chance: Random, *, is_user: bool) -> None:
    number = len(pool.docs)
    pool.docs.append(f"{speaker.name}: {text}" if is_user and not speaker.is_me else text)
    if chance.random() > _TURNS:
        return
    if is_user:
        pool.asks += [Ask(one, [number]) for one in asked_about(speaker, text, chance)[:1]]
    elif speaker.is_me and len(text.split()) > _LONG_TURN:
        words = [word for word in re.findall(r"[A-Za-z0-9']+", text) if len(word) > 3]
        if len(words) >= _LEAST_WORDS:
            asked = chance.choice(_TO_AGENT).format(words=" ".join(chance.sample(words, 2)))
            pool.asks.append(Ask(asked, [number]))


def articles(clones: Path) -> Iterator[Pool]:
    """Yield SelQA, QED, XQuAD and PubMedQA: questions and the passages that answer them."""
    selqa = Clone(clones / "emorynlp" / "selqa")
    for part in ("dev", "test"):
        single, whole = Pool("selqa_sentence", part, [], []), Pool("selqa_section", part, [], [])
        for one in json.loads(selqa.text(f"ass/selqa-ass-{part}.json")):
            texts = one["candidates"]
            gold = [
                _place(single, texts[number]) for number in one["answers"] if number < len(texts)
            ]
            for text in texts:
                _place(single, text)
            single.asks.append(Ask(one["question"], gold))
            section = f"{one['article']}\n{' '.join(texts)}"
            whole.asks.append(Ask(one["question"], [_place(whole, section)]))
        yield from (single, whole)
    qed = Pool("qed", "dev", [], [])
    told = Clone(clones / "google-research-datasets" / "QED").text("qed-dev.jsonlines")
    for one in map(json.loads, filter(str.strip, told.split("\n"))):
        text = re.sub(r" ([.,;:!?)])", r"\1", one["paragraph_text"])
        place = _place(qed, f"{one['title_text']}\n{text}")
        qed.asks.append(Ask(one["question_text"], [place]))
    yield qed
    xquad = Pool("xquad", "en", [], [])
    told = Clone(clones / "deepmind" / "xquad").text("xquad.en.json")
    for article in json.loads(told)["data"]:
        for paragraph in article["paragraphs"]:
            place = _place(xquad, paragraph["context"])
            xquad.asks += [Ask(one["question"], [place]) for one in paragraph["qas"]]
    yield xquad
    pubmed = Pool("pubmedqa", "l", [], [])
    told = Clone(clones / "pubmedqa" / "pubmedqa").text("data/ori_pqal.json")
    for one in json.loads(told).values():
        pubmed.asks.append(Ask(one["QUESTION"], [_place(pubmed, " ".join(one["CONTEXTS"]))]))
    yield pubmed


def _place(pool: Pool, text: str) -> int:
    """Return the number of a text; a new one is added."""
    cut = text[:_LONGEST]
    if cut not in pool.docs:
        pool.docs.append(cut)
    return pool.docs.index(cut)


def functions(packages: list[Path], clone: Clone, chance: Random) -> Iterator[Pool]:
    """Yield functions, asked for in the words of a search box, made from their docstrings."""
    paths = [
        path for folder in packages for path in folder.rglob("*.py") if "test" not in path.name
    ]
    chance.shuffle(paths)
    found: list[tuple[str, str]] = []
    for path in paths:
        if len(found) > _MOST_FUNCTIONS:
            break
        found += _functions(path.read_text(encoding="utf-8", errors="replace"))
    for name in clone.files():
        if name.endswith(".py"):
            found += _functions(clone.text(name))
    chance.shuffle(found)
    for start in range(0, len(found), _POOL):
        part = found[start : start + _POOL]
        asks = [Ask(_boxed(text, chance), [number]) for number, (text, _) in enumerate(part)]
        yield Pool("function", f"g{start}", [code for _, code in part], asks)


def _functions(source: str) -> list[tuple[str, str]]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return []
    rows, found = source.split("\n"), []
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or len(node.body) < 2:
            continue
        told = re.split(r"\n\s*\n|(?<=\.)\s|>>>", (ast.get_docstring(node) or "").strip())[0]
        code = source_of(node, rows)
        is_plain = told.isascii() and _LEAST_WORDS <= len(told.split()) <= _MOST_WORDS
        if is_plain and 80 < len(code) < 1500:
            found.append((told.replace("\n", " ").rstrip("."), code))
    return found[:_PER_MODULE]


def _boxed(text: str, chance: Random) -> str:
    words = [word for word in re.findall(r"[\w']+", text.lower()) if word not in _SKIPPED]
    words = [_SAME.get(word.rstrip("s"), word) if chance.random() < 0.6 else word for word in words]
    part = " ".join(words[: chance.randint(5, 9)])
    return chance.choice(_BOXES).format(words=part)


def without_overlap(pools: list[Pool], sets: Path) -> Iterator[Pool]:
    """Yield the pools without what the sets contain."""
    runs: set[int] = set()
    questions: set[str] = set()
    for name in (*SETS, "mab_fact", "beam_conflict", "swebench_lite"):
        for path in sorted((sets / name).rglob("*.jsonl*")):
            for line in lines(path):
                words = words_of(str(line.get("text", "")))
                runs.update(run for run, _ in runs_of(words))
                if "queries" in path.name:
                    questions.add(" ".join(words))

    def is_known(text: str) -> bool:
        words = words_of(text)
        return " ".join(words) in questions or any(run in runs for run, _ in runs_of(words))

    for pool in pools:
        kept = [number for number, text in enumerate(pool.docs) if not is_known(text)]
        place = {number: new for new, number in enumerate(kept)}
        asks = [
            Ask(
                ask.q,
                [place[number] for number in ask.gold if number in place],
                [place[number] for number in ask.also if number in place],
            )
            for ask in pool.asks
            if not is_known(ask.q)
        ]
        yield Pool(pool.src, pool.group, [pool.docs[number] for number in kept], asks)


def main() -> None:
    """Write all pools of the reranker."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pools", type=Path, required=True)
    parser.add_argument("--sets", type=Path, required=True)
    parser.add_argument("--clones", type=Path, required=True)
    parser.add_argument("--packages", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    chance = Random(SEED)
    pools = [pool for pool in read_pools(given.pools) if pool.src not in SETS]
    dialogues = Clone(given.clones / "google-research-datasets" / "dstc8-schema-guided-dialogue")
    algorithms = Clone(given.clones / "TheAlgorithms" / "Python")
    pools += [
        *said(pools, chance),
        *assistants(dialogues, chance),
        *articles(given.clones),
        *functions(given.packages, algorithms, chance),
    ]
    write_pools(given.out, without_overlap(pools, given.sets))


if __name__ == "__main__":
    main()
