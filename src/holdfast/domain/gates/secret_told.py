"""Secrets that a sentence tells: a word with digits, a hexadecimal key, a phrase, a door code."""

from __future__ import annotations

import re
from functools import cache

from holdfast.domain.gates.likeness import is_stand_in
from holdfast.domain.gates.opaque import is_anything
from holdfast.domain.gates.secret_sentences import SecretPlace, words_of_messages
from holdfast.domain.text.words import STOP_WORDS

_FEWEST_WORDS = 3
_FOR_WHAT = (
    r"(?:[ \t](?:for|of|on|to|in|at|behind|für|von|zu|du|de|del|della|do|da|van|voor|para|pour)"
    r"(?:[ \t][\w@.'/-]{1,32}){1,4}?)?"
)
_LINK = (
    r"(?:[ \t]{0,3}[:=：][ \t]{0,3}|[ \t](?:is|was|are|ist|war|lautet|est|es|era|é|è|jest|är|er|je"
    r"|(?:is |was )?(?:now |still )?(?:set|changed|updated) to)(?:[ \t](?:now|still))?:?[ \t]{1,3})"
)
_QUOTE = r"[\"'`*]{0,3}"
# Capitalised words and a number, joined by a sign: chosen as a password, and no name in code.
_WORD_DIGITS = r"([A-Z][a-z]+(?:[A-Z][a-z]+|[_-][A-Z][a-z]+)*[_-]\d{2,8}[!?#$%&*]?)(?![\w-])"
_PASSWORDS = (
    r"(?i:pass(?:word|wd|phrase|code)|passwort|kennwort|mot de passe|contraseña|senha|wachtwoord"
    r"|lösenord|\bpwd?|\bpass|\bpsk)"
)
_NETWORKS = r"(?i:wi-?fi|wlan|wpa[23]?|wep|hotspot|ssid|eduroam|router|access point)"
_HEX = r"(0x[0-9a-f]{32,128}|[0-9a-f]{64}|[0-9a-f]{32})(?![0-9a-z])"
_PREFIXED_HEX = r"(0x[0-9a-f]{64})(?![0-9a-z])"
# Keys that are no secrets: of tables, caches and maps, and the public half of a pair.
_OTHER_KEYS = "".join(
    rf"(?<!{word}[ _-])"
    for word in (
        "public", "primary", "foreign", "cache", "sort", "partition", "index", "object", "row",
        "map", "lookup", "hash", "storage", "redis", "dedup", "idempotency", "content", "block",
        "natural", "composite", "unique", "shard", "routing", "event", "record", "trie", "node",
        "state", "slot", "verifying", "verification",
    )
)  # fmt: skip
_OWNERS = (
    r"(?:private|wallet|seed|mnemonic|signing|signer|deploy(?:er|ment)?|account|master|root|admin"
    r"|validator|encryption|decryption|api|access|secret|service|bot|client|webhook|server)"
)
_DISKS = (
    r"(?:luks|bitlocker|filevault|veracrypt|truecrypt|dm-crypt|disk|drive|backup|ssh|gpg|pgp"
    r"|wallet|keystore|keepass|vault|restic|borg|encryption|recovery|master|age)"
)
_DOORS = (
    r"(?:doors?|alarm|gate|safe|lock|locker|lockbox|garage|keypad|building|entrance|elevator|lift"
    r"|room|cabinet|rack|office|house|flat|apartment|warehouse|parking|vault|bike shed|basement)"
)
_ABOUT_PHRASES = (
    "rotation prompt prompts dialog change changes expires entropy policy length storage check"
    " handling support input entry callback file hash strength caching agent manager recovery reset"
    " update updates derivation fails works unlocks protects encrypts decrypts rules rule option"
    " flag argument parameter variable generator words word list lists mode based protected"
)


def is_word_digits(value: str) -> bool:
    """Tell whether a word with digits is a secret and no placeholder."""
    return not is_stand_in(value)


def is_told_phrase(value: str) -> bool:
    """Tell a passphrase of plain words from a sentence about passphrases."""
    words = value.lower().split()
    is_about = words[0] in _about_phrases() or words[0].endswith(("tion", "ing", "ment", "ed"))
    is_prose = not words_of_messages().isdisjoint(words)
    return len(words) >= _FEWEST_WORDS and not is_about and not is_prose


def is_plain_phrase(value: str) -> bool:
    """Tell four or more plain nouns from a statement about a passphrase.

    No disk or wallet is named before it, so every word counts: a statement has a preposition, a
    participle or an adverb among them.
    """
    words = value.lower().split()
    is_said = any(word.endswith(("ed", "ing", "tion", "ment", "ly")) for word in words)
    is_about = not _about_phrases().isdisjoint(words)
    has_glue = not STOP_WORDS.isdisjoint(words) or not words_of_messages().isdisjoint(words)
    return not (is_said or is_about or has_glue)


