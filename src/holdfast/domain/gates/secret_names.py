"""Names of secrets (`password`, `db_pw`, `*_TOKEN`, `api_key`), and names that resemble them.

Secrets near a word for one: in the same sentence, or in the answer to a question.

No fixed wording connects the two, so the value must be opaque. Measured on 78,000 paragraphs of
four projects: fewer than 1 in 300 contains an opaque value, and hardly any has one near a word of
access.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from holdfast.domain.gates.likeness import (
    index_of,
    is_named_thing,
    is_stand_in,
    looks_chosen,
    looks_random,
    triggered,
)
from holdfast.domain.gates.opaque import SIGNS, is_opaque, is_unlike_a_name

_LONGEST_OWNER = 12
_LONGEST_NAME = 60
_MOST_WORDS = 4
_STARTS_OF_LINKS = frozenset("\\\"'`])* \t\r\n:：=><は是는은가이")

FOREIGN = (
    "passwort", "kennwort", "kennung", "mot de passe", "mdp", "code secret", "contraseña",
    "contrasena", "clave", "senha", "palavra-passe", "palavra passe", "parola", "wachtwoord",
    "lösenord", "adgangskode", "kodeord", "passord", "salasana", "tunnusluku", "jelszó", "jelsz",
    "hasło", "hasla", "haslo", "heslo", "hesla", "lozink", "geslo", "şifre", "sifre", "mật khẩu",
    "kata sandi", "kata laluan", "contrasenya", "contrasinal", "pasahitza", "lykilorð", "parool",
    "parole", "slaptažod", "nenosiri", "wagwoord", "fjalëkalim", "парол", "лозинк", "κωδικ",
    "συνθηματικ", "パスワード", "パス", "暗証番号", "合言葉", "密码", "密碼", "口令", "비밀번호",
    "비번", "암호", "كلمة المرور", "كلمة السر", "كلمة مرور", "الرقم السري", "רמز عبور", "رمز عبور",
    "گذرواژه", "پاس ورڈ", "סיסמ", "पासवर्ड", "পাসওয়ার্ড", "கடவுச்சொல்", "รหัสผ่าน",
)  # fmt: skip
PASSWORDS = (
    "password", "passwort", "passwd", "passphrase", "passcode", "pass", "pwd", "mot de passe",
    "contraseña", "contrasena", "kennwort", "senha", "palavra-passe", "пароль", "パスワード",
    "密码", "密碼", "口令", "비밀번호", "wachtwoord", "lösenordet", "lösenord",
    "adgangskoden", "adgangskode", "passordet", "passord", "salasana", "jelszó", "κωδικός",
    "hasło", "heslo", "parola", "lozinka", "şifre", "mật khẩu", "pw", "psk", "pin",
    "authtok", "mdp", "كلمة المرور", "كلمة السر", "סיסמה", "סיסמא", "पासवर्ड", "รหัสผ่าน",
    "kata sandi", "contrasenya", "parole", "암호", "暗証番号",
)  # fmt: skip
STEMS = (*PASSWORDS, "token", "credential", "secret", "authorization", "auth", "key", "_pat")
_STEMS_INDEX = index_of((stem,) for stem in STEMS)
# Short stems are also parts of other words: compass, author, monkey, spinner.
_WHOLE_WORDS = frozenset({"psk", "pin", "auth", "senha", "parola", "heslo", "parole", "mdp"})
# Prefixes that turn `pass` into another word: bypass, compass, second pass.
_STARTS_OF_OTHER_WORDS = (
    "by", "com", "sur", "tres", "over", "under", "multi", "single", "one", "two", "first", "out",
    "low", "high", "band", "im", "fly",
)  # fmt: skip
_OWNERS_OF_PASSWORDS = (
    "db", "pg", "my", "user", "root", "admin", "sudo", "smtp", "store", "ssh", "become", "proxy",
    "ftp", "mail", "imap", "bind", "ldap",
)  # fmt: skip
_OWNERS_OF_KEYS = (
    "api", "access", "secret", "private", "signing", "encryption", "auth", "account", "master",
    "license", "licence", "client", "shared", "storage", "service", "admin", "deploy", "app",
    "webhook", "activation", "product", "registration", "integration", "ingest", "subscription",
    "routing", "personal", "project", "bot", "recovery",
    "wifi", "wi-fi", "wpa", "wep", "shared", "isakmp", "hmac", "jwt", "cookie",
    "unseal", "aes", "crypto", "decryption", "sas", "sdk", "server", "write", "unlock", "vpn",
)  # fmt: skip
_PATTERNS = {
    "rest": r"[a-z0-9_.-]{0,32}+",
    "continuation": r"s?(?:[_.-].*)?|(?:access)?key|value|text|plain|raw|string|prod|dev|staging"
    r"|v?\d+",
    # Random letters of an id may spell a name: `m_01m7ma8yzg4e52sssa03hngmpw`.
    "id": r"(?:[a-z]_[0-7][0-9a-z]{25}|c_\d{8}t\d{4}z_[0-9a-z]{6}"
    r"|[a-z]_(?=[a-z]{0,5}\d)[0-9a-hjkmnp-tv-z]{8})(?![0-9a-z])",
}
_LONGEST_ID = 28
# Suffixes of `password_`, `token_` or `secret_` that name a property, not the secret.
_QUALITIES = (
    "alg algorithm arn audience bucket budget bytes cache chars class column cost count endpoint"
    " encoder encryption env error exp expired expires expiry field file files"
    " format hash hashed hasher header id ids"
    " index issuer keyref kind len length lifetime limit limits manager max min mode name names"
    " param path period policy provider ref regex repository reset rotation rounds salt schema"
    " scope server size source stdin storage store strength table template timeout ttl type types"
    " uri url usage used user validator version window"
)


@cache
def _compiled(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name], re.ASCII)


@cache
def _qualities() -> frozenset[str]:
    return frozenset(_QUALITIES.split())


def stems_in(lowered: str) -> list[str]:
    """Return the stems of secret names that occur in the text."""
    return [STEMS[number] for number in triggered(_STEMS_INDEX, lowered)]


def places_of_names(stem: str, lowered: str) -> Iterator[tuple[int, int]]:
    """Find where the text names a secret with this stem; a value may follow."""
    start = lowered.find(stem)
    while start >= 0:
        end = start + len(stem)
        rest = _compiled("rest").match(lowered, end)
        if rest and _is_own_word(stem, lowered, start) and _names_a_secret(rest[0]):
            end = rest.end()
            if lowered[end : end + 1] in _STARTS_OF_LINKS:
                yield start, end
        start = lowered.find(stem, end)


def rule_of_name(name: str) -> str | None:
    """Return the rule for the value of a name alone, as in a column or an attribute, or None."""
    bare = name.strip(" \t*`\"'_:").lower()
    if not bare or len(bare) > _LONGEST_NAME or len(bare.split()) > _MOST_WORDS:
        return None
    for stem in STEMS:
        if any(end == len(bare) for _, end in places_of_names(stem, f"{bare} ")):
            return "password" if stem in PASSWORDS else "secret"
    return None


def _is_own_word(stem: str, lowered: str, start: int) -> bool:
    """Tell `api_key` from `monkey`, and `pass` from `compass`."""
    if _is_inside_an_id(lowered, start):
        return False
    before = lowered[max(0, start - _LONGEST_OWNER) : start]
    if stem == "key":
        return before.rstrip(" _-").endswith(_OWNERS_OF_KEYS)
    if stem == "pass":
        return not before.endswith(_STARTS_OF_OTHER_WORDS)
    if stem not in _WHOLE_WORDS:
        return True
    return not before[-1:].isalpha() or before.endswith(_OWNERS_OF_PASSWORDS)


def _is_inside_an_id(lowered: str, start: int) -> bool:
    """Tell whether the place is one of the random letters of an id that Holdfast made."""
    first = start
    while first > max(0, start - _LONGEST_ID) and (
        lowered[first - 1] == "_" or (lowered[first - 1].isascii() and lowered[first - 1].isalnum())
    ):
        first -= 1
    return _compiled("id").match(lowered, first) is not None


def _names_a_secret(rest: str) -> bool:
    """Tell `password_prod`, which names a secret, from `password_length`, which does not."""
    stem = rest.rstrip(".-_")
    if not stem:
        return True
    if _compiled("continuation").fullmatch(stem) is None:
        return False
    return _qualities().isdisjoint(re.split(r"[_.-]", stem))


_LOOK_BACK, _LOOK_AHEAD = 160, 80
_SHORTEST_NUMBER = 4
_SHORTEST_ID = 15
_END_OF_SENTENCE = ".,;:?)*_`"
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
    r"|\broot|sudo|\buser|\bmaster\b|\bcodes?\b|vault|phrase|\bauth|basic|encrypt|decrypt|cipher"
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
    before = text[max(0, start - _LOOK_BACK) : start].rpartition("\n")[2]
    is_label = _nearby_compiled("label").search(before) is not None
    if not is_label or _nearby_compiled("secret").search(before) is not None:
        return False
    return _nearby_compiled("address").match(text[end : end + 2 * _LOOK_BACK]) is not None


def _is_piece(text: str, start: int) -> bool:
    """Tell whether a value after a slash is a piece of a long encoded text, such as a public key.

    Such a text is judged as a whole.
    """
    if not text[:start].endswith("/"):
        return False
    encoded = _nearby_compiled("encoded").search(text[max(0, start - _LOOK_BACK) : start])
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
    before = text[max(0, start - _LOOK_BACK) : start]
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
    last = bisect_left(words, (end + _LOOK_AHEAD, 0)) - 1
    while last >= 0 and words[last][1] > start - _LOOK_BACK:
        if words[last][1] <= start or words[last][0] >= end:
            return True
        last -= 1
    return False


def _is_handled(text: str, start: int, end: int) -> bool:
    """Tell whether the line of a value mentions algorithms, commits or code."""
    before = text[max(0, start - _LOOK_BACK) : start].rpartition("\n")[2]
    after = text[end : end + _LOOK_AHEAD].partition("\n")[0]
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
