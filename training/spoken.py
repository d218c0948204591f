"""Questions made by rules about one sentence that somebody said, in the third or first person."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_PAST = dict(
    pair.split("=")
    for pair in _set(
        "went=go got=get bought=buy made=make saw=see took=take had=have found=find met=meet"
        " read=read told=tell said=say gave=give came=come left=leave lost=lose felt=feel"
        " kept=keep thought=think wrote=write won=win ran=run ate=eat drove=drive began=begin"
        " brought=bring built=build caught=catch chose=choose did=do fell=fall flew=fly"
        " forgot=forget grew=grow heard=hear held=hold hurt=hurt knew=know led=lead paid=pay"
        " put=put sold=sell sent=send sang=sing slept=sleep spoke=speak spent=spend taught=teach"
        " threw=throw wore=wear broke=break drew=draw hit=hit let=let set=set quit=quit"
        " stole=steal"
    )
)
_AUXILIARY = _set(
    "was were is are am be been being would could should can will might may must do does"
)
_NOW = _set(
    "love like want need enjoy hate prefer hope plan wish think live work know play use have feel"
)
_ENDS_IN_E = ("at", "iz", "id", "ur", "ir", "ak", "ok", "ik", "op", "us", "as", "ar", "in")
_NO_E = ("ain", "ear", "our", "iss", "ass", "ook", "eak", "eek")
_THIRD = (
    (r"\bI'm\b", "they are"),
    (r"\bI've\b", "they have"),
    (r"\bI'll\b", "they will"),
    (r"\bI'd\b", "they would"),
    (r"\bI\b", "they"),
    (r"\b[Mm]y\b", "their"),
    (r"\bmyself\b", "themselves"),
    (r"\bme\b", "them"),
    (r"\bour\b", "their"),
    (r"\bus\b", "them"),
)
_OFTEN = r"(?:just |really |finally |also |actually |recently |already |even )?"
_DID = re.compile(rf"\b(?:I|we) {_OFTEN}([a-z]+)\b ?(.*)")
_IS_DOING = re.compile(
    r"\b(?:I'm|I am|we're|we are) (?:just |really |also |still )?([a-z]+ing)\b ?(.*)"
)
_HAS = re.compile(
    r"\b(?:I've|I have|we've|we have) (?:just |really |also |always |been )?([a-z]+)\b ?(.*)"
)
_OWN = re.compile(r"\b[Mm]y ([a-z]+(?: [a-z]+)?) (is|was|are|were|'s) (.+)")
_CLAUSE = re.compile(r"(?<=[.!?;])\s+|, (?:and|but|so) ")
_LEAST, _MOST, _LEAST_QUESTION, _PER_TURN = 3, 26, 4, 2


@dataclass(frozen=True)
class Speaker:
    """Who said it, as a question names them: by name, or as I."""

    name: str
    is_me: bool = False

    def words(self, own: str, other: str) -> str:
        """Return the word for the first person, or the one for somebody else."""
        return own if self.is_me else other

    def told(self, text: str) -> str:
        """Return what they said, as somebody else says it."""
        if self.is_me:
            return text
        for pattern, becomes in _THIRD:
            text = re.sub(pattern, becomes, text)
        return text


def asked_about(speaker: Speaker, turn: str, chance: Random) -> list[str]:
    """Return at most two questions about a turn."""
    found: list[str] = []
    for said in _CLAUSE.split(turn):
        clause = said.strip().rstrip(".!;,")
        if not clause.endswith("?") and _LEAST <= len(clause.split()) <= _MOST:
            found += _questions(speaker, clause, chance)
    tidy = [re.sub(r"\s+", " ", one.replace(" ?", "?")).strip() for one in found]
    tidy = [one for one in tidy if len(one.split()) >= _LEAST_QUESTION]
    chance.shuffle(tidy)
    return list(dict.fromkeys(tidy))[:_PER_TURN]


def _questions(speaker: Speaker, clause: str, chance: Random) -> Iterator[str]:
    who = speaker.words("I", speaker.name)
    own = speaker.words("my", f"{speaker.name}'s")
    for verb, rest in _DID.findall(clause):
        yield from _about_deed(speaker, who, verb, speaker.told(rest).split(), chance)
    for verb, rest in _IS_DOING.findall(clause):
        part, form = _first(speaker.told(rest).split(), 6, chance), speaker.words("am", "is")
        yield from (f"{word} {form} {who} {verb} {part}?" for word in ("When", "Why"))
        yield from (f"What {form} {who} {verb}?", f"What are {own} plans for {part}?")
    for verb, rest in _HAS.findall(clause):
        part, form = _first(speaker.told(rest).split(), 7, chance), speaker.words("have", "has")
        yield from (f"How long {form} {who} {verb} {part}?", f"What {form} {who} {verb}?")
    for thing, linking, _ in _OWN.findall(clause):
        form = "is" if linking == "'s" else linking
        yield from (f"{word} {form} {own} {thing}?" for word in ("What", "Who"))
        yield from (f"What happened to {own} {thing}?", f"What did {who} say about {own} {thing}?")


def _about_deed(
    speaker: Speaker, who: str, verb: str, rest: list[str], chance: Random
) -> Iterator[str]:
    if verb in _AUXILIARY:
        return
    part, plain = _first(rest, 8, chance), _base(verb)
    if plain is not None:
        yield from (f"{word} did {who} {plain} {part}?" for word in ("When", "Why", "Where"))
        yield from (f"Did {who} {plain} {part}?", f"What did {who} {plain}?")
        yield f"How did {who} feel about {part}?"
    elif verb in _NOW:
        form = speaker.words("do", "does")
        yield from (f"What {form} {who} {verb}?", f"Why {form} {who} {verb} {part}?")
        yield f"Who {verb}s {part}?" if not speaker.is_me else f"Do I {verb} {part}?"


def _first(words: list[str], most: int, chance: Random) -> str:
    return " ".join(words[: chance.randint(1, max(1, min(most, len(words))))])


def _base(verb: str) -> str | None:
    """Return the plain form of a verb in the past; None for another form."""
    if verb in _PAST:
        return _PAST[verb]
    if verb.endswith("ied"):
        return f"{verb[:-3]}y"
    stem = verb.removesuffix("ed")
    if stem == verb or len(stem) < _LEAST:
        return None
    if len(stem) > _LEAST and stem[-1] == stem[-2] and stem[-1] not in "sl":
        return stem[:-1]
    loses_e = stem.endswith(_ENDS_IN_E) and not stem.endswith(_NO_E)
    return f"{stem}e" if loses_e or stem[-1] in "vzcgu" else stem
