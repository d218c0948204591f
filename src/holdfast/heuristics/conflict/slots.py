"""Parse a clause into its label and its slots: a topic and the value that the clause gives it.

The word lists and limits were fitted with the rules of ``judging``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass
from holdfast.heuristics.conflict.measures import in_digits, only_one_is_a_moment
from holdfast.heuristics.conflict.options import are_two_options
from holdfast.heuristics.same_start import is_done, word_set
from holdfast.heuristics.words import (
    are_opposite,
    is_choice,
    looks_like_a_name,
    says_nothing,
    stem,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CHOSEN = "use"
_FORM = "form"
BEING = word_set("is are was were be been")
_CHOOSING = word_set("""
    use uses used using choose chose pick picked adopt adopted prefer decided settled standardise
    standardize standardised standardized switch switched move moved went go
""")
_AFTER_CHOOSING = word_set("on to with for the a an using")
_PURPOSE = word_set("for to as when in on")
_PLACING = word_set("""
    live lives go goes run runs sit sits reside resides belong belongs start starts begin begins
    end ends come comes flow flows work works point points rotate rotates listen listens happen
    happens write writes default defaults
""")
_DUTIES = (("on", "call", "for"), ("responsible", "for"), ("in", "charge", "of"), ("owner", "of"))
_OWNING = word_set("owns own maintains maintain leads lead")
_USING = frozenset({"use", "uses"})
_FOLLOWING = frozenset({"follow", "follows"})
_RETURNING = frozenset({"return", "returns", "returned"})
_CONSTANTS = {
    "none": "none", "null": "none", "nil": "none", "true": "true", "false": "false",
    "undefined": "undefined",
}  # fmt: skip
_CASES = word_set("after at before during for if in on once outside unless when where while")
_VERBS = _PLACING | _OWNING | _USING
_PLACES = word_set("in on at with by as to from through via into over using under behind onto")
MEANS = word_set("with using through via")
"""The words before that with which something is done."""
_WHERE = word_set("in into on at onto")
_WHEREABOUTS = word_set("in from over under behind")
_MANNERS = word_set("parallel batches order sequence general advance full")
_SPELLED = word_set("written named spelled called")
_RUN = stem("run")
_RETURN = stem("return")
ADDED_STEMS = frozenset({stem("own"), _RETURN})
"""The stems that the topic of a slot may contain although no word of the clause has them."""
_STORING = frozenset(map(stem, word_set("store keep put hold")))
_FILLERS = word_set("a an the now only always all currently still our then out straight just")
_ACTS = ("ing", "tion", "tions", "ment", "ance", "ence", "sis")
_MOST_VALUE_WORDS = 5
_LABEL = re.compile(r"^([^\W\d_][\w-]*(?: [\w-]+){0,3}):\s+(?=\S)")
_LONGEST_VALUE = 2
_FEWEST_WITH_OBJECT = 2
_LONGEST_MEASURE = 3
_PLURAL_OR_VERB = re.compile(r"[a-z]{2,}(?<![siu])s\Z")
_ORDERS = word_set("""
    add ask assert build bump cache call check clone close commit compile configure copy create
    debug declare define delete deploy describe do document emit encode escape explain export fetch
    find fix follow format hash import install keep lint load lock log measure merge mock mount
    name open pass pin print pull push read rebase reload rename restart return review rotate
    sanitize save send sign start sync tag test try update validate wait wrap write
""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """The topic of a clause, the relation of the value to it, and the value."""

    about: frozenset[str]
    how: str
    value: frozenset[str]
    phrase: str
    is_only: bool = False
    is_name: bool = False
    is_done: bool = False
    """Whether the value begins with a participle, so that it says what is done to the topic."""
    is_run: bool = False
    """Whether the clause is about running the topic."""
    is_stored: bool = False
    """Whether the clause is about writing or storing the topic."""
    is_returned: bool = False
    """Whether the value is a constant that a call returns; the topic includes the case."""


def slots_of(words: Sequence[str]) -> tuple[Slot, ...]:
    """Return the slots of a clause, one for each possible reading; some have an empty topic."""
    lows = [word.casefold() for word in words]
    return tuple(slot for slot in _read(words, lows) if slot is not None and slot.value)


def same_slot(ours: Slot, theirs: Slot) -> bool:
    """Tell whether two slots are the same and have values that exclude each other."""
    if ours.about != theirs.about or not _hang_alike(ours, theirs):
        return False
    if _are_of_two_actions(ours, theirs) or are_two_options(ours.phrase, theirs.phrase):
        return False
    mine, yours = ours.value - theirs.value, theirs.value - ours.value
    is_moment = only_one_is_a_moment(ours.phrase, theirs.phrase, follows_is=ours.how == "is")
    if not mine or not yours or is_moment:
        return False
    if any(are_opposite(one, other) for one in mine for other in yours):
        return True
    # "The queue is drained nightly" does not say what the queue is.
    if ours.is_done != theirs.is_done:
        return False
    return ours.how != "is" or theirs.how != "is" or ours.is_name or theirs.is_name


