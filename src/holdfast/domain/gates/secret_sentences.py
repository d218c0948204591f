"""Secrets in sentences: a quoted passphrase, a password beside a user name.

A phrase of ordinary words is a passphrase only if the text calls it one and it is quoted.

The description of a position where a program or a sentence expects a secret.

Secrets after actions of a command such as `login`, `unlock` or `auth`, for any program.

There are too many programs to list. The action or option is therefore the sign, and the value must
be opaque; if the line itself mentions a password, a literal is enough.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from holdfast.domain.gates.opaque import (
    is_literal,
    is_told,
)
from holdfast.domain.values import dataclass

VALUE = r"(?:\"([^\"\n]{3,128})\"|'([^'\n]{3,128})'|([^\s\"'`|;&<>\\]{3,128}))"
_ONE_LETTER = re.compile(r"-(?:[A-Za-z]|\[[A-Za-z]+\])")
# A lower-case word after the letter is the rest of a longer option, as in -port.
_ATTACHED = r"(?=[\"']|[^\s\"'`|;&<>\\]{0,127}[0-9A-Z])"
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
    """Describe an option that takes a password, after a blank unless it is attached.

    The value of an option of one letter may be attached to it, too: ``-pS3cret``.
    """
    gap = "" if is_attached else r"[ \t=]{1,4}"
    if not is_attached and _ONE_LETTER.fullmatch(option):
        gap = f"(?:{gap}|{_ATTACHED})"
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
