"""Secrets that the text itself names: `password is …`, `*_TOKEN=…`, `api_key: …`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from holdfast.domain.gates.decoding import decoded_text
from holdfast.domain.gates.likeness import (
    has_shape,
    is_digest,
    is_expression,
    is_named_thing,
    is_stand_in,
    is_technical,
    looks_chosen,
    looks_random,
)
from holdfast.domain.gates.opaque import (
    has_inner_capital,
    is_description,
    is_literal,
    is_name_of_a_secret,
    is_opaque,
)
from holdfast.domain.gates.secret_names import PASSWORDS, places_of_names
from holdfast.domain.gates.secret_sentences import words_of_messages
from holdfast.domain.values import dataclass

_SHORTEST_NUMBER = 6
_SHORTEST_HEX = 16
_SHORTEST_PIN, _LONGEST_PIN = 4, 8
_LONGEST_FLAG = 40
_QUOTES = frozenset("\"'`*")
_ASSIGNMENTS = frozenset({"=", ":=", "=>"})
_WORDS_BEFORE = (",", ";", "/", "(", "with", "using", "with the", "using the", "and")

_VERBS = (
    r"is|was|are|ist|war|lautet|heißt|est|es|era|é|è|jest|luidt|är|er|je|este|on|adalah|là|hiya"
    r"|είναι|هي|هو|היא|הוא|है|คือ|equals|becomes?|from|"
    r"(?:to|on)(?=[ \t][\"'])|"
    r"(?:is |was |has been )?(?:re)?(?:set|changed|updated|rotated|switched) to"
)
_OF_WHAT = (
    r"(?:[ \t](?:for|of|on|to|in|at|between|behind|für|von|du|de|des|del|della|do|da|van|för|til"
    r"|voor|para|pour|per|от|для|к|на|od|pentru|untuk)"
    r"(?:[ \t][^\s:：=,;()\"]{1,24}){1,4}?|[ \t]?\([^()\n]{1,40}\))?"
)
_PATTERNS = {
    "link": (
        r"(?P<comma>[\"'][ \t]{0,4},[ \t]{0,4}(?=[\"']))"
        rf"|[\\\"'`\])*]{{0,4}}{_OF_WHAT}[ \t]{{0,40}}(?:"
        r"(?P<equals>(?::[ \t]?[a-z_.|\[\] &<>'?*]{1,30})?(?:[:?]=|=>|={1,3}|<-|->|→|⇒)"
        r"|>(?=[^\s&]))"
        r"|(?P<colon>[:：]))[*]{0,2}[ \t]{0,8}(?:[\"']?(?:bearer|token|basic|apikey|key)[ \t])?"
        rf"|(?P<verb>{_OF_WHAT}[ \t](?:{_VERBS}|[-–—])"
        r"(?:[ \t](?:now|still|currently|just|always|simply))?:?[ \t]"
        r"|は[ 、]?|是[ :]?|(?:는|은|가|이)[ ])"
        r"|(?P<space>[ \t](?=\S))"
    ),
    "value": (
        r"[rbufn@]?(?P<quote>\\?[\"'`]|\*\*)(?P<quoted>[^\s\"'`]{4,200}?)(?P=quote)"
        r"|\*(?P<stressed>[^\s\"'`*]{4,200}+)\*(?![^\s.,;:)])"
        r"|(?P<bare>[^\s\"'`]{4,200}+)"
    ),
    # The value alone on the line below `The password is:`, perhaps in a code fence.
    "below": (
        r"[*`\"']{0,3}(?:[ \t](?:is|was|are|below|follows))?(?:[:：]"
        r"|[ \t]?=[ \t]?\\)?[ \t]{0,8}(?:[|>][-+]?)?"
        r"(?:\r?\n[ \t>]{0,12}){1,2}(?:```\w{0,12}\n[ \t]{0,8})?"
        r"(?P<bare>[^\s\"'`]{6,200}+)(?P<alone>[ \t]{0,8}(?:\r?\n|$))?"
    ),
    "chosen": r"[a-z]{2,30}[^\s=*]{0,60}\d[^\s=]{0,20}",
    "end": r"[,;<]|\\[nr\"]|&[\w.-]+="
    r"|(?<=[!-~])[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]",
    "after an option": r"[\"'`]?(?:[ \t]{0,4}$|[.,;)]|[ \t]{1,4}(?:[-|&>#]|\S*[:/@=.]\S))",
    "other options": r"(?:^|[ \t])--?\w[\w-]*[ \t=]",
    "setting up": r"(?:^|[ \t])(?:set|put|config|create|add|update|insert|write)[ \t]",
    # What may follow a quoted value; before any other word the quoted word is an adjective.
    "after a quote": r"[\"'`*]{1,3}(?:$|[^\w \t]|[ \t]+(?:[^\w\s]|\d|(?:for|on|and|but|or|in|at|to"
    r"|since|until|now"
    r"|as|with|because|so|by|if|when|while|which|everywhere|today|again|please|from|of|is|was)\b)"
    r"|[ \t]*(?:\n|$))",
    "joined words": r"[A-Za-z]{3,12}(?:[-_.+][A-Za-z0-9]{1,12}){2,7}",
    "before a setting": r"[ \t]*(?:[-*>+][ \t]+)?(?:export[ \t]+|set[ \t]+)?[\w.$-]*",
}
_OWNERS_OF_OTHER_TOKENS = (
    "idempotency", "request", "csrf", "page", "next", "continuation", "cursor", "cancel", "sync",
    "trace", "correlation", "device", "push",
)  # fmt: skip
_TESTS_OF_OTHERS = (is_stand_in, is_expression, is_name_of_a_secret, is_technical)
_ENDS_OF_ADJECTIVES = (
    "ed",
    "ing",
    "able",
    "ible",
    "like",
    "only",
    "wide",
    "free",
    "safe",
    "date",
    "time",
    "ive",
    "al",
)
_SETTERS = ("env", "arg", "setx")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """The name of a secret, the link to its value, and how the value is written."""

    stem: str
    text: str
    start: int
    link: re.Match[str]
    how: str
    is_flag: bool
    span: tuple[int, int]

    @property
    def value(self) -> str:
        return self.text[slice(*self.span)]

    @property
    def is_assigned(self) -> bool:
        return bool(self.link["equals"] or self.link["colon"])

    @property
    def line_before(self) -> str:
        return self.text[self.text.rfind("\n", 0, self.start) + 1 : self.start]


@cache
def _compiled(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name], re.ASCII)


def named_spans(text: str, lowered: str, stems: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Find the values that the text calls a password, a token, a secret or a key."""
    for stem in stems:
        rule = "password" if stem in PASSWORDS else "secret"
        for start, end in places_of_names(stem, lowered):
            span = _span_of_value(text, lowered, start=start, end=end, stem=stem)
            if span is None:
                span = _span_below(text, lowered, end=end, stem=stem)
            if span is not None:
                yield rule, *span


