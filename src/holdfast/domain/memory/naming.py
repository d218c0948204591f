"""The names of memories, and the names that a text mentions; links by name use both.

The origin of each piece of evidence: the memory's own, unless the evidence records another.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType, Origin
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.memory import Memory, MemoryRecord


LONGEST_NAME = 100
_MOST_NAME_WORDS = 7
_MOST_MENTIONS = 300
_READ_FOR_NAMES = 4_096
_GOES_ON = ":;,({[="  # a statement or half a sentence, not a title
_ASIDE = re.compile(r"(?<!\s)\s*+\([^()]*+\)\s*+$")
_NOISE = re.compile(r"[^\w]+")
_IS_PLAIN = re.compile(r"[a-z0-9_]+(?: [a-z0-9_]+)*")
_WORD = re.compile(r"[^\W_][\w'’-]*", re.UNICODE)
_PATH = re.compile(
    r"(?<![\w.-])(?:[\w.-]++/){1,64}[\w.-]*\w|(?<!\w)\w[\w-]{0,100}\.[a-z]{1,4}\b(?!\.)"
)
_PATH_SIGN = re.compile(r"/|\.[a-z]")  # every path contains one, and this search is much faster
_MOST_PATHS = 12
_MOST_FOLDERS = 32
_FIRST_VERB = re.compile(
    r"([^.;:!?\n]{2,240}?)\s(is|are|was|were|has|have|had|will|can|must|should|may|does|became"
    r"|means|refers|uses|runs|needs|keeps|stores|holds|takes|gives|returns|belongs|depends"
    r"|requires)\s"
)
_PLURALS = ("are", "were", "have")
_AFTER_NAME = re.compile(r"\s*[,(]|\s+or\s")
_OPENS, _CLOSES = "\"'“‘«„`", "\"'”’»“`"
_ARTICLE = re.compile(r"(?:The|An?)\s+(?=\S)")
_NO_SUBJECTS = frozenset(
    ("i", "you", "he", "she", "it", "we", "they", "this", "that", "these", "those", "there")
    + ("here", "what", "who", "which", "when", "where", "how", "why", "all", "each", "every")
    + ("everyone", "everybody", "nobody", "none", "some", "both", "one", "people")
)
_KINDS_OF_TEXT = frozenset(
    ("note", "notes", "todo", "fixme", "decision", "decided", "rule", "rules", "warning", "caution")
    + ("important", "fact", "fix", "bug", "update", "summary", "question", "answer", "reason")
    + ("context", "example", "background", "goal", "result", "status", "user", "assistant")
    + ("agent", "person", "human", "me")
)


def plain_name(name: str) -> str:
    """Return a name in the form for comparison: its words in lower case, no punctuation."""
    if _IS_PLAIN.fullmatch(name):
        return name
    return " ".join(_NOISE.sub(" ", name.casefold()).split())


def names_of(memory: Memory) -> tuple[str, ...]:
    """Return the plain names of a memory: its key, and the title or the subject of its claim.

    Brackets at the end of a title only distinguish equal names. A path is also named by its file
    name alone.
    """
    names: dict[str, None] = {}
    title = title_of(memory.claim) or _label(memory) or subject_of(memory.claim)
    if not title and not memory.key:
        return ()
    file = title.rpartition("/")[2] if _PATH.fullmatch(title) else ""
    bare = _ARTICLE.sub("", title, count=1)
    for name in (memory.key or "", title, _ASIDE.sub("", title), file, bare):
        plain = plain_name(name)[:LONGEST_NAME]
        if len(plain) > len("xx") and not plain.isdigit():
            names.setdefault(plain)
    return tuple(names)


def is_titled(memory: Memory) -> bool:
    """Tell whether a memory has a name of its own: a key, a title, or a name before a colon.

    Without one it is named by the subject of its first sentence, which it need not be about.
    """
    return bool(memory.key or title_of(memory.claim) or _label(memory))


def title_of(claim: str) -> str:
    """Return the short first line of a longer claim, or an empty text."""
    first, newline, rest = claim.partition("\n")
    title = first.strip().lstrip("#").strip()
    if not newline or not rest.strip() or not 0 < len(title) <= LONGEST_NAME:
        return ""
    return "" if title[-1] in _GOES_ON else title


def _label(memory: Memory) -> str:
    """Return the label of a claim; in the turn of a conversation it only names the speaker."""
    is_said = any(item.type is EvidenceType.TURN for item in memory.evidence)
    return "" if is_said else label_of(memory.claim)


def label_of(claim: str) -> str:
    """Return the name before the colon that a claim starts with, or an empty text.

    "Demon Dice: a game of dice" is about Demon Dice. "Note: …" says only what kind of text it is.
    """
    label, colon, rest = claim[:LONGEST_NAME].partition(": ")
    words = label.split()
    if not colon or not rest.strip() or not 0 < len(words) <= _MOST_NAME_WORDS:
        return ""
    if plain_name(words[0]) in _NO_SUBJECTS or plain_name(label) in _KINDS_OF_TEXT:
        return ""
    return label if _starts_a_name(words[0]) else ""


def subject_of(claim: str) -> str:
    """Return the name that is the subject of the first sentence, or an empty text.

    It is a run of capitalised words, or words in quotation marks, before the first verb: "Demon
    Dice, first sold as Chaos Progenitus, is a game" is about Demon Dice.
    """
    verb = _FIRST_VERB.match(claim)
    if verb is None:
        return ""
    name = _AFTER_NAME.split(verb[1], maxsplit=1)[0].strip()
    if len(name) > len("“”") and name[0] in _OPENS and name[-1] in _CLOSES:
        return name[1:-1]
    words = name.split()
    if not 0 < len(words) <= _MOST_NAME_WORDS or plain_name(words[0]) in _NO_SUBJECTS:
        return ""
    if len(words) == 1 and verb[2] in _PLURALS:
        return ""  # "Tokens are …": a noun that only begins the sentence
    return name if _starts_a_name(words[0]) and _starts_a_name(words[-1]) else ""


def _starts_a_name(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit()


@lru_cache(maxsize=4_096)
def mentions_in(text: str) -> tuple[str, ...]:
    """Return every run of words that could be a name: with capitals or digits at both ends.

    Paths count too, whole and by their endings, because a traceback may name a file with another
    prefix. The runs are plain, distinct and in order. Each is only looked up, so surplus runs cost
    little.
    """
    read = text[:_READ_FOR_NAMES]
    found: dict[str, None] = dict.fromkeys(_paths_in(read))
    words = _WORD.findall(read)
    marked = [place for place, word in enumerate(words) if word[0].isupper() or word[0].isdigit()]
    for number, start in enumerate(marked):
        run, reached = "", start
        for end in marked[number : number + _MOST_NAME_WORDS]:
            if end >= start + _MOST_NAME_WORDS:
                break
            for word in words[reached : end + 1]:
                run = f"{run} {_plain_word(word)}" if run else _plain_word(word)
            reached = end + 1
            if len(run) > len("xx"):
                found.setdefault(run)
        if len(found) >= _MOST_MENTIONS:
            break
    return tuple(found)


def asked_names(question: str) -> tuple[str, ...]:
    """Return the names that a question may mention; one without capitals may mention any run.

    Without capitals a single word is no name: it may be any word.
    """
    if question != question.casefold():
        return mentions_in(question)
    return tuple(name for name in mentions_in(question.title()) if " " in name)


def _plain_word(word: str) -> str:
    return word.casefold() if word.isascii() and word.isalnum() else plain_name(word)


def _paths_in(text: str) -> list[str]:
    found: list[str] = []
    if not _PATH_SIGN.search(text):
        return found
    for path in list(dict.fromkeys(_PATH.findall(text)))[:_MOST_PATHS]:
        parts = path.split("/")[-_MOST_FOLDERS:]
        ends = ["/".join(parts[start:]) for start in range(len(parts))]
        found += [plain for end in ends if len(plain := plain_name(end)) > len("xx")]
    return found


_ORIGINS = {origin.value: origin for origin in Origin}
BY, SOURCE = "by", "source"
"""Facts of evidence: its origin and source, where they differ from the memory's."""


