"""The secrets that the text itself calls one: `password is …`, `*_TOKEN=…`, `api_key: …`."""

import re
from collections.abc import Iterator
from functools import cache

from holdfast.domain.gates.likeness import (
    decoded_text,
    has_shape,
    is_digest,
    is_expression,
    is_named_thing,
    is_stand_in,
    looks_chosen,
    looks_random,
)

_SHORTEST_NUMBER = 6
_LONGEST_FLAG = 40
_LONGEST_OWNER = 12
_QUOTES = frozenset("\"'`*")
_STARTS_OF_LINKS = frozenset("\\\"'`])* \t:：=><は是")

_PASSWORDS = (
    "password", "passwort", "passwd", "passphrase", "passcode", "pass", "pwd", "mot de passe",
    "contraseña", "kennwort", "senha", "пароль", "パスワード", "密码", "wachtwoord",
)  # fmt: skip
_STEMS = (*_PASSWORDS, "token", "credential", "secret", "authorization", "auth", "key")
# Short stems are also parts of other words: compass, author, monkey.
_WHOLE_WORDS = frozenset({"pass", "pwd", "auth", "senha"})
_OWNERS_OF_PASSWORDS = ("db", "pg", "my", "user", "root", "admin", "sudo", "smtp")
_OWNERS_OF_KEYS = (
    "api", "access", "secret", "private", "signing", "encryption", "auth", "account", "master",
    "license", "licence", "client", "shared", "storage", "service", "admin", "deploy", "app",
    "webhook",
)  # fmt: skip

_VERBS = (
    r"is|was|are|ist|est|es|é|equals|becomes?|from|"
    r"(?:is |was |has been )?(?:re)?(?:set|changed|updated|rotated|switched) to"
)
_PATTERNS = {
    "rest": r"[a-z0-9_.-]{0,32}+",
    "link": (
        r"[\\\"'`\])*]{0,4}[ \t]{0,8}(?:"
        r"(?P<equals>(?::[ \t]?[a-z_.|\[\] ]{1,30})?(?::=|=>|={1,3}|<-)|>(?=\S))|(?P<colon>[:：]))"
        r"[*]{0,2}[ \t]{0,8}(?:(?:bearer|token|basic|apikey)[ \t])?"
        r"|(?P<verb>(?:[ \t](?:for|of|on|to|in|at)(?:[ \t][\w@.'/-]{1,24}){1,4}?)?"
        rf"[ \t](?:{_VERBS})(?:[ \t](?:now|still|currently|just|always|simply))?:?[ \t]"
        r"|は[ 、]?|是[ :]?)"
        r"|(?P<space>[ \t](?=\S))"
    ),
    "value": (
        r"[rbuf]?(?P<quote>\\?[\"'`]|\*\*)(?P<quoted>[^\s\"'`]{4,200}?)(?P=quote)"
        r"|\*(?P<stressed>[^\s\"'`*]{4,200}+)\*(?![^\s.,;:)])"
        r"|(?P<bare>[^\s\"'`]{4,200}+)"
    ),
    "end": r"[,;<]|\\[nr\"]|&[\w.-]+=",
    "continuation": r"s?(?:[_.-].*)?|(?:access)?key|value|prod|dev|staging|v?\d+",
}

# What follows `password_`, `token_` or `secret_` when the name is not the secret's own.
_QUALITIES = (
    "alg algorithm arn audience bucket budget bytes cache chars class column cost count endpoint"
    " env error exp expired expires expiry field file files format hash hashed hasher header id ids"
    " index issuer keyref kind len length lifetime limit limits manager max min mode name names"
    " param path period policy provider ref regex repository reset rotation rounds salt schema"
    " scope server size source storage store strength table template timeout ttl type types uri url"
    " usage used user validator version window"
)


@cache
def _compiled(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name], re.ASCII)


@cache
def _qualities() -> frozenset[str]:
    return frozenset(_QUALITIES.split())


