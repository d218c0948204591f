"""Makes pairs as a store would compare them, from public texts: nearly all are compatible.

A store is a part of the documents of one repository, of the turns of one meeting or of one article.
Each text is paired with those that share its rare words, as Holdfast finds what a claim is compared
with. Some texts are changed by rules: a changed text contradicts its origin, but not what stands
beside it, so that neither the change nor the style tells the labels apart.
"""

from __future__ import annotations

import json
import re
import subprocess
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy

from training.claim_documents import OPPOSITES, amended, renumbered, replaced, reworded
from training.claims import AMENDS, COMPATIBLE, CONTRADICTS, ClaimPair, each

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from random import Random


DOCUMENTED = (
    "django/django", "pallets/flask", "pallets/click", "celery/celery", "encode/httpx",
    "psf/requests", "psf/black", "pypa/pip", "pytest-dev/pytest", "sphinx-doc/sphinx",
    "python/peps", "18F/handbook", "alphagov/gds-way", "alphagov/govuk-developer-docs",
)  # fmt: skip
LEFT_OUT = ("sqlalchemy/sqlalchemy", "aio-libs/aiohttp")
"""Repositories that are only asked about."""
STORE, BESIDE, MOST_STORES = 1_500, 3, 14
_NEAREST, _FARTHEST, _WIDTH = 0.97, 0.1, 4096
_PAGES = re.compile(
    r"^(?!.*(?:/locale|node_modules|/static/|test)).*(?:docs?/|changelog|CHANGES|news|README|HISTORY"
    r"|CONTRIBUTING|peps/|pages/|source/).*\.(?:rst|txt|md|erb)$"
)
_MARKUP = re.compile(r":\w+(?::\w+)*:|[`*~<>|]+|^\s*(?:[-*+]|\d+\.|#\.)\s+")
_TAGS = re.compile(r"\s*<[^>`]*>`_*|!?\[([^\]]*)\]\([^)]*\)")
_SENTENCE = re.compile(r"(?<=[a-z\d)])[.!]\s+(?=[A-Z])")
_ITEM = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.)\s)")
_NAME = re.compile(r"(?<![.!?:] )(?<!^)\b[A-Z][a-z]{2,}(?: [A-Z][a-z]+)*\b")
_LEADING = re.compile(r"((?:[A-Z][\w.'-]+)(?: [A-Z][\w.'-]+)*) (?=[a-z]+(?:s|ed)\b)")
_PLAIN = re.compile(r"^[A-Z\"'(][^{}\\=]+$")
_NO_SUBJECTS = frozenset(each("The It He She They In A An There This These His Her If When That"))
_WORDS = re.compile(r"[a-z\d]{2,}")
_FEWEST, _MOST = 5, 40


@dataclass(frozen=True, slots=True)
class Store:
    """Texts that one store would hold, in their order."""

    src: str
    texts: list[str]


def git_of(clones: Path, repository: str) -> list[str]:
    """Return the command that reads a repository under a folder of clones."""
    owner, name = repository.split("/")
    for folder in (clones / owner / name, clones / f"{owner}+{name}/repo/.git",
                   clones / f"{owner}+{name}/repo"):  # fmt: skip
        if folder.exists():
            break
    return ["git", "-C", str(folder)]


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a page in plain words; code and headings are left out."""
    for block in _ITEM.split(text):
        plain = " ".join(_MARKUP.sub("", _TAGS.sub(r"\1", block.strip())).split())
        for one in _SENTENCE.split(plain):
            said = one.strip().rstrip(".") + "."
            if _FEWEST <= len(said.split()) <= _MOST and _PLAIN.match(said):
                yield said


def documents(clones: Path, repository: str) -> Iterator[Store]:
    """Yield the stores of a repository's documents, changelogs and guides."""
    git = git_of(clones, repository)
    listed = subprocess.run([*git, "ls-tree", "-r", "--name-only", "HEAD"], check=True,
                            capture_output=True, text=True).stdout  # fmt: skip
    texts: dict[str, None] = {}
    for path in filter(_PAGES.search, listed.splitlines()):
        shown = subprocess.run([*git, "show", f"HEAD:{path}"], check=False, capture_output=True)
        texts.update(dict.fromkeys(sentences(shown.stdout.decode(errors="replace"))))
    kept = [*texts]
    yield from (Store("documents", kept[at : at + STORE]) for at in range(0, len(kept), STORE))


