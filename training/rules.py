"""Questions made by rules: from a turn of a conversation, a docstring or a heading."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_STOP = _set(
    "the a an of to in on at for with and or is are was were be been it that this i you he she"
    " they we what who when where why how did do does about group say said discuss summarize"
    " whole meeting think"
)
_FILLERS = _set(
    "yeah ok okay oh well um uh hey hi so like just really actually please thanks yes no and but"
    " i the a"
)
_FORMS = (
    "When did {name} say that {clause}?",
    "What did {name} say about {words}?",
    "{name} {words}",
    "Did {name} mention {words}?",
    "{clause}",
    "When was it that {clause}?",
    "What does {name} think about {words}?",
    "Who said that {clause}?",
    "Why did {name} bring up {words}?",
)
_FIRST_PERSON = (
    (r"\bI'm\b|\bi'm\b", "{name} is"),
    (r"\bI've\b", "{name} has"),
    (r"\bI'll\b", "{name} will"),
    (r"\bI am\b", "{name} is"),
    (r"\bI\b", "{name}"),
    (r"\b(my|My)\b", "{own}"),
    (r"\b(me|Me)\b", "{name}"),
    (r"\b(we|We)\b", "they"),
)
_VERBS = re.compile(
    r"^(returns?|gets?|computes?|creates?|makes?|checks?|converts?|reads?|writes?)\b"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_LEAST_WORDS, _LEAST_CLAUSE, _LONGEST_CLAUSE, _SHORT_WORD = 5, 4, 9, 3


def content_words(text: str) -> set[str]:
    """Return the words of a text that say something."""
    return {word for word in re.findall(r"[a-z]+", text.lower())
            if word not in _STOP and len(word) > 2}  # fmt: skip


def plain(text: str) -> str:
    """Return a text that was split into tokens, joined again."""
    text = text.replace("-LRB-", "(").replace("-RRB-", ")").replace("``", '"').replace("''", '"')
    text = re.sub(r" (n't|'s|'re|'ve|'ll|'d|'m)\b", r"\1", text)
    text = re.sub(r" ([.,!?;:)])", r"\1", text)
    return text.replace("( ", "(").replace("gon na", "gonna").replace("wan na", "wanna")


def about_turn(name: str, text: str, chance: Random) -> str | None:
    """Return a question in the third person about a turn; None if the turn says too little."""
    parts = [part for part in _SENTENCE.split(text) if not part.strip().endswith("?")]
    sentences = [part for part in parts if len(part.split()) >= _LEAST_WORDS]
    if not sentences:
        return None
    sentence = _third_person(name, chance.choice(sentences), chance).rstrip(".!,")
    said = [word for word in sentence.split() if word.lower().strip(",.") not in _FILLERS]
    if len(said) < _LEAST_CLAUSE:
        return None
    start = chance.randint(0, max(0, len(said) - _LONGEST_CLAUSE))
    clause = " ".join(said[start : start + chance.randint(_LEAST_CLAUSE, _LONGEST_CLAUSE)])
    telling = [word.strip(",.") for word in said
               if word.lower().strip(",.") not in _STOP and word != name
               and len(word) > _SHORT_WORD]  # fmt: skip
    if len(telling) < 2:
        return None
    words = " ".join(chance.sample(telling, min(len(telling), chance.randint(2, 4))))
    return chance.choice(_FORMS).format(name=name, clause=clause, words=words)


def about_function(summary: str, chance: Random) -> str:
    """Return the first sentence of a docstring as somebody would type it into a search."""
    form = chance.random()
    low = _VERBS.sub(lambda found: found.group(1).rstrip("s"), summary[0].lower() + summary[1:])
    for limit, prefix in ((0.25, None), (0.45, "how to "), (0.6, "python "),
                          (0.75, "python how to ")):  # fmt: skip
        if form < limit:
            return summary if prefix is None else prefix + low
    return " ".join(word for word in re.findall(r"[\w']+", low) if word not in {"the", "a", "an"})


def about_section(heading: str, chance: Random) -> str:
    """Return a heading, or a question with it."""
    if chance.random() < 0.6:
        return heading
    return f"how does {heading[0].lower()}{heading[1:]} work"


def _third_person(name: str, text: str, chance: Random) -> str:
    own = chance.choice(["their", f"{name}'s"])
    for pattern, form in _FIRST_PERSON:
        text = re.sub(pattern, form.format(name=name, own=own).replace("\\", r"\\"), text)
    return text