def evidence_origins(record: MemoryRecord) -> tuple[Origin, ...]:
    """Return the origin of each piece of a record's evidence, in order.

    Evidence that was added later without an origin was added by a person.
    """
    own = len(record.memory.evidence)
    return tuple(
        _noted(item) or (record.memory.origin if place < own else Origin.HUMAN)
        for place, item in enumerate(record.evidence)
    )


def signed(record: MemoryRecord) -> tuple[Evidence, ...]:
    """Return a record's evidence with its origin recorded, so that another memory can hold it.

    A person's evidence stays as it is.
    """
    return tuple(
        item if origin is Origin.HUMAN else sign(item, origin=origin, source=record.memory.source)
        for item, origin in zip(record.evidence, evidence_origins(record), strict=True)
    )


def sign(item: Evidence, *, origin: Origin, source: str) -> Evidence:
    """Record who gave evidence, so that answers show it and a revert of the source finds it."""
    said = {SOURCE: source} if source and SOURCE not in item.facts else {}
    return replace(item, facts={**item.facts, BY: origin.value, **said})


def unsigned(item: Evidence) -> Evidence:
    """Return evidence without a recorded origin, because callers must not set it themselves."""
    facts = {name: value for name, value in item.facts.items() if name not in {BY, SOURCE}}
    return replace(item, facts=facts)


def _noted(item: Evidence) -> Origin | None:
    return _ORIGINS.get(item.facts.get(BY, ""))