def is_hex_key(value: str) -> bool:
    """Tell whether a value in hexadecimal is random, and not zeros or a counter."""
    digits = value.removeprefix("0x")
    return len(set(digits)) > len("0123456") and re.search(r"(.)\1{7}", digits) is None


@cache
def _about_phrases() -> frozenset[str]:
    return frozenset(_ABOUT_PHRASES.split())


TOLD: tuple[SecretPlace, ...] = (
    SecretPlace(
        rule="password",
        triggers=("pass", "pwd", "psk", "pw", "kennwort", "contraseña", "senha", "wachtwoord",
                  "lösenord"),
        pattern=rf"{_PASSWORDS}{_FOR_WHAT}(?:{_LINK}|[ \t](?=\S+[.!]?[ \t]*(?:\n|$)))"
        rf"{_QUOTE}{_WORD_DIGITS}",
        judge=is_word_digits,
    ),
    SecretPlace(
        rule="password",
        triggers=("wifi", "wi-fi", "wlan", "wpa", "wep", "hotspot", "ssid", "eduroam", "router",
                  "access point"),
        pattern=rf"{_NETWORKS}[ \t_-](?i:(?:network|guest|security)[ \t])?(?i:key|code|password)"
        rf"{_FOR_WHAT}(?:{_LINK}|[ \t]){_QUOTE}{_WORD_DIGITS}",
        judge=is_word_digits,
    ),
    SecretPlace(
        rule="login",
        triggers=("login", "log in", "user", "account", "cred"),
        pattern=r"(?i:\b(?:log[ -]?in|logon|user(?:name)?|account|creds?|credentials?))[ \t:=]{1,3}"
        rf"{_QUOTE}[\w.@+-]{{2,60}}{_QUOTE}[ \t]{{0,2}}[/|:][ \t]{{0,2}}{_QUOTE}{_WORD_DIGITS}",
        judge=is_word_digits,
    ),
    SecretPlace(
        rule="secret",
        triggers=("key", "secret"),
        pattern=rf"(?i)(?<![a-z]){_OTHER_KEYS}(?:[a-z0-9_]{{1,40}}_)?(?<![a-z]){_OTHER_KEYS}"
        rf"(?:key|secret)[\"'`]?{_FOR_WHAT}(?:{_LINK}|[ \t]){_QUOTE}{_PREFIXED_HEX}",
        judge=is_hex_key,
    ),
    SecretPlace(
        rule="secret",
        triggers=("key", "secret"),
        pattern=rf"(?i)\b{_OWNERS}[ _-]?(?:key|secret)[\"'`]?{_FOR_WHAT}(?:{_LINK}|[ \t])"
        rf"{_QUOTE}{_HEX}",
        judge=is_hex_key,
    ),
    SecretPlace(
        rule="secret",
        triggers=("key for ", "secret for ", "key of ", "secret of "),
        pattern=rf"(?i)(?<![\w-]){_OTHER_KEYS}(?:key|secret)[ \t](?:for|of)[ \t](?:the[ \t])?"
        rf"(?:[\w-]+\.)+[a-z]{{2,12}}(?:{_LINK}){_QUOTE}{_HEX}",
        judge=is_hex_key,
    ),
    SecretPlace(
        rule="passphrase",
        triggers=("passphrase", "pass phrase"),
        pattern=rf"(?i:\b{_DISKS}[ \t](?:\w{{2,12}}[ \t])?pass[ ]?phrase){_FOR_WHAT}"
        rf"(?:{_LINK}|[ \t])((?:[a-z]{{2,14}}[ ]){{2,11}}[a-z]{{2,14}})(?=[.!]?[ \t]*(?:\n|$))",
        judge=is_told_phrase,
    ),
    SecretPlace(
        rule="passphrase",
        triggers=("passphrase", "pass phrase"),
        pattern=rf"(?i:\bpass[ ]?phrase){_FOR_WHAT}{_LINK}{_QUOTE}"
        rf"((?:[a-z]{{3,14}}[ ]){{3,11}}[a-z]{{3,14}})(?={_QUOTE}[.!]?[ \t]*(?:\n|$))",
        judge=is_plain_phrase,
    ),
    # A keypad is entered with a sign at the end; "door code 4" is the number of a kind of door.
    SecretPlace(
        rule="password",
        triggers=("code", "pin", "combination"),
        pattern=rf"(?i)\b{_DOORS}[ \t](?:code|pin|combination)[ \t]{_QUOTE}(\d{{4,8}}[#*])(?!\w)",
        judge=is_anything,
    ),
    SecretPlace(
        rule="password",
        triggers=("code", "pin", "combination"),
        pattern=r"(?i)\b(?:code|pin|combination)[ \t](?:of|for|to|on|at)[ \t](?:[\w'-]{1,24}[ \t])"
        rf"{{0,4}}?{_DOORS}{_LINK}{_QUOTE}(\d{{4,8}})(?![\w-]|[ \t]*(?:lines|ms|bytes))",
        judge=is_anything,
    ),
)  # fmt: skip
