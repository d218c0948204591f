"""Values that are close to the name of a secret."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from holdfast.domain.gates.likeness import is_named_thing, is_stand_in, looks_chosen, looks_random
from holdfast.domain.gates.opaque import SIGNS, is_opaque, is_unlike_a_name
from holdfast.domain.gates.secret_names import FOREIGN, LOOK_AHEAD, LOOK_BACK
from holdfast.domain.gates.triggers import index_of, triggered

_SHORTEST_NUMBER = 4
_SHORTEST_ID = 15
_END_OF_SENTENCE = ".,;:?)*_`"
# A sentence about what users like is not about their access.
_WITH_A_TASTE = (
    r"(?!s?[ \t](?:(?:also|always|really|still|often|never|no longer)[ \t])?"
    r"(?:(?:dis)?likes?|loves?|prefers?|enjoys?|hates?|favou?rs?|adores?)\b)"
)
_NEARBY_PATTERNS = {
    # Text that may contain a word with a digit, or with a symbol between letters.
    "long": r"\S{7,1000}",
    "mixed": r"\d|[a-z][!#$%^&?~*][A-Za-z]",
    "value": r"(?<![^\s\"'`(:=,/>*|%@])[A-Za-z0-9!@$%^&+?][^\s\"'`()<>,;|]{6,39}(?=[\s\"'`),;|]|$)",
    # Words that call the value a secret, and words that only mention access.
    "secret": r"(?i)pass(?:word|wd|phrase|code|key)|\b(?:pass|pwd?s?|psk|pin|puk|mdp)\b|passw"
    r"|\bcreds|credential|secret|token"
    r"|api[ _-]?key|wi-?fi|wlan|\bvpn|zugang|identifiant|clave|chiave|\blog ?in (?:as|with|using)"
    r"|\bsign in with|пароль|密码",
    "access": r"(?i)log[ -]?(?:in|on)\b|sign(?:ed|s)?[ -]?(?:in|with|on)\b|\bkeys?\b|_key|keystore"
    r"|unlock|\block|account|\badmin"
    rf"|\broot|sudo|\buser{_WITH_A_TASTE}|\bmaster\b|\bcodes?\b|vault|phrase|\bauth|basic|encrypt|decrypt|cipher"
    r"|\baes\b"
    r"|signer|serializer|\bconnect|\bssh\b|\bpaste|mysql|postgres|\bpdo\b|sequelize|mongo|redis"
    r"|ldap|smtp|\beap\b|identify"
    r"|radtest|radius|setuser|elastic|kibana|\bstored\b|\bcred|imap|\bftp|database|\bdb\b|locked"
    r"|\baccess\b|anmeld|compte|usuario"
    r"|acceso|utente|accesso|логин|доступ|账号|帳號|アカウント|계정",
    # A noun whose id directly follows it, as in `the group 00g1a2b3c4D5E6F7g8h9`.
    "entity": r"(?i)\b(?:apps?|applications?|assets?|boards?|channels?|clients?|customers?|devices?"
    r"|documents?|events?|folders?|groups?|invoices?|objects?|orders?|orgs?|organi[sz]ations?"
    r"|policy|policies|projects?|records?|roles?|rules?|teams?|tenants?|users?|workspaces?|zones?)"
    r"(?:[ \t_-](?:id|with the id))?[ \t]{1,2}[\"'`]?$",
    # The beginning of an encoded text; a path of such length has no capital letters or no digits.
    "encoded": r"(?<![^\s\"'`:=,])[A-Za-z0-9+/]{24,}$",
    # A line that names a person with an address, as in `Signed-off-by: Ada9 <ada@example.org>`.
    "label": r"^[ \t>]{0,8}(?:[A-Z][A-Za-z-]{1,40}-[Bb]y|Author|Commit|Committer|From|To|Cc)"
    r":[ \t][^\n<>@]{0,120}$",
    "address": r"^[^\n<>@]{0,120}<[^\s<>@]{1,120}@[^\s<>@]{1,120}>",
    # What links a value to the words before it.
    "link": r"(?i)(?:\b(?:is|was|to|one|now|with|use|type|auf|est|es|lautet)[ \t]{1,3}"
    r"|[:=/\"'`*→][ \t]{0,3})$",
    # Words about how values are handled: the value names an algorithm, a commit or a module.
    "handling": r"(?i)hash|algorithm|digest|checksum|commit|revision|version|branch|ticket|release"
    r"|module|class\b|function"
    r"|fixture|fingerprint|certificate|\bcve\b|\brfc\b|\buuid\b|\bbuild \d|\bserial\b|\bmodel\b"
    r"|variable|identifier|\binstance\b",
    # An answer: the value alone after a question for a secret, perhaps with a speaker's name.
    "question": r"(?i)(?:pass(?:word|wd|phrase|code)?|pwd|pw|pin|creds|credentials?|token|secret"
    r"|log[ -]?in"
    r"|api[ -]?key|wi-?fi"
    r"|code)\b[^\n?]{0,80}\?[^\n]{0,20}\n{1,3}[ \t>*-]{0,6}(?:\[[^\]\n]{1,30}\][ \t]{0,2})?"
    r"(?:<[\w .-]{1,30}>|\*{0,2}[\w .@-]{1,30}[:>]\*{0,2}|[AaRr][:.)])?[ \t]{0,3}"
    r"(?:(?:it's|it is|its|sure|yes|use|try|i think|that would be|should be|is|the (?:password|pw"
    r"|pin|code) is)[,:]?[ \t]){0,3}"
    r"[\"'`*]{0,3}(?P<value>[^\s\"'`*]{4,128})[\"'`*]{0,3}[.!]?[ \t]{0,4}(?=\n|$|[,.;(]"
    r"|[ \t](?:but|and|for|on|i|please|again)\b)",
    "foreign": r"[^\n.!?。]{0,40}?(?:[:：=][ \t]{0,3}|[ \t](?:là|คือ|adalah|ialah|este|es|est|ist|é"
    r"|è|jest|är|on|to|je|είναι|هي|هو|है|היא|是|dir|yra|ir|da)[ \t])"
    r"(?:[\"'`„“«‹][ \t\u00a0]?)?(?P<value>[^\s\"'`“”»›]{6,64})",
}
_FOREIGN_STEMS = index_of((stem,) for stem in FOREIGN)


def nearby_spans(text: str, lowered: str) -> Iterator[tuple[str, int, int]]:
    """Find opaque values near a word of access, and answers to a question for a secret."""
    numbers = triggered(_FOREIGN_STEMS, lowered)
    foreign = [lowered.find(FOREIGN[number]) for number in numbers]
    opaque = [(start, value) for start, value in _mixed_words(text) if is_opaque(value)]
    if opaque:
        called = [match.span() for match in _nearby_compiled("secret").finditer(text)]
        called = sorted(called + [(place, place + 1) for place in foreign])
        access = [match.span() for match in _nearby_compiled("access").finditer(text)]
        for start, value in opaque:
            end = start + len(value)
            is_weak = _is_unlike_an_id(value) and not _is_id_of_an_entity(text, start, value)
            words = called + access if is_weak else called
            is_linked = (
                words is not called
                or _nearby_compiled("link").search(text[max(0, start - 12) : start]) is not None
            )
            is_near = is_linked and _is_near(sorted(words), start, end)
            if not is_near or _is_handled(text, start, end) or _is_piece(text, start):
                continue
            if not _is_name_of_a_person(text, start, end):
                yield "password", start, end
    if "?" in text and "\n" in text:
        yield from _chosen_spans(_nearby_compiled("question").finditer(text))
    for number, place in zip(numbers, foreign, strict=True):
        match = _nearby_compiled("foreign").match(text, place + len(FOREIGN[number]))
        yield from _chosen_spans([match] if match else [])


def _is_name_of_a_person(text: str, start: int, end: int) -> bool:
    """Tell whether a value is part of a name in a trailer or header, before its address."""
    before = text[max(0, start - LOOK_BACK) : start].rpartition("\n")[2]
    is_label = _nearby_compiled("label").search(before) is not None
    if not is_label or _nearby_compiled("secret").search(before) is not None:
        return False
    return _nearby_compiled("address").match(text[end : end + 2 * LOOK_BACK]) is not None


def _is_piece(text: str, start: int) -> bool:
    """Tell whether a value after a slash is a piece of a long encoded text, such as a public key.

    Such a text is judged as a whole.
    """
    if not text[:start].endswith("/"):
        return False
    encoded = _nearby_compiled("encoded").search(text[max(0, start - LOOK_BACK) : start])
    return encoded is not None and looks_random(encoded[0].replace("/", ""))


def _is_unlike_an_id(value: str) -> bool:
    """Tell whether a value is unlike a name, and unlike the ids of rows, nodes and accounts.

    Such ids are letters of one case with digits, often behind a prefix: `acct_1Hh2`, `n7x42kd`.
    """
    if not is_unlike_a_name(value):
        return False
    has_both_cases = any(map(str.islower, value)) and any(map(str.isupper, value))
    return (has_both_cases and value.isalnum()) or not SIGNS.isdisjoint(value)


def _is_id_of_an_entity(text: str, start: int, value: str) -> bool:
    """Tell whether a long value of letters and digits directly follows a group, user or the like.

    A chosen password is shorter; a random one follows a word for a secret, which is looked for
    elsewhere.
    """
    if len(value) < _SHORTEST_ID or not value.isalnum():
        return False
    before = text[max(0, start - LOOK_BACK) : start]
    return _nearby_compiled("entity").search(before) is not None


def _mixed_words(text: str) -> Iterator[tuple[int, str]]:
    """Yield the words that contain a digit or a symbol, with their positions."""
    is_mixed = _nearby_compiled("mixed").search
    if not is_mixed(text):
        return
    for chunk in _nearby_compiled("long").finditer(text):
        if chunk[0].isalpha() or not is_mixed(chunk[0]):
            continue
        for match in _nearby_compiled("value").finditer(text, *chunk.span()):
            yield match.start(), match[0].rstrip(_END_OF_SENTENCE)


def _is_near(words: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Tell whether one of the words, which are in text order, is close to a value."""
    last = bisect_left(words, (end + LOOK_AHEAD, 0)) - 1
    while last >= 0 and words[last][1] > start - LOOK_BACK:
        if words[last][1] <= start or words[last][0] >= end:
            return True
        last -= 1
    return False


def _is_handled(text: str, start: int, end: int) -> bool:
    """Tell whether the line of a value mentions algorithms, commits or code."""
    before = text[max(0, start - LOOK_BACK) : start].rpartition("\n")[2]
    after = text[end : end + LOOK_AHEAD].partition("\n")[0]
    return _nearby_compiled("handling").search(f"{before} {after}") is not None


def _chosen_spans(matches: Iterable[re.Match[str]]) -> Iterator[tuple[str, int, int]]:
    for match in matches:
        value = match["value"].rstrip(_END_OF_SENTENCE)
        is_number = value.isdigit() and len(value) >= _SHORTEST_NUMBER
        is_chosen = looks_chosen(value) and not is_stand_in(value) and not is_named_thing(value)
        if is_number or (is_chosen and "password" not in value.lower()):
            yield "password", match.start("value"), match.start("value") + len(value)


@cache
def _nearby_compiled(name: str) -> re.Pattern[str]:
    return re.compile(_NEARBY_PATTERNS[name], re.ASCII)