def named_spans(text: str, lowered: str) -> Iterator[tuple[str, int, int]]:
    """Find the values that the text calls a password, a token, a secret or a key."""
    for stem in _STEMS:
        if stem not in lowered:
            continue
        rule = "password" if stem in _PASSWORDS else "secret"
        for start, end in _names(stem, lowered):
            span = _span_of_value(text, lowered, start=start, end=end, stem=stem)
            if span is not None:
                yield rule, *span


def _names(stem: str, lowered: str) -> Iterator[tuple[int, int]]:
    start = lowered.find(stem)
    while start >= 0:
        end = start + len(stem)
        rest = _compiled("rest").match(lowered, end)
        if rest and _is_own_word(stem, lowered, start) and _names_a_secret(rest[0]):
            end = rest.end()
            if lowered[end : end + 1] in _STARTS_OF_LINKS:
                yield start, end
        start = lowered.find(stem, end)


def _span_of_value(
    text: str, lowered: str, *, start: int, end: int, stem: str
) -> tuple[int, int] | None:
    link = _compiled("link").match(lowered, end)
    if link is None:
        return None
    # `pass` is a verb too: "pass `strict=True`" gives nothing away.
    is_shown = stem != "pass" and lowered[link.end() : link.end() + 1] in _QUOTES
    if link["space"] and not is_shown and not _is_flag(lowered, start):
        return None
    value = _compiled("value").match(lowered, link.end())
    # A name inside the value has a value of its own, which is judged by itself.
    if value is None or f"{stem}=" in value[0]:
        return None
    how = next(name for name in ("quoted", "stressed", "bare") if value[name])
    span = _trimmed(text, *value.span(how))
    return span if _is_given_away(text[slice(*span)], stem=stem, link=link) else None


def _is_own_word(stem: str, lowered: str, start: int) -> bool:
    """Tell `api_key` from `monkey`, and `pass` from `compass`."""
    before = lowered[max(0, start - _LONGEST_OWNER) : start]
    if stem == "key":
        return before.rstrip(" _-").endswith(_OWNERS_OF_KEYS)
    if stem not in _WHOLE_WORDS:
        return True
    return not before[-1:].isalpha() or before.endswith(_OWNERS_OF_PASSWORDS)


def _names_a_secret(rest: str) -> bool:
    """Tell `password_prod`, which names a secret, from `password_length`, which does not."""
    stem = rest.rstrip(".-_")
    if not stem:
        return True
    if _compiled("continuation").fullmatch(stem) is None:
        return False
    return _qualities().isdisjoint(re.split(r"[_.-]", stem))


def _is_flag(lowered: str, start: int) -> bool:
    word = lowered[max(0, start - _LONGEST_FLAG) : start].rsplit(maxsplit=1)[-1:]
    return bool(word) and word[0].startswith("-")


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out what belongs to the sentence or the line of code rather than to the value."""
    stop = _compiled("end").search(text, start + 1, end)
    value = text[start : stop.start() if stop else end]
    return start, start + len(value.rstrip(".,:)]}>*|"))


def _is_given_away(value: str, *, stem: str, link: re.Match[str]) -> bool:
    value = decoded_text(value) or value
    if is_stand_in(value) or is_expression(value) or has_shape(value, "technical"):
        return False
    if looks_random(value) or is_digest(value):
        return True
    if stem in _PASSWORDS:
        return _is_password(value, link=link)
    is_written_down = bool(link["equals"] or link["colon"])
    return (
        is_written_down
        and stem in {"secret", "key"}
        and (has_shape(value, "uuid") or (looks_chosen(value) and not is_named_thing(value)))
    )


def _is_password(value: str, *, link: re.Match[str]) -> bool:
    if value.isdigit():
        return len(value) >= _SHORTEST_NUMBER and link["colon"] is None
    if has_shape(value, "uuid"):
        return bool(link["equals"] or link["colon"])
    return looks_chosen(value) and (bool(link["equals"]) or not is_named_thing(value))
