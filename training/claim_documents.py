"""Makes pairs of claims from sentences of documentation: changed by rules, shortened, or beside."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

from training.claim_words import AMENDED
from training.claims import AMENDS, COMPATIBLE, CONTRADICTS, ClaimPair

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from random import Random

REPOSITORIES = ("django/django", "pallets/flask", "celery/celery", "encode/httpx")
_PAGES = re.compile(r"docs?/.*\.(?:rst|txt|md)$|CONTRIBUTING\.\w+$")
_MARKUP = re.compile(r":\w+(?::\w+)*:|[`*~<>|]+")
_TAGS = re.compile(r"\s*<[^>`]*>`_*|\[([^\]]*)\]\([^)]*\)")
_SENTENCE = re.compile(r"(?<=[a-z\d)])\.\s+(?=[A-Z])")
_FEWEST, _MOST, _TAKEN = 6, 32, 9_000
OPPOSITES = (
    ("must not", "must"), ("must", "must not"), ("should not", "should"), ("should", "should not"),
    ("cannot", "can"), ("can", "cannot"), ("always", "never"), ("never", "always"),
    ("is not", "is"), ("is", "is not"), ("are not", "are"), ("are", "are not"),
    ("does not", "does"), ("doesn't", "does"), ("will not", "will"), ("will", "will not"),
    ("enabled", "disabled"), ("disabled", "enabled"), ("enable", "disable"),
    ("before", "after"), ("after", "before"), ("True", "False"), ("False", "True"),
    ("required", "optional"), ("optional", "required"), ("allowed", "forbidden"),
    ("increase", "decrease"), ("more", "less"), ("older", "newer"), ("first", "last"),
    ("all", "none of the"), ("minimum", "maximum"), ("without", "with"), ("with", "without"),
    ("use", "avoid"), ("Use", "Avoid"), ("supports", "does not support"), ("only", "not only"),
    ("public", "private"), ("include", "exclude"), ("safe", "unsafe"),
    ("deprecated", "recommended"),
)  # fmt: skip
_SYNONYMS = (
    ("use", "employ"), ("must", "has to"), ("should", "ought to"), ("create", "make"),
    ("need", "require"), ("allows", "permits"), ("because", "since"), ("often", "frequently"),
    ("such as", "for example"), ("called", "named"), ("returns", "gives back"), ("begin", "start"),
    ("you", "one"), ("default", "standard"), ("remove", "delete"), ("change", "alter"),
    ("can", "is able to"), ("works", "functions"), ("also", "in addition"), ("if", "in case"),
)  # fmt: skip
_NUMBER = re.compile(r"(?<![\w.])\d{1,5}(?:\.\d+)?(?![\w])")


def sections(clones: Path, repository: str) -> Iterator[list[str]]:
    """Yield the sentences of each paragraph of a repository's documentation."""
    owner, name = repository.split("/")
    for folder in (clones / owner / name, clones / f"{owner}+{name}/repo/.git",
                   clones / f"{owner}+{name}/repo"):  # fmt: skip
        if folder.exists():
            break
    git = ["git", "-C", str(folder)]
    listed = subprocess.run([*git, "ls-tree", "-r", "--name-only", "HEAD"], check=True,
                            capture_output=True, text=True).stdout  # fmt: skip
    for path in filter(_PAGES.search, listed.splitlines()):
        text = subprocess.run([*git, "show", f"HEAD:{path}"], check=True,
                              capture_output=True).stdout.decode(errors="replace")  # fmt: skip
        for block in re.split(r"\n\s*\n", text):
            if block[:1].isalpha():
                plain = " ".join(_MARKUP.sub("", _TAGS.sub(r"\1", block)).split())
                found = [one.rstrip(".") + "." for one in _SENTENCE.split(plain)]
                kept = [one for one in found if _FEWEST <= len(one.split()) <= _MOST]
                if kept:
                    yield kept


def replaced(text: str, changes: tuple[tuple[str, str], ...], chance: Random) -> str | None:
    """Return the text with one of its words exchanged; None if it has none of them."""
    found = [
        (spot, new) for old, new in changes for spot in re.finditer(rf"\b{re.escape(old)}\b", text)
    ]
    if not found:
        return None
    spot, new = chance.choice(found)
    return text[: spot.start()] + new + text[spot.end() :]


def renumbered(text: str, chance: Random) -> str | None:
    """Return the text with another number; None if it has no number."""
    found = [*_NUMBER.finditer(text)]
    if not found:
        return None
    spot = chance.choice(found)
    whole, _, rest = spot[0].partition(".")
    new = str(max(0, int(whole) + chance.choice([-20, -3, -1, 1, 2, 4, 10, 50])))
    new = f"{new}.{rest}" if rest else new
    return None if new == spot[0] else text[: spot.start()] + new + text[spot.end() :]


def reworded(text: str, chance: Random) -> str | None:
    """Return the text with one or two synonyms; None if it has no place for one."""
    changed = replaced(text, _SYNONYMS, chance)
    if changed is not None and chance.random() < 0.6:
        return replaced(changed, _SYNONYMS, chance) or changed
    return changed


def amended(text: str, chance: Random) -> str:
    """Return the text as somebody says it who changes a rule."""
    shapes = [one for one in AMENDED if "{o}" not in one]
    said = chance.choice(shapes).format(s=text[:1].lower() + text[1:])
    return said[:1].upper() + said[1:]


def documented(clones: Path, chance: Random) -> Iterator[ClaimPair]:
    """Yield pairs from the documentation of projects; each sentence is used a few times."""
    blocks = [one for name in REPOSITORIES for one in sections(clones, name)]
    for block in chance.sample(blocks, min(_TAKEN, len(blocks))):
        text = chance.choice(block)
        other = renumbered(text, chance) or replaced(text, OPPOSITES, chance)
        if other is not None:
            if chance.random() < 0.5:
                other = reworded(other, chance) or other
            if chance.random() < 0.4:
                yield ClaimPair("documents", text, amended(other, chance), AMENDS)
            else:
                ends = (text, other) if chance.random() < 0.5 else (other, text)
                yield ClaimPair("documents", *ends, CONTRADICTS)
        same = reworded(text, chance)
        if same is not None:
            newer = amended(same, chance) if chance.random() < 0.3 else same
            yield ClaimPair("documents", text, newer, COMPATIBLE)
        beside = [one for one in block if one != text]
        if beside:
            newer = chance.choice(beside)
            newer = amended(newer, chance) if chance.random() < 0.3 else newer
            yield ClaimPair("documents", text, newer, COMPATIBLE)
