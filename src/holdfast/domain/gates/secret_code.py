"""Secrets in calls: arguments of logins, keys of ciphers, text typed into password fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from holdfast.domain.gates.likeness import looks_random
from holdfast.domain.gates.opaque import is_literal, is_opaque, is_seed
from holdfast.domain.gates.triggers import index_of, triggered

_SIGNS = (
    "auth", "login", "logon", "signin", "sign_in", "connect", "credential", "hmac", "otp",
    "fernet", "crypt", "jwt", "sign(", "cipher", "keyspec", "derive", "pbkdf2", "unlock",
    "password", "passwd", "pwd", "create_user", "createuser", "create_superuser", "session(",
)  # fmt: skip
_ANY_SIGN = "|".join(re.escape(sign.rstrip("(")) for sign in _SIGNS)
_PATTERNS = {
    "call": rf"(?i)(?<![\w.])(?:\w{{1,30}}(?:\.|::|->)){{0,4}}\w{{0,30}}(?:{_ANY_SIGN})\w{{0,30}}"
    r"(?:(?:\.|::|->)\w{1,20}){0,2}!?\((?P<arguments>[^()\n]{6,300})",
    "argument": r"(?<![\w\"'])[bru@$]{0,2}(?P<quote>[\"'`])(?P<value>[^\s\"'`]{6,200})(?P=quote)"
    r"(?=[ \t]{0,4}(?:[,)\]}]|$))",
    # Text that a script types into a password field.
    "field": r"(?i)(?:passw(?:or)?d|passphrase|passcode|pwd|\bpin|otp)[^\n]{0,60}?\.(?:send_?keys"
    r"|type|fill"
    r"|set\w{0,20}|input|enter\w{0,20}|write|press_sequentially|pressSequentially|typeText"
    r"|replaceText"
    r"|clear_and_type|val|value|put|add|insert)[ \t]{0,2}(?:\(|=)[ \t]{0,2}@?(?P<quote>[\"'`])"
    r"(?P<value>[^\s\"'`]{4,128})(?P=quote)",
    "method": r"(?i)\b(?:fill|type|set\w{0,20}|send_?keys|enter_text|input_text|fill_in)"
    r"[ \t(]{1,3}[\"'`][^\"'`\n]{0,60}(?:passw(?:or)?d|passphrase|passcode"
    r"|pwd)[^\"'`\n]{0,20}[\"'`]\]?[\"'`]?,[ \t]{0,4}(?:with:[ \t])?"
    r"(?P<quote>[\"'`])(?P<value>[^\s\"'`]{4,128})(?P=quote)",
}

_TRIGGERS = index_of([_SIGNS])


def called_spans(text: str, lowered: str) -> Iterator[tuple[str, int, int]]:
    """Find the opaque literals among the arguments of calls that take a secret."""
    if not triggered(_TRIGGERS, lowered):
        return
    for call in _compiled("call").finditer(text):
        since, until = call.span("arguments")
        for argument in _compiled("argument").finditer(text, since, until):
            value = argument["value"]
            if is_opaque(value) or is_seed(value) or _is_encoded(value):
                yield "code-password", *argument.span("value")
    for name in ("field", "method"):
        for match in _compiled(name).finditer(text):
            if is_literal(match["value"]):
                yield "code-password", *match.span("value")


def _is_encoded(value: str) -> bool:
    return value.endswith("=") and looks_random(value)


@cache
def _compiled(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name], re.ASCII)