def _span_of_value(
    text: str, lowered: str, *, start: int, end: int, stem: str
) -> tuple[int, int] | None:
    link = _compiled("link").match(lowered, end)
    if link is None:
        return None
    # `pass` is a verb too: "pass `strict=True`" contains no secret.
    is_shown = stem != "pass" and lowered[link.end() : link.end() + 1] in _QUOTES
    is_flag = link["space"] is not None and _is_flag(lowered, start)
    value = _compiled("value").match(lowered, link.end())
    is_told = is_shown or is_flag or _is_told(lowered, start) or _ends_line(text, value)
    if link["space"] and (not is_told or _is_variable(lowered, start)):
        return None
    # A name inside the value has a value of its own, which is checked separately.
    if value is None or f"{stem}=" in value[0]:
        return None
    how = next(name for name in ("quoted", "stressed", "bare") if value[name])
    span = _trimmed(text, *value.span(how))
    said = _Said(stem=stem, text=text, start=start, link=link, how=how, is_flag=is_flag, span=span)
    return span if _is_given_away(said) else None


def _span_below(text: str, lowered: str, *, end: int, stem: str) -> tuple[int, int] | None:
    match = _compiled("below").match(lowered, end)
    if match is None or stem == "pin":
        return None
    span = _trimmed(text, *match.span("bare"))
    value = text[slice(*span)]
    if is_stand_in(value) or is_expression(value) or is_named_thing(value):
        return None
    is_chosen = stem in PASSWORDS and match["alone"] is not None and looks_chosen(value)
    return span if is_chosen or looks_random(value) else None


def _is_flag(lowered: str, start: int) -> bool:
    words = lowered[max(0, start - _LONGEST_FLAG) : start].rsplit(maxsplit=2)
    if not words or lowered[start - 1 : start].isspace():
        return False
    return (words[-1].startswith("-") and "=" not in words[-1]) or (
        len(words) > 1 and words[-2].endswith(_SETTERS)
    )


def _is_variable(lowered: str, start: int) -> bool:
    """Tell whether a name is a variable: what follows `-a $REDIS_PASSWORD` is another argument."""
    words = lowered[max(0, start - _LONGEST_FLAG) : start].rsplit(maxsplit=1)
    return "$" in (words[-1:] or [""])[0] and not lowered[start - 1 : start].isspace()


def _is_told(lowered: str, start: int) -> bool:
    """Tell `ssh bob@db, password …` and `with password …` from a sentence about passwords."""
    before = lowered[max(0, start - _LONGEST_FLAG) : start]
    if before.endswith((".", "_")):  # the name of a setting, as in `connection.password …`
        return True
    if _compiled("setting up").search(before.rpartition("\n")[2]):
        return True
    return before[-1:].isspace() and before.rstrip().endswith(_WORDS_BEFORE)


