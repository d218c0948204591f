"""``python -m benchmarks.said``: the CPU time of questions beside and about what was said.

A store gets 2,000 memories and 10,000 turns of sessions with vectors of their own. The same
questions are asked of memories before the turns are kept and after it, and of sessions.
"""

from __future__ import annotations

import argparse
import itertools
import random
import struct
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.corpus import Corpus
from benchmarks.figures import Figure, table
from benchmarks.principal import A_PERSON
from holdfast.app import Holdfast
from holdfast.bootstrap.opening.wiring import open_holdfast
from holdfast.domain.choices import EvidenceType, Origin
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.recall.finding import Vector
from holdfast.domain.recall.question import Question
from holdfast.domain.sessions.said import SaidBy
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember
from holdfast.usecases.sessions.saying import SayTurn

_MEMORIES, _TURNS, _ROUNDS = 2_000, 10_000, 40
_SHORT_MEMORIES, _SHORT_TURNS, _SHORT_ROUNDS = 200, 1_000, 10
_A_SESSION = 50
_BATCH = 500


def remember(app: Holdfast, claims: list[str]) -> None:
    """Remember made-up claims, with random vectors."""
    grounds = Grounds(given=(Evidence(type=EvidenceType.STATEMENT, reference="a benchmark"),))
    for start in range(0, len(claims), _BATCH):
        app.memories.remember_all(
            [
                Remember(claim=claim, grounds=grounds, origin=Origin.HUMAN)
                for claim in claims[start : start + _BATCH]
            ]
        )
    embedder = app.embedder
    if embedder is not None:
        chance = random.Random(1)
        with app.store.reading() as tx:
            bare = tx.finding.meaning.lacking(embedder.model.name, beyond=None, limit=len(claims))
        with app.store.writing(app.now()) as tx:
            vectors = {one.memory.id: [_vector(app, chance)] for one in bare}
            tx.finding.meaning.put(embedder.model, vectors)


def say(app: Holdfast, texts: list[str]) -> None:
    """Keep turns of sessions, with random vectors."""
    chance = random.Random(2)
    for start in range(0, len(texts), _A_SESSION):
        session = app.sessions.start(tool="benchmark", user="ada").id
        turns = [
            SayTurn(by=SaidBy.AGENT if number % 2 else SaidBy.PERSON, text=claim)
            for number, claim in enumerate(texts[start : start + _A_SESSION])
        ]
        kept = app.session_cache.say(session, turns)
        if app.embedder is not None:
            vectors = {turn.sequence: [_vector(app, chance)] for turn in kept}
            with app.store.writing(app.now()) as tx:
                tx.finding.said.vectors.put(app.embedder.model, vectors)


def _vector(app: Holdfast, chance: random.Random) -> Vector:
    if app.embedder is None:
        raise RuntimeError
    model = app.embedder.model
    numbers = [chance.gauss(0.0, 1.0) for _ in range(model.dimension)]
    return Vector(model=model, values=struct.pack(f"<{model.dimension}f", *numbers))


def cost(app: Holdfast, questions: list[str], *include: str) -> float:
    """Return the median CPU milliseconds of an answer."""
    spent = []
    for text in questions:
        began = time.process_time()
        app.answers.answer(Question(text=text, include=include))
        spent.append((time.process_time() - began) * 1_000)
    return median(spent)


def main() -> None:
    """Fill the store, ask, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="few turns, to see that it works")
    is_short = parser.parse_args().short
    memories, turns, rounds = (
        (_SHORT_MEMORIES, _SHORT_TURNS, _SHORT_ROUNDS) if is_short else (_MEMORIES, _TURNS, _ROUNDS)
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        app = open_holdfast(principal=A_PERSON, home=folder / "home", folder=folder)
        corpus = Corpus()
        texts = list(itertools.islice(corpus.memories(), memories + turns))
        remember(app, texts[:memories])
        questions = [corpus.stop_heavy_question(text) for text in texts[-rounds:]]
        cost(app, questions[:3], "memory", "sessions")
        before = cost(app, questions, "memory")
        say(app, texts[memories:])
        cost(app, questions[:3], "memory", "sessions")
        after = cost(app, questions, "memory")
        sessions = cost(app, questions, "sessions")
        both = cost(app, questions, "memory", "sessions")
        app.store.close()
    named = {
        f"memory, no turns kept ({memories:,} memories)": before,
        f"memory, {turns:,} turns kept": after,
        f"sessions, {turns:,} turns": sessions,
        f"memory and sessions, {turns:,} turns": both,
    }
    figures = [Figure(name=name, value=value, unit="ms CPU") for name, value in named.items()]
    sys.stdout.write(f"{table(figures)}\n")


if __name__ == "__main__":
    main()