def _file(clones: Path, repository: str, path: str) -> str:
    shown = subprocess.run([*git_of(clones, repository), "show", f"HEAD:{path}"], check=True,
                           capture_output=True)  # fmt: skip
    return shown.stdout.decode(errors="replace")


def meetings(clones: Path, paths: Sequence[str]) -> Iterator[Store]:
    """Yield the sentences of meetings, one store for each."""
    for path in paths:
        for line in _file(clones, "Yale-LILY/QMSum", path).splitlines():
            turns = json.loads(line)["meeting_transcripts"]
            said = re.sub(
                r"\{\w+\}|\s+(?=[.,?!'])", "", "\n\n".join(one["content"] for one in turns)
            )
            yield Store("meetings", [*dict.fromkeys(sentences(said))])


def articles(clones: Path) -> Iterator[Store]:
    """Yield the sentences of articles of Wikipedia, one store for each."""
    for row in json.loads(_file(clones, "chrischute/squad", "data/dev-v2.0.json"))["data"]:
        page = "\n\n".join(part["context"] for part in row["paragraphs"])
        yield Store("articles", [*dict.fromkeys(sentences(page))])


def common(clones: Path) -> Iterator[Store]:
    """Yield true claims about things that everybody knows."""
    rows = map(
        json.loads, _file(clones, "yasumasaonoe/creak", "data/creak/train.json").splitlines()
    )
    true = sorted((row["entity"], row["sentence"]) for row in rows if row["label"] == "true")
    texts = [text for _, text in true]
    yield from (Store("common", texts[at : at + STORE]) for at in range(0, len(texts), STORE))


def talks(clones: Path, parts: Sequence[str]) -> Iterator[Store]:
    """Yield what one person said in dialogues about bookings, some of them in one store."""
    git = git_of(clones, "google-research-datasets/dstc8-schema-guided-dialogue")
    for part in parts:
        shown = subprocess.run([*git, "show", f"HEAD:{part}"], check=False, capture_output=True)
        if shown.returncode:
            continue
        rows = json.loads(shown.stdout)
        for at in range(0, len(rows), 8):
            said = [turn["utterance"] for row in rows[at : at + 8] for turn in row["turns"]
                    if turn["speaker"] == "USER"]  # fmt: skip
            texts = [one for one in dict.fromkeys(said) if len(one.split()) >= _FEWEST]
            yield Store("talks", texts)


def nearest(texts: Sequence[str], many: int = BESIDE) -> list[tuple[int, int]]:
    """Return pairs of texts that share rare words, the older one first."""
    words = [_WORDS.findall(text.lower()) for text in texts]
    held = numpy.zeros((len(texts), _WIDTH), "float32")
    for row, some in enumerate(words):
        for one in some:
            held[row, zlib.crc32(one.encode()) % _WIDTH] = 1
    held *= numpy.log(len(texts) / (1 + held.sum(0))).clip(0)
    held /= numpy.linalg.norm(held, axis=1, keepdims=True) + 1e-6
    like = held @ held.T
    numpy.fill_diagonal(like, 0)
    like[like > _NEAREST] = 0
    found: set[tuple[int, int]] = set()
    for row, place in enumerate(numpy.argsort(-like, axis=1)[:, :many]):
        found.update((min(row, int(one)), max(row, int(one))) for one in place
                     if like[row, one] > _FARTHEST)  # fmt: skip
    return sorted(found)