def _ends_line(text: str, value: re.Match[str] | None) -> bool:
    """Tell `vnc password …` at the end of a line from a sentence that continues."""
    if value is None or _compiled("chosen").fullmatch(value[0]) is None:
        return False
    return not text[value.end() :].partition("\n")[0].strip()


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Remove the parts that belong to the sentence or the line of code and not to the value."""
    stop = _compiled("end").search(text, start + 1, end)
    value = text[start : stop.start() if stop else end]
    return start, start + len(value.rstrip(".,:)]}>*|"))


def _is_given_away(said: _Said) -> bool:
    value = decoded_text(said.value) or said.value
    if said.stem == "pin":
        return value.isdigit() and _SHORTEST_PIN <= len(value) <= _LONGEST_PIN
    is_said = said.how == "quoted" or said.link["verb"] is not None
    is_choice = (is_said or said.is_flag) and _is_dotted_choice(value, said.stem)
    if not is_choice and any(is_other(value) for is_other in _TESTS_OF_OTHERS):
        return False
    if looks_random(value) or is_digest(value):
        return True
    if said.is_assigned and len(value) >= _SHORTEST_HEX and has_shape(value, "digest"):
        return not value.isdigit()
    if said.stem in PASSWORDS:
        return not is_description(value.lower()) and (
            _is_password(value, link=said.link) or _is_word_given_away(value, said)
        )
    is_called_so = said.link["comma"] is None
    return is_called_so and _is_token(value, said)


def _is_dotted_choice(value: str, stem: str) -> bool:
    """Tell a password such as "Regen.bogen77" from a name such as "settings.password"."""
    return (
        stem in PASSWORDS
        and value.count(".") == 1
        and "_" not in value
        and value[-1].isdigit()
        and looks_chosen(value)
        and not is_named_thing(value)
        and not has_shape(value, "file")
        and not is_stand_in(value)
        and not is_name_of_a_secret(value.partition(".")[2])
    )


def _is_token(value: str, said: _Said) -> bool:
    if has_shape(value, "uuid"):
        is_other = said.line_before.lower().rstrip(" _-").endswith(_OWNERS_OF_OTHER_TOKENS)
        return said.stem not in {"auth", "authorization"} and not is_other
    if not said.is_assigned:
        return False
    if said.stem == "secret" and has_inner_capital(value) and is_literal(value):
        return said.how == "quoted" or _is_set_without_quotes(said)
    is_chosen = looks_chosen(value) and not is_named_thing(value)
    return is_opaque(value) or (said.stem in {"secret", "key"} and is_chosen)


def _is_password(value: str, *, link: re.Match[str]) -> bool:
    if value.isdigit():
        return len(value) >= _SHORTEST_NUMBER and link["colon"] is None
    if has_shape(value, "uuid"):
        return bool(link["equals"] or link["colon"])
    is_said = link["verb"] or link["space"]
    if is_said and (_is_joined_phrase(value) or _is_camel_phrase(value)):
        return True
    return looks_chosen(value) and (bool(link["equals"]) or not is_named_thing(value))


def _is_camel_phrase(value: str) -> bool:
    """Tell the password `swordFish` from the name of a class or a variable."""
    return value[0].islower() and has_inner_capital(value) and is_literal(value)


def _is_joined_phrase(value: str) -> bool:
    """Tell `correct-horse-battery` from `up-to-date` and `base64-url-encoded`."""
    if _compiled("joined words").fullmatch(value) is None:
        return False
    parts = re.split(r"[-_.+]", value.lower())
    is_prose = not words_of_messages().isdisjoint(parts) or any(map(is_technical, parts))
    return not is_prose and not parts[-1].endswith(_ENDS_OF_ADJECTIVES)


def _is_word_given_away(value: str, said: _Said) -> bool:
    """Tell whether the position proves that even an ordinary word or short number is a password."""
    if not is_literal(value):
        return False
    if said.how != "bare":
        if said.link["verb"]:
            return _compiled("after a quote").match(said.text, said.span[1]) is not None
        is_part_of_name = said.line_before[-1:].isalnum() or said.line_before[-1:] == "_"
        is_used = said.line_before.lower().rstrip().endswith(_WORDS_BEFORE)
        return said.is_assigned or said.is_flag or is_used or is_part_of_name
    if said.link["space"]:
        return said.is_flag and not said.value.isupper() and _is_end_of_option(said)
    if said.link["verb"]:
        return False
    return _is_set_without_quotes(said)


def _is_end_of_option(said: _Said) -> bool:
    """Tell `--password sunshine -v` from a sentence such as `--password asks for it`."""
    rest = said.text[said.span[1] :].partition("\n")[0]
    return (
        _compiled("after an option").match(rest) is not None
        or _compiled("other options").search(said.line_before) is not None
    )


def _is_set_without_quotes(said: _Said) -> bool:
    """Tell a line of settings or an option from a call argument and from prose."""
    link = said.link[0].strip("\"'")
    if link == ">":
        return True
    before = said.line_before
    is_in_text = before.count('"') % 2 == 1 or before.count("'") % 2 == 1
    if link in _ASSIGNMENTS and (is_in_text or before.count("(") == before.count(")")):
        return True
    is_alone = not said.text[said.span[1] :].partition("\n")[0].strip(" \t`,")
    if is_alone and said.text[said.start : said.link.start()].isupper():
        return True
    return is_alone and _compiled("before a setting").fullmatch(before) is not None
