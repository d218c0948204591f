"""Secrets with a shape of their own: Wi-Fi codes, seed phrases, cards, licences, spelt-out keys."""

from __future__ import annotations

from holdfast.domain.gates.likeness import is_stand_in
from holdfast.domain.gates.opaque import is_anything
from holdfast.domain.gates.secret_sentences import SecretPlace, words_of_messages
from holdfast.domain.gates.secret_told import is_hex_key

_LINK = (
    r"(?:[ \t]{0,3}[:=][ \t]{0,3}|[ \t](?:is|are|was|contains|holds|has|reads)[ \t:]{1,3}|[ \t])"
)
_QUOTE = r"[\"'`*]{0,3}"
_SEED_WORD = r"[a-z]{3,8}"
_FEWEST_DIFFERENT = 9
_CARD_DIGITS = range(13, 20)
# Numbers that payment services publish for tests; no account has one.
_TEST_CARDS = frozenset(
    (
        "4111111111111111", "4242424242424242", "4000056655665556", "4012888888881881",
        "5555555555554444", "5200828282828210", "5105105105105100", "2223003122003222",
        "378282246310005", "371449635398431", "6011111111111117", "6011000990139424",
        "3056930009020004", "36227206271667", "3566002020360505", "30569309025904",
    )
)  # fmt: skip


def is_seed(value: str) -> bool:
    """Tell a seed phrase of a wallet from a sentence: its words are unrelated nouns and verbs."""
    words = value.lower().split()
    return len(set(words)) >= _FEWEST_DIFFERENT and words_of_messages().isdisjoint(words)


def is_card(value: str) -> bool:
    """Tell the number of a payment card by its check digit."""
    digits = [int(one) for one in value if one.isdecimal()]
    is_known = "".join(map(str, digits)) in _TEST_CARDS
    if is_known or len(digits) not in _CARD_DIGITS or len(set(digits)) == 1:
        return False
    doubled = [2 * one - 9 * (one > 4) for one in digits[-2::-2]]  # noqa: PLR2004 - Luhn's rule
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def is_mixed(value: str) -> bool:
    """Tell a random code, which mixes letters and digits, from a word or a version."""
    plain = [one for one in value if one.isalnum()]
    has_both = any(map(str.isdecimal, plain)) and any(map(str.isalpha, plain))
    return has_both and len(set(plain)) > len("01234") and not is_stand_in("".join(plain))


SHAPES: tuple[SecretPlace, ...] = (
    SecretPlace(
        rule="password",
        triggers=("wifi:",),
        pattern=r"(?i)\bWIFI:(?:[A-Z]:[^;\n]*;){0,4}?P:([^;\n]{4,63});",
        judge=is_anything,
    ),
    SecretPlace(
        rule="passphrase",
        triggers=("seed", "mnemonic", "wallet", "recovery"),
        pattern=r"(?i:\b(?:wallet|seed|recovery|mnemonic|backup|secret)[ \t]"
        r"(?:(?:seed|recovery|mnemonic|backup|secret)[ \t])?(?:words?|phrases?|seed|mnemonic))"
        rf"[^\n:=]{{0,40}}?(?:[:=]|[ \t](?:is|are))[ \t]{{0,3}}{_QUOTE}"
        rf"((?:{_SEED_WORD}[ ]){{11,23}}{_SEED_WORD})\b",
        judge=is_seed,
    ),
    SecretPlace(
        rule="secret",
        triggers=(".key", "master key", "cookie"),
        pattern=rf"(?i)(?:\b\w+\.key|\bmaster[ _.-]key){_QUOTE}{_LINK}{_QUOTE}"
        r"([0-9a-f]{32}|[0-9a-f]{64})(?![0-9a-z])",
        judge=is_hex_key,
    ),
    SecretPlace(
        rule="secret",
        triggers=("cookie",),
        pattern=rf"(?i:\b\.?erlang[ ._-]cookie|\brelease_cookie){_QUOTE}{_LINK}{_QUOTE}"
        r"([A-Z]{16,64}|[A-Za-z0-9+/_-]{20,88}={0,2})(?![\w-])",
        judge=is_anything,
    ),
    SecretPlace(
        rule="payment card",
        triggers=("cvv", "cvc", "cvn", "card"),
        pattern=r"(?i)\b(?:card|cvv2?|cvc2?|cvn|visa|mastercard|amex)\b[^\n]{0,40}?"
        r"(?<!\d)((?:\d[ -]?){12,18}\d)(?!\d)",
        judge=is_card,
    ),
    SecretPlace(
        rule="licence key",
        triggers=("licen", "activation", "product key", "serial"),
        pattern=r"(?i:\b(?:licen[sc]e|activation|product|serial)"
        r"(?:[ \t](?:key|code|number|activation))?)"
        rf"(?:[ \t](?:for|of)(?:[ \t][\w.-]{{1,24}}){{1,3}}?)?{_LINK}{_QUOTE}"
        r"((?:[A-Z0-9]{4,8}-){2,7}[A-Z0-9]{4,8})(?![\w-])",
        judge=is_mixed,
    ),
    SecretPlace(
        rule="secret",
        triggers=("token", "key", "secret", "password"),
        pattern=r"(?i:\b(?:token|api[ _-]?key|key|secret|password|passcode))"
        r"[ \t]{0,2}[:=][ \t]{0,3}"
        r"((?:[A-Za-z0-9][ ]){11,79}[A-Za-z0-9])(?![A-Za-z0-9])",
        judge=is_mixed,
    ),
)
