"""Secrets in sentences: a quoted passphrase, a password beside a user name.

A phrase of ordinary words is a passphrase only if the text calls it one and it is quoted.

The description of a position where a program or a sentence expects a secret.

Secrets after actions of a command such as `login`, `unlock` or `auth`, for any program.

There are too many programs to list. The action or option is therefore the sign, and the value must
be opaque; if the line itself mentions a password, a literal is enough.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from holdfast.domain.gates.likeness import index_of, triggered
from holdfast.domain.gates.opaque import (
    is_anything,
    is_literal,
    is_number_or_opaque,
    is_opaque,
    is_seed,
    is_told,
    is_unlike_a_name,
    is_word_or_told,
)
from holdfast.domain.values import dataclass

VALUE = r"(?:\"([^\"\n]{3,128})\"|'([^'\n]{3,128})'|([^\s\"'`|;&<>\\]{3,128}))"
_ARGUMENTS = r"\b[^\n|;`]{0,160}?[ \t]"


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretPlace:
    """A position where a secret is expected, and the test that its value must pass."""

    rule: str
    triggers: tuple[str, ...]
    pattern: str
    judge: Callable[[str], bool] = is_literal
    fewest: int = 1


def command(programs: str, option: str, *, is_attached: bool = False) -> SecretPlace:
    """Describe an option that takes a password, after a blank unless it is attached."""
    gap = "" if is_attached else r"[ \t=]{1,4}"
    return SecretPlace(
        rule="command-password",
        triggers=tuple(programs.lower().split("|")),
        pattern=rf"(?<![\w-])(?:{programs}){_ARGUMENTS}{option}{gap}{VALUE}",
    )


_FEWEST_WORDS = 4
_WORDS_PER_ORDINARY = 4
_WORD = "[A-Za-zÀ-ÖØ-öø-ÿ]{2,14}"
_QUOTED_PHRASE = rf"[\"'“”„«‹`]{{1,3}}[ ]?((?:{_WORD}[ ]{{1,2}}){{3,23}}{_WORD})[ ]?[\"'“”»›`]"
_LINKS = (
    r"(?:[ \t](?:for|of|on|to|in|für|zu|du|de|des|del|della|do|da|van|voor)"
    r"(?:[ \t][\w@.'/-]{1,24}){1,4}?)?"
    r"[ \t]{0,4}(?:[:=：]|[ \t](?:is|was|ist|war|lautet|heißt|est|es|era|é|è|jest|to|luidt|är|er|je"
    r"|is[ \t]set[ \t]to|reads)\b|[–—-])[ \t]{0,4}"
)
_CALLED_PHRASES = (
    r"(?:pass[ -]?phrase|passwords?|passwort|kennwort|mot de passe|phrase secrète|contraseña"
    r"|frase de contraseña|senha|wachtwoord|wachtwoordzin|lösenord|frase segreta"
    r"|(?:seed|recovery|backup|secret|wallet|mnemonic)[ -]?(?:phrase|words?)|mnemonic)"
)
_SPACED = "|".join(
    r"[ ._-]".join(word)
    for word in ("password", "passwort", "passwd", "passphrase", "kennwort", "secret", "token")
)
# Words of sentences about a passphrase; generated passphrases contain none of them.
_WORDS_OF_LABELS = (
    "secret token value client example here goes some something my choose change input confirm"
    " forgot forgotten keep leave empty blank optional string default current least random strong"
    " super passphrase code pin login account name min max number special lowercase uppercase"
    " minimum maximum placeholder hidden see ask stored vault weak strength changed recover hint"
)
_WORDS_OF_PROSE = (
    "a about an and any anywhere are as asked at be been by can cannot character characters"
    " contain did do does enter error expired field file for from generated given has have if in"
    " incorrect invalid is it its key later letters long match may missing must never new no not"
    " of old on once only or password please prompt required reset same set short should shown so"
    " store stored than that the then there this to too twice typed type until use used user wait"
    " was we when where which will with without words wrong you your"
    " le la les un une des est pas trop et ou dans pour avec der die das ein eine ist nicht zu und"
    " oder im für mit el los no es y o en por con"
)


def is_phrase(value: str) -> bool:
    """Tell whether the words are a passphrase and not a sentence about one."""
    words = value.lower().split()
    return len(words) >= _FEWEST_WORDS and frozenset(_WORDS_OF_PROSE.split()).isdisjoint(words)


def is_set_phrase(value: str) -> bool:
    """Tell whether words that are assigned to a secret are one, and not a label or a message."""
    words = value.split()
    ordinary = sum(word in words_of_messages() for word in words)
    return ordinary <= len(words) // _WORDS_PER_ORDINARY


@cache
def words_of_messages() -> frozenset[str]:
    """Return the words of labels and messages about secrets."""
    return frozenset(f"{_WORDS_OF_PROSE} {_WORDS_OF_LABELS}".split())


SENTENCES: tuple[SecretPlace, ...] = (
    SecretPlace(
        rule="passphrase",
        triggers=("phrase", "passw", "secret", "_pass", "pwd"),
        pattern=r"(?i:passphrase|password|passwd|secret(?:_?key)?|pass"
        r"|pwd)[\"'\]]{0,2}[ \t]{0,4}[:=][ \t]{0,4}"
        r"[\"']((?:[a-z]{2,12}[ ]){2,11}[a-z]{2,12})[\"']",
        judge=is_set_phrase,
    ),
    SecretPlace(
        rule="passphrase",
        triggers=("passphrase=",),
        pattern=r"(?i:passphrase)=((?:[a-z]{2,12}[ ]){2,11}[a-z]{2,12})(?=\n|$)",
        judge=is_set_phrase,
    ),
    SecretPlace(
        rule="passphrase",
        triggers=("phrase",),
        pattern=rf"(?i)(?:pass[ -]?|\b)phrase\??[ \t\n]{{1,3}}{_QUOTED_PHRASE}",
        judge=is_phrase,
    ),
    SecretPlace(
        rule="passphrase",
        triggers=("phrase", "passwor", "kennwort", "mot de passe", "contraseña", "senha",
                  "wachtwoord", "lösenord", "mnemonic", "seed word", "frase"),
        pattern=rf"(?i)\b{_CALLED_PHRASES}\w{{0,2}}[\"'`]?{_LINKS}{_QUOTED_PHRASE}",
        judge=is_phrase,
    ),
    SecretPlace(
        rule="login",
        triggers=("login", "log in", "logon", "sign in", "user", "account", "cred", "anmeld",
                  "benutzer", "identifiant", "usuario", "utente"),
        pattern=r"(?i)\b(?:log[ -]?in|logon|sign[ -]?in|user(?:name)?|account|creds?|credentials?"
        r"|anmeldung|benutzer|identifiants?|usuario|utente)[ \t:=]{1,3}[\"'`]?[\w.@+-]{2,60}[\"'`]?"
        r"[ \t]{0,2}[/|:][ \t]{0,2}[\"'`]?([^\s\"'`/]{8,64})(?![/\w])",
        judge=is_told,
    ),
    SecretPlace(
        rule="secret",
        triggers=("token", "secret", "key"),
        pattern=r"(?i)\b(?:(?:auth|access|api|bearer|refresh|secret|private|session|signing|master)"
        r"[ _-]?(?:token|key|secret)|client[ _-]?secret)[\"'`]?(?:[ \t]?[:=]|[ \t](?:is|of|was))?"
        r"[ \t]{1,3}[\"'`]?([0-9a-f]{32,64})(?![0-9a-z])",
        judge=is_told,
    ),
    SecretPlace(
        rule="twilio",
        triggers=("ac",),
        pattern=r"(?<![A-Za-z0-9])AC[0-9a-f]{32}(?![0-9a-f])[^\n]{1,60}?(?<![0-9A-Za-z])"
        r"([0-9a-f]{32})(?![0-9a-f])",
        judge=is_told,
    ),
    SecretPlace(
        rule="password",
        triggers=tuple(f"{sign}".join(start) for start in ("pass", "kenn", "secr", "toke")
                       for sign in " ._-"),
        pattern=rf"(?i)(?<![\w])(?:{_SPACED})[ \t]{{0,4}}(?:[:=]|is\b)[ \t]{{0,4}}{VALUE}",
    ),
    SecretPlace(
        rule="secret",
        triggers=("-token", "-key", "-secret"),
        pattern=r"(?i)(?<![\w-])--?(?:[\w-]{0,20}-)?(?:token|api-?key|secret)[ \t=]{1,3}"
        r"([^\s\"'`|;&<>\\]{12,128})",
        judge=is_told,
    ),
)  # fmt: skip


_ACTIONS = (
    "login|log-in|logon|signin|sign-in|auth|authenticate|unlock|unseal|passwd|password"
    "|set-?password"
    "|reset-?password|change[_-]?password|update[_-]?password|set[_-]?passwd|setpw|chpw"
    "|add-?authtoken|authtoken"
    "|requirepass|masterauth|set-?token|add-?token|set-?key|add-?key|set-?secret|put-?secret"
    "|add-?user|create-?user"
    "|user-?add|adduser|useradd|new-?user|register|enroll|join|addprinc|luksopen|decrypt|encrypt"
    "|activate"
)  # fmt: skip
_CREDENTIAL = (
    r"(?:passw|passphrase|login|secret|token|auth|luks|unlock|credential|\bpin\b|\bpass\b)"
)
_MOST_ARGUMENTS = 5
_CODES = (
    "wi-?fi|wlan|door|gate|entry|entrance|unlock|access|alarm|disarm|safe|lock(?:er|box)?|keypad"
    "|garage|pairing|pin|puk|sim|elevator|building|security|override|guest|voicemail|invite|admin"
)  # fmt: skip
_OF_WHAT = r"(?:[ \t](?:for|of|on|to|in|at)(?:[ \t][\w@.'/-]{1,24}){1,4}?)?"

ACTIONS: tuple[SecretPlace, ...] = (
    SecretPlace(
        rule="command-password",
        triggers=(" -p", " /p", " /rp"),
        pattern=rf"(?<=[ \t])(?:-p|-P|-pw|-pass|/p|/pw|/rp"
        rf"|/pass)[ \t:=]{{1,3}}{VALUE}(?=[\s\"'`|;&)]|$)",
        judge=is_opaque,
    ),
    SecretPlace(
        rule="login",
        triggers=(" -a ", "--auth", "--cred", "--basic", " -u", "--user", "userpwd"),
        pattern=r"(?<=[ \t])(?:-[aAuU]|--(?:auth|creds?|credentials?|basic|basic-auth|user|userpwd"
        r"|proxy-user))[ \t=]{0,3}[\"']?[\w.@\\/+-]{1,64}[:%]([^\s\"':]{4,100})",
        judge=is_told,
    ),
    SecretPlace(
        rule="command-password",
        triggers=("| ", "|"),
        pattern=r"(?:echo|printf|print|echo\.)[ \t](?:-\w{1,2}[ \t]|[\"']%s(?:\\n)?[\"'][ \t])?"
        + VALUE
        + rf"[ \t]{{0,4}}\|[^\n]{{0,100}}(?i:{_CREDENTIAL}|pass[ \t]|gpg|sudo[ \t]-S|kinit|\bsu\b)",
        judge=is_literal,
    ),
    SecretPlace(
        rule="command-password",
        triggers=("<<<",),
        pattern=rf"(?i:{_CREDENTIAL}|pass[ \t]|gpg|sudo|kinit)[^\n]{{0,120}}<<<[ \t]{{0,3}}{VALUE}",
    ),
    SecretPlace(
        rule="command-password",
        triggers=("send",),
        pattern=r"(?i)\bsend(?:_user"
        r"|line)?[ \t(]{1,3}(?:--[ \t])?[\"']([^\"'\s\\]{4,128})(?:\\[rn]){0,2}[\"']",
        judge=is_opaque,
    ),
    SecretPlace(
        rule="command-password",
        triggers=("send",),
        pattern=r"(?i)(?:assword|asscode|assphrase|assword for \w+"
        r"|\bpin)[^\n]{0,12}[\"'}][^\n]{0,12}?[\s;{]{1,8}(?:\w{1,20}\.)?"
        r"(?:exp_)?send(?:_user"
        r"|line)?[ \t(]{1,3}(?:--[ \t])?[\"']([^\"'\s\\]{4,128})(?:\\[rn]){0,2}[\"']",
    ),
    SecretPlace(
        rule="command-password",
        triggers=("openssl passwd", "mkpasswd", "openssl pkcs12", "genpasswd", "caddy hash"),
        pattern=rf"(?:openssl[ \t]passwd|mkpasswd|hash-password)(?:[ \t]-[\w-]+)*[ \t]{VALUE}",
        judge=is_told,
    ),
    SecretPlace(
        rule="password",
        triggers=("pin ", "puk ", "code ", "cvv", "cvc", "passcode"),
        pattern=r"\b(?:SIM |[Ss]et-)?(?:PIN|PUK|[Pp]in(?<=-pin)|CVV|CVC|[Pp]asscode)(?:[ \t](?:is"
        r"|was))?[ \t:=]{1,3}(\d{3,8})(?![\w.])",
        judge=is_anything,
    ),
    SecretPlace(
        rule="password",
        triggers=("code", "combination", "opens", "unlocks"),
        pattern=r"(?i)(?:alarm|door|gate|disarm|safe|keypad|entry|unlock"
        r"|combination)[^\n]{0,60}?(?:(?:with|using|enter|the)[ \t]code[ \t]"
        r"(\d{4,8})|(?:opens?|unlocks?)[ \t](?:with|using)[ \t](\d{4,8})|(?:is"
        r"|:)[ \t](\d{1,2}-\d{1,2}-\d{1,2}))(?![\w-])",
        judge=is_anything,
    ),
    SecretPlace(
        rule="totp-seed",
        triggers=("otp", "2fa", "mfa", "authenticator", "two-factor", "one-time", "base32"),
        pattern=r"(?i:otp|2fa|mfa|authenticator|two-factor|one-time|base32)[^\n]{0,40}?"
        r"(?<![A-Za-z0-9])((?:[A-Z2-7]{4}[ -]?){4,16}[A-Z2-7]{0,4}(?![A-Za-z0-9])"
        r"|(?:[a-z2-7]{4} ){3,15}[a-z2-7]{4}(?![A-Za-z0-9 ]))",
        judge=is_seed,
    ),
    SecretPlace(
        rule="password",
        triggers=("code",),
        pattern=rf"(?i)\b(?:{_CODES})[ _-]?(?:pass)?code[\"'`*]{{0,2}}{_OF_WHAT}[ \t]{{0,3}}"
        rf"(?:[:=]|[ \t](?:is|was|will be)(?:[ \t]now)?:?)[ \t*`]{{0,4}}{VALUE}",
        judge=is_number_or_opaque,
    ),
    SecretPlace(
        rule="login",
        triggers=("u:", "u=", "usr", "user:", "user=", "uid", "usr:"),
        pattern=r"(?i)\b(?:u|usr|user|uid)[ \t]?[:=][ \t]?\S{1,64}?[\s,;/|]{1,4}(?:p|pw|pwd"
        r"|pass)[ \t]?[:=][ \t]?"
        + VALUE,
        judge=is_told,
    ),
    SecretPlace(
        rule="login",
        triggers=("@",),
        pattern=r"(?<![\w/])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}"
        r"[ \t]{0,2}[:;|/,][ \t]{0,2}"
        + VALUE + r"(?=[\s\"'`|;,]|$)",
        judge=is_opaque,
    ),
    SecretPlace(
        rule="device-password",
        triggers=("isakmp", "tacacs", "radius", "ikev", "ospf", "bgp", "ntp ", "pre-shared", "hsrp",
                  "vrrp", "snmp", "ipsec", "wireless", "preshared"),
        pattern=r"(?i)(?:isakmp|tacacs|radius|ikev[12]|ospf|bgp|ntp|pre-?shared|hsrp|vrrp|snmp"
        r"|ipsec"
        r"|wireless)[^\n]{0,80}?(?:key(?:-string)?|secret|password|md5|community)[ \t]{1,4}"
        r"(?:(?:\d|ascii(?:-text)?|plaintext|plain-text|hex|local|remote)[ \t]{1,4})?" + VALUE,
        judge=is_word_or_told,
    ),
    SecretPlace(
        rule="password",
        triggers=("</",),
        pattern=r"(?i)<(?:key|name|param-name|id|string)>[^<\n]{0,40}(?:passw(?:or)?d|secret|token"
        r"|passphrase"
        r"|api_?key|psk)[^<\n]{0,10}</(?:key|name|param-name|id"
        r"|string)>\s{0,20}<\w[\w-]{0,20}>([^<\s]{4,128})</",
    ),
    SecretPlace(
        rule="url-password",
        triggers=("@tcp(", "@unix(", "@udp(", "@protocol("),
        pattern=r"[\w.-]{1,64}:([^\s:@/\"']{3,100})@(?:tcp|unix|udp|protocol)\(",
    ),
    SecretPlace(
        rule="url-password",
        triggers=("jdbc:", "oracle"),
        pattern=r"(?i)(?:jdbc:oracle:\w{2,8}:"
        r"|oracle[^\n]{0,40}?[ \t\"'])[\w$#]{1,30}/([^\s/@\"']{3,100})@",
    ),
)  # fmt: skip

_PATTERNS = {
    "action": rf"(?<![\w.])(?:{_ACTIONS}|AUTH|IDENTIFY"
    rf"|LOGIN)(?P<arguments>[ \t][^\n|;&`]{{6,200}})",
    "argument": rf"(?<=[ \t]){VALUE}(?=[\s\"'`)]|$)",
}

_TRIGGERS = index_of(
    [
        (
            "login", "log-in", "logon", "sign", "auth", "unlock", "unseal", "passw", "requirepass",
            "setpw", "chpw", "token", "key", "secret", "user", "register", "enroll", "join",
            "addprinc", "luksopen", "decrypt", "encrypt", "activate",
        )
    ]
)  # fmt: skip


def action_spans(text: str, lowered: str) -> Iterator[tuple[str, int, int]]:
    """Find the opaque arguments of an action that takes a secret."""
    if not triggered(_TRIGGERS, lowered):
        return
    for action in _compiled("action").finditer(text):
        since, until = action.span("arguments")
        arguments = list(_compiled("argument").finditer(text, since, until))
        for argument in arguments[:_MOST_ARGUMENTS]:
            start, end = argument.span(argument.lastindex or 0)
            value = text[start:end].rstrip(".,:)?")
            if is_opaque(value) and is_unlike_a_name(value):
                yield "command-password", start, start + len(value)


@cache
def _compiled(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name], re.ASCII)
