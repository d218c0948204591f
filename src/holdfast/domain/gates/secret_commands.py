"""The secrets in commands, statements and files of other programs, where only the place tells.

`mysql -pSunshine`, `IDENTIFIED BY '…'`, a line of `.pgpass`: the group that matched last is the
secret. What stands there must be a literal: no variable, no placeholder, no file.
"""

import re
from collections.abc import Iterator
from functools import cache

from holdfast.domain.gates.likeness import (
    is_digest,
    is_expression,
    is_named_thing,
    is_stand_in,
    looks_chosen,
    looks_random,
)
from holdfast.domain.gates.literals import is_literal
from holdfast.domain.values import dataclass

_VALUE = r"(?:\"([^\"\n]{3,128})\"|'([^'\n]{3,128})'|([^\s\"'`|;&<>\\]{3,128}))"
_ARGUMENTS = r"\b[^\n|;`]{0,160}?[ \t]"
_END_OF_SENTENCE = ".,:)"
_TOLD_BY_FORM = frozenset({"recovery-codes", "app-password"})
_TESTS_OF_OTHERS = (is_stand_in, is_expression, is_named_thing)
_WORDS_OF_PROSE = frozenset({"the", "of", "to", "and", "for", "is", "in", "by", "be", "as", "are"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a program expects a secret."""

    rule: str
    triggers: tuple[str, ...]
    pattern: str
    is_certain: bool = True
    must_be_random: bool = False
    fewest: int = 1

    def is_triggered_by(self, lowered: str) -> bool:
        """Tell, cheaply, whether the pattern is worth a try."""
        return any(lowered.count(trigger) >= self.fewest for trigger in self.triggers)


def _command(programs: str, option: str, *, is_attached: bool = False) -> Place:
    """Describe an option that takes a password, after a blank unless it is attached."""
    gap = "" if is_attached else r"[ \t=]{1,4}"
    return Place(
        rule="command-password",
        triggers=tuple(programs.lower().split("|")),
        pattern=rf"(?<![\w-])(?:{programs}){_ARGUMENTS}{option}{gap}{_VALUE}",
    )


PLACES: tuple[Place, ...] = (
    _command("mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|mycli", "-p",
             is_attached=True),
    _command("7z|7za|rar|unrar", "-p", is_attached=True),
    _command("sshpass", "-p[ \t]{0,4}", is_attached=True),
    _command("redis-cli|valkey-cli|keydb-cli", "(?:-a|--pass)"),
    _command("ldapsearch|ldapmodify|ldapadd|ldapdelete|ldappasswd|ldapwhoami|ldapcompare", "-[ws]"),
    _command("mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|cqlsh|psexec|influx",
             "-p"),
    _command("docker login|podman login|nerdctl login|registry login|oras login|skopeo login"
             "|az login|cf login|oc login|twine upload", "-p"),
    _command("sqlcmd|bcp|isql|osql|zip|unzip|mosquitto_pub|mosquitto_sub|ipmitool", "-P"),
    _command("ssh-keygen", "-[NP]"),
    _command("snmpwalk|snmpget|snmpset", "-[AX]"),
    _command("security add-generic-password|security add-internet-password", "-w"),
    _command("openssl", "-k"),
    _command("openssl", "-pass(?:in|out)?[ \t]{1,4}[\"']?pass:", is_attached=True),
    _command("smbclient|rpcclient|net rpc", "-U[ \t]{0,4}[\"']?[\\w.\\\\/-]{1,64}%",
             is_attached=True),
    _command("htpasswd", r"-\w{0,4}b\w{0,4}[ \t]{1,4}(?:\S{1,100}[ \t]{1,4})?\S{1,64}"),
    _command("rabbitmqctl", r"(?:add_user|change_password|authenticate_user)[ \t]{1,4}\S{1,64}"),
    _command("wpa_passphrase", r"\S{1,64}"),
    _command("nmcli", "password"),
    _command("net use", r"/user:\S{1,64}"),
    _command("net user", r"[\w.-]{1,64}"),
    _command("ConvertTo-SecureString", "(?:-String )?", is_attached=True),
    _command("xfreerdp|rdesktop", "[/-]p[ \t:]", is_attached=True),
    Place(
        rule="command-password",
        triggers=("sqlplus", "rman", "expdp", "impdp"),
        pattern=r"(?:sqlplus|rman|expdp|impdp)\b[^\n|;`]{0,60}?[ \t]\w{1,30}/([^\s@/]{3,64})@",
    ),
    Place(
        rule="command-password",
        triggers=("chpasswd",),
        pattern=r"echo[ \t](?:-\w[ \t])?[\"']?[\w.-]{1,64}:([^\s\"']{3,128})[\"']?[ \t]{0,4}\|"
        r"[ \t]{0,4}(?:sudo[ \t])?chpasswd",
    ),
    Place(
        rule="command-password",
        triggers=("sudo -s", "--stdin", "-stdin", "--with-token"),
        pattern=r"(?:echo|printf)[ \t](?:-\w[ \t])?" + _VALUE + r"[\"']?[ \t]{0,4}\|[^\n|]{0,60}"
        r"(?:sudo[ \t]-S|--(?:\w+-)?stdin|--with-token)",
    ),
    Place(
        rule="netrc",
        triggers=("login ",),
        pattern=r"(?i)login[ \t]{1,4}\S{1,100}\s{1,8}password[ \t]{1,4}" + _VALUE,
    ),
    Place(
        rule="pgpass",
        triggers=(":",),
        fewest=4,
        pattern=r"(?<![\w:./])[\w.*-]{1,100}:(?:\d{4,5}|\*):[\w*-]{1,63}:[A-Za-z_*][\w*@.-]{0,62}:"
        r"([^\s:\"'`]{4,100})(?=[\s\"'`,.]|$)",
    ),
    Place(
        rule="sql-password",
        triggers=("identified ",),
        pattern=r"(?i)identified[ \t](?:with[ \t]\S{1,40}[ \t])?(?:by|as)[ \t](?:password[ \t])?"
        r"[\"'`]([^\n\"'`]{3,128})[\"'`]",
    ),
    Place(
        rule="sql-password",
        triggers=("password '", 'password "', "password=", "password ="),
        pattern=r"(?i)(?:create|alter|modify)[ \t](?:user|role|login)[ \t]"
        r"[^\n;]{1,80}?[ \t]password[ \t]{0,4}=?[ \t]{0,4}"
        r"[\"']([^\n\"']{3,128})[\"']",
    ),
    Place(
        rule="sql-password",
        triggers=("set password",),
        pattern=r"(?i)set[ \t]password[^\n;=]{0,80}=[ \t]{0,4}(?:password\()?"
        r"[\"']([^\n\"']{3,128})[\"']",
    ),
    Place(
        rule="login",
        triggers=("auth", "login", "signin", "sign_in", "connect"),
        pattern=r"(?i)(?:auth|login|sign_?in|connect|credentials?)\w{0,20}[ \t]{0,2}[=(]{1,2}"
        r"[ \t]{0,2}\(?[\"'][\w.@+-]{2,60}[\"'][ \t]{0,2},[ \t]{0,2}[\"']([^\s\"']{6,64})[\"']",
        is_certain=False,
    ),
    Place(
        rule="password",
        triggers=("password", "passphrase", "token", "secret", "api key", " pw"),
        pattern=r"(?i)(?<![^\s\"'`(])([^\s\"'`(]{6,128})[\"'`]?[ \t](?:is|was)[ \t]"
        r"(?:still[ \t]|now[ \t])?(?:the|our|my|his|her|their|a|an)[ \t](?:[\w'-]{1,20}[ \t]){0,3}"
        r"(?:password|passphrase|pw|token|secret|api[ -]key)"
        r"(?=[ \t]*(?:$|[.,;:)\n]|(?:for|of|on|to|in|at|and|that)\b))",
        is_certain=False,
    ),
    Place(
        rule="login",
        triggers=("log in", "login", "sign in", "credential", "creds", "basic auth", "user/pass"),
        pattern=r"(?i)\b(?:log[ -]?in|sign[ -]?in|credentials?|creds|basic auth"
        r"|user/pass(?:word)?)(?:[ \t]for[ \t][\w.-]{1,30})?"
        r"(?:[ \t](?:with|as|using|is|are)|[:=])[ \t]{0,2}[\"'`]?[\w.@+-]{2,60}[\"'`]?"
        r"[ \t]{0,2}[:/][ \t]{0,2}[\"'`]?([^\s\"'`/]{6,64})(?![/\w])",
        is_certain=False,
    ),
    Place(
        rule="login",
        triggers=(" pass ", " pw ", " password "),
        pattern=r"(?i)\b(?:user(?:name)?|login|account)[ \t:=]{1,3}[\"'`]?[\w.@+-]{2,60}[\"'`]?"
        r"[,;/]?[ \t](?:and[ \t]|with[ \t])?(?:the[ \t])?(?:pass|pw|password)[ \t][\"'`]?"
        r"([^\s\"'`/]{6,64})",
        is_certain=False,
    ),
    Place(
        rule="login",
        triggers=("admin", "root"),
        pattern=r"(?i)(?<![\w/.-])(?:admin|administrator|root)[ \t]?[:/][ \t]?"
        r"([^\s\"'`/:]{8,64})(?![/:\w])",
        is_certain=False,
        must_be_random=True,
    ),
    Place(
        rule="device-password",
        triggers=("secret ", "password ", "community "),
        pattern=r"(?i)(?:(?:secret|password|key)[ \t][05789]|snmp-server[ \t]community)[ \t]"
        + _VALUE,
    ),
    Place(
        rule="cookie",
        triggers=("cookie:",),
        pattern=r"(?i)cookie:[^\n]{0,200}?[\w.-]{1,64}=([\w%.+/=-]{20,400})",
        is_certain=False,
        must_be_random=True,
    ),
    Place(
        rule="app-password",
        triggers=("app password", "app-password", "application password"),
        pattern=r"(?i)app(?:lication)?[ -]passwords?\b[^\n:=]{0,30}[:=][ \t]{0,4}[\"'`]?"
        r"((?:[a-z]{4}[ \t]){3}[a-z]{4})(?![a-z])",
    ),
    Place(
        rule="recovery-codes",
        triggers=("recovery code", "backup code", "scratch code"),
        pattern=r"(?i)(?:recovery|backup|scratch)[ \t]codes?\b[^\n\d]{0,30}[\s:*`-]{1,8}"
        r"((?:(?=[a-z]{0,9}\d)[a-z0-9]{4,10}(?:-[a-z0-9]{4,10}){0,3}[\s,;*`-]{0,6}){1,20})",
    ),
    Place(
        rule="seed-phrase",
        triggers=("seed", "mnemonic", "recovery phrase", "backup phrase"),
        pattern=r"(?i)(?:seed|mnemonic|recovery|backup)(?:[ \t_-]?(?:phrase|words?))?"
        r"[\"'`]?[ \t]{0,4}(?:is|:|=)[\s\"'`]{0,6}((?:[a-z]{3,8}[ \t\n]{1,3}){11,23}[a-z]{3,8})",
        is_certain=False,
    ),
)  # fmt: skip


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


def placed_spans(text: str, lowered: str) -> Iterator[tuple[str, int, int]]:
    """Find the secrets in the places where programs expect them."""
    for place in PLACES:
        if place.is_triggered_by(lowered):
            for match in _compiled(place.pattern).finditer(text):
                start, end = match.span(match.lastindex or 0)
                value = text[start:end].rstrip(_END_OF_SENTENCE)
                end = start + len(value)
                if _is_given_away(value, place=place):
                    yield place.rule, start, end


def _is_given_away(value: str, *, place: Place) -> bool:
    if place.rule == "seed-phrase":
        return _WORDS_OF_PROSE.isdisjoint(value.split())
    if place.rule in _TOLD_BY_FORM:
        return True
    if place.is_certain:
        return is_literal(value)
    is_told = (
        looks_random(value)
        or is_digest(value)
        or (not place.must_be_random and looks_chosen(value))
    )
    return is_told and not any(is_other(value) for is_other in _TESTS_OF_OTHERS)