def are_of_two_cases(ours: Sequence[Slot], theirs: Sequence[Slot]) -> bool:
    """Tell whether both clauses say which constant a call returns, each in another case or call.

    ``f returns True on success`` and ``f returns False on failure`` are both true.
    """
    return any(
        one.is_returned and other.is_returned and one.about != other.about
        for one in ours
        for other in theirs
    )


def is_returned_constant(lows: Sequence[str], at: int) -> bool:
    """Tell whether a word is a constant that a call returns; its ``None`` negates nothing."""
    return bool(at) and lows[at] in _CONSTANTS and lows[at - 1] in _RETURNING


def _are_of_two_actions(ours: Slot, theirs: Slot) -> bool:
    """Tell whether one slot is about running a thing, and the other about writing or storing it.

    These verbs name no topic: ``Run the tests with tox`` and ``Tests are written as functions``
    have the same one.
    """
    return (ours.is_run and theirs.is_stored) or (ours.is_stored and theirs.is_run)


def _hang_alike(ours: Slot, theirs: Slot) -> bool:
    if ours.how == theirs.how:
        return True
    hows = {ours.how, theirs.how}
    if ours.is_only or theirs.is_only:
        return hows <= _WHEREABOUTS
    if hows <= {"is", "use", "as"} or hows <= {"use", "as", _FORM}:
        return True
    return any(hows <= {"is", "as", one} for one in ("in", _FORM)) and are_names(ours, theirs)


def are_names(ours: Slot, theirs: Slot) -> bool:
    """Tell whether the values of both slots are names."""
    return ours.is_name and theirs.is_name


def _read(words: Sequence[str], lows: Sequence[str]) -> Iterator[Slot | None]:
    if (constant := _constant(words, lows)) is not None:
        yield constant
        return
    being = next((at for at, low in enumerate(lows) if low in BEING and at), 0)
    choosing = next((at for at, low in enumerate(lows[:3]) if low in _CHOOSING), None)
    if choosing is not None and all(says_nothing(word) for word in words[:choosing]):
        yield _chosen(words, lows, choosing)
        return
    if being:
        yield from _said(words, lows, being)
        return
    if (followed := _followed(words, lows)) is not None:
        yield followed
        return
    verb = next((at for at, low in enumerate(lows) if at and low in _VERBS), 0)
    if verb and not all(says_nothing(word) for word in words[:verb]):
        yield _placed(words, lows, verb)
    elif len(lows) > _FEWEST_WITH_OBJECT and lows[-2] in _RETURNING:
        yield _returned(words)
    elif lows:
        skipped = 1 if lows[0] in {"we", "i"} else 0
        yield _ordered(words[skipped:], lows[skipped:])


def _chosen(words: Sequence[str], lows: Sequence[str], at: int) -> Slot | None:
    """Parse ``Use httpx for outgoing calls``."""
    start = at + 1
    while start < len(lows) and lows[start] in _AFTER_CHOOSING:
        start += 1
    end = next((n for n in range(start + 1, len(lows)) if lows[n] in _PURPOSE), len(lows))
    return _slot(words[end:], "use", words, start, end)


def _said(words: Sequence[str], lows: Sequence[str], at: int) -> Iterator[Slot | None]:
    """Parse a clause with ``is``: done with something, located somewhere, or equal to a value."""
    left, start = words[:at], at + 1
    if duty := _duty(lows, start):
        yield _slot(("own", *words[duty:]), "by", words, 0, at)
        return
    while start < len(lows) and lows[start] in _FILLERS:
        start += 1
    place = next((n for n in range(start, len(lows)) if lows[n] in _PLACES), None)
    if place is not None and (place == start or is_done(lows[start])):
        done = [word for word in words[start:place] if word.casefold() not in _SPELLED]
        # "Written in German" says how something is, and not where it is.
        is_form = len(done) < place - start
        how = _FORM if is_form else _how(lows[place])
        yield _slot((*left, *done), how, words, place + 1, len(words))
        return
    yield _slot(left, "is", words, start, len(words))
    if at + 1 < len(lows) and lows[at + 1] in {"our", "the"}:
        yield _slot(words[start:], "is", words, 0, at)


def _duty(lows: Sequence[str], start: int) -> int:
    """Return where the duty begins in a phrase such as ``is on call for search``, or 0."""
    for words in _DUTIES:
        if tuple(lows[start : start + len(words)]) == words:
            return start + len(words)
    return 0


def _placed(words: Sequence[str], lows: Sequence[str], at: int) -> Slot | None:
    """Parse ``Secrets live in Vault``, ``Team A owns billing`` and ``Pagination uses cursors``."""
    if lows[at] in _OWNING:
        return _slot(("own", *words[at + 1 :]), "by", words, 0, at)
    if lows[at] in _USING:
        is_one = lows[at - 1].endswith(_ACTS) or is_choice(stem(words[-1]))
        return _slot(words[:at], "use", words, at + 1, len(words)) if is_one else None
    place = next((n for n in range(at + 1, len(lows)) if lows[n] in _PLACES), None)
    if place is None:
        return _slot(words[: at + 1], "so", words, at + 1, len(words))
    return _slot(words[: at + 1], _how(lows[place]), words, place + 1, len(words))