def _changed(text: str, names: Sequence[str], chance: Random) -> str | None:
    """Return the text with another number, name, opposite or denied; None if it has no place."""
    ways: list[Callable[[], str | None]] = [
        lambda: renumbered(text, chance),
        lambda: replaced(text, OPPOSITES, chance),
        lambda: _renamed(text, names, chance),
    ]
    chance.shuffle(ways)
    return next((found for way in ways if (found := way()) is not None), None)


def _renamed(text: str, names: Sequence[str], chance: Random) -> str | None:
    """Return the text with another name in its second half; one before it is mostly the subject."""
    spots = [spot for spot in _NAME.finditer(text) if spot.start() > len(text) // 2]
    if not spots or not names:
        return None
    spot, name = chance.choice(spots), chance.choice(names)
    return None if name == spot[0] else text[: spot.start()] + name + text[spot.end() :]


def _part(text: str, chance: Random) -> str:
    parts = text.split(", ")
    short = parts[0].rstrip(".") + "."
    return short if len(parts) > 1 and len(short.split()) > 5 and chance.random() < 0.5 else text


def _told(src: str, older: str, newer: str, label: str, chance: Random) -> ClaimPair:
    """Return a pair; a newer text may be reworded or framed as a change, whatever its label."""
    if chance.random() < 0.4:
        newer = reworded(newer, chance) or newer
    if chance.random() < 0.2:
        newer = amended(newer, chance)
        label = AMENDS if label == CONTRADICTS else label
    return ClaimPair(src, older, newer, label)


def _neighbours(texts: list[str], changed: dict[int, str], chance: Random) -> Iterator[ClaimPair]:
    for one, other in nearest(texts):
        ends = [texts[one], texts[other]]
        for place, row in enumerate((one, other)):
            if row in changed and chance.random() < 0.3:
                ends[place] = changed[row]
        if chance.random() < 0.9:
            yield ClaimPair("stores", ends[0], ends[1], COMPATIBLE)
        else:
            yield _told("stores", ends[0], ends[1], COMPATIBLE, chance)


def _edits(texts: list[str], changed: dict[int, str], chance: Random) -> Iterator[ClaimPair]:
    leads = {row: found[1] for row, text in enumerate(texts)
             if (found := _LEADING.match(text)) and found[1] not in _NO_SUBJECTS}  # fmt: skip
    for row, text in enumerate(texts):
        if row in changed:
            yield _told("edits", text, changed[row], CONTRADICTS, chance)
        if chance.random() < 0.4:
            same = _part(text, chance)
            same = (reworded(same, chance) or same) if same == text else same
            if same != text:
                yield _told("edits", text, same, COMPATIBLE, chance)
        if row in leads and chance.random() < 0.6:
            other = chance.choice([*leads.values()])
            if other != leads[row]:
                newer = other + text[len(leads[row]) :]
                yield _told("edits", text, newer, COMPATIBLE, chance)


def stored(store: Store, chance: Random) -> Iterator[ClaimPair]:
    """Yield the pairs of a store: neighbours, changed texts beside both, and other subjects."""
    texts = store.texts
    names = [name for text in texts for name in _NAME.findall(text)]
    changed = {row: made for row, text in enumerate(texts) if chance.random() < 0.5
               and (made := _changed(_part(text, chance), names, chance)) is not None}  # fmt: skip
    yield from _neighbours(texts, changed, chance)
    yield from _edits(texts, changed, chance)


def public_stores(clones: Path, chance: Random) -> Iterator[Store]:
    """Yield every store that is trained on; a large repository gives some of its stores."""
    for repository in DOCUMENTED:
        found = [*documents(clones, repository)]
        yield from chance.sample(found, min(MOST_STORES, len(found)))
    yield from meetings(clones, ("data/Academic/jsonl/train.jsonl",
                                 "data/Committee/jsonl/train.jsonl"))  # fmt: skip
    yield from articles(clones)
    yield from common(clones)
    yield from talks(clones, [f"train/dialogues_{number:03}.json" for number in range(1, 25)])
