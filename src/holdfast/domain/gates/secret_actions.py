"""Secrets among the arguments of an action, such as a log-in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

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
from holdfast.domain.gates.secret_sentences import VALUE, SecretPlace
from holdfast.domain.gates.triggers import index_of, triggered

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