def _followed(words: Sequence[str], lows: Sequence[str]) -> Slot | None:
    """Parse ``Docstrings follow the NumPy style``: of several styles with a name one is followed.

    The noun after the name belongs to the topic, so that ``PEP 257`` may be followed as well.
    """
    if _FOLLOWING.isdisjoint(lows):
        return None
    at = next(n for n, low in enumerate(lows) if low in _FOLLOWING)
    named = [n for n in range(at + 1, len(lows)) if lows[n] not in _FILLERS]
    if not at or len(named) != _FEWEST_WITH_OBJECT or lows[-1] in _PLACES:
        return None
    start, end = named
    slot = _slot((*words[: at + 1], words[end]), "so", words, start, end)
    return slot if slot is not None and slot.is_name else None


def _returned(words: Sequence[str]) -> Slot | None:
    """Parse ``The API returns XML``: one name without an article is the form of the whole result.

    ``The API returns a token`` and ``The search returns scores`` may each name a part of it.
    """
    last = words[-1]
    is_form = last.isalpha() and looks_like_a_name(last, is_first=False) and last[-1:] != "s"
    return _slot(words[:-1], "so", words, len(words) - 1, len(words)) if is_form else None


def _constant(words: Sequence[str], lows: Sequence[str]) -> Slot | None:
    """Parse ``parse() returns None on failure``: in one case a call returns one constant."""
    if _RETURNING.isdisjoint(lows):
        return None
    at = next((n for n, low in enumerate(lows) if n and low in _RETURNING), 0)
    value, case = (*lows[at + 1 :], "", "")[:2]
    if not at or value not in _CONSTANTS or (case and case not in _CASES):
        return None
    subject = frozenset([stem(word) for word in words[:at] if not says_nothing(word)])
    if not subject:
        return None
    rest = [stem(word) for word in words[at + 2 :] if not says_nothing(word)]
    return Slot(
        about=subject.union(rest, {_RETURN}),
        how="so",
        value=frozenset({_CONSTANTS[value]}),
        phrase=words[at + 1],
        is_name=True,
        is_returned=True,
    )


def _ordered(words: Sequence[str], lows: Sequence[str]) -> Slot | None:
    """Parse an imperative: ``Hash passwords with argon2id``."""
    places = [n for n in range(1, len(lows)) if lows[n] in _PLACES]
    place = next((n for n in places if lows[n] in MEANS), places[0] if places else 0)
    if not place:
        return None
    return _slot(words[:place], _how(lows[place]), words, place + 1, len(words))


def _how(place: str) -> str:
    if place in MEANS:
        return "use"
    return "in" if place in _WHERE else place


def _slot(
    about: Sequence[str], how: str, words: Sequence[str], start: int, end: int
) -> Slot | None:
    value = words[start:end]
    if not value or len(value) > _MOST_VALUE_WORDS or value[0].casefold() in _MANNERS:
        return None
    is_name = any(looks_like_a_name(word, is_first=start + n == 0) for n, word in enumerate(value))
    if not is_name and all(says_nothing(word) for word in value):
        return None
    verbs = frozenset(map(stem, about))
    return Slot(
        about=frozenset([stem(word) for word in about if not says_nothing(word)]),
        how=how,
        value=frozenset(
            map(stem, in_digits(word for word in value if word.casefold() not in _FILLERS))
        ),
        phrase=" ".join(value),
        is_only="only" in map(str.casefold, words),
        is_name=is_name,
        # One word alone may be a name: "The cache is memcached".
        is_done=how == "is" and len(value) > 1 and is_done(value[0]),
        is_run=_RUN in verbs,
        is_stored=how == _FORM or not verbs.isdisjoint(_STORING),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A clause without its label, and the topic that the label names.

    A label with a value is rewritten as a statement with ``is`` and then has no separate topic.
    """

    text: str
    topic: frozenset[str] = frozenset()


def labelled(text: str) -> Labelled:
    """Parse the label of a clause: ``Port: 8080`` becomes ``Port is 8080``, others name a topic."""
    match = _LABEL.match(text)
    if match is None:
        return Labelled(text=text)
    label, rest = match[1], text[match.end() :]
    if _is_value(rest.split()):
        return Labelled(text=f"{label} is {rest}")
    telling = frozenset(stem(word) for word in label.split() if not says_nothing(word))
    return Labelled(text=rest, topic=telling)


def _is_value(words: Sequence[str]) -> bool:
    """Tell whether the words after a label are a single value and not a sentence."""
    if _is_verb(words):
        return False
    if any(character.isdigit() for word in words for character in word):
        return len(words) <= _LONGEST_MEASURE
    return len(words) <= _LONGEST_VALUE and not any(says_nothing(word) for word in words)


def _is_verb(words: Sequence[str]) -> bool:
    """Tell whether the words start with a verb: an imperative, a participle, or ``works in``."""
    first = words[0].casefold()
    if first in _ORDERS or is_done(first):
        return True
    has_object = len(words) > 1 and not words[1][:1].isdigit()
    return has_object and _PLURAL_OR_VERB.match(first) is not None
