"""Secrets in commands, statements and files of other programs, recognised by position alone.

Examples are `mysql -pSunshine`, `IDENTIFIED BY '…'` and a line of `.pgpass`. The group that
matched last is the secret. It must be a literal: no variable, no placeholder, no file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from holdfast.domain.gates.opaque import is_anything, is_drawn, is_told
from holdfast.domain.gates.secret_access import ACCESS
from holdfast.domain.gates.secret_actions import ACTIONS
from holdfast.domain.gates.secret_sentences import SENTENCES, VALUE, SecretPlace, command, is_phrase
from holdfast.domain.gates.secret_shapes import SHAPES
from holdfast.domain.gates.secret_told import TOLD
from holdfast.domain.gates.triggers import index_of, triggered

_END_OF_SENTENCE = ".,:)"


PLACES: tuple[SecretPlace, ...] = (
    command("mysql|mysqldump|mysqladmin|mysqlimport|mysqlcheck|mysqlshow|mysqlslap|mysqlpump"
            "|mysqlbinlog|mysqlsh|mysql_upgrade|mariadb|mariadb-dump|mariadb-admin|mariadb-import"
            "|mariadb-check|mariadb-show|mycli|mytop", "-p", is_attached=True),
    command("mysqladmin|mariadb-admin", "password"),
    command("rclone config create|rclone config update|rclone config password", "pass(?:word)?"),
    command("useradd|usermod|ncftp|ncftpget|ncftpput|ncftpls", "-p"),
    command("impala-shell", "-w"),
    command("7z|7za|rar|unrar", "-p", is_attached=True),
    command("sshpass", "-p[ \t]{0,4}", is_attached=True),
    command("redis-cli|valkey-cli|keydb-cli", "-a"),
    command("redis-cli|valkey-cli|keydb-cli", "--pass"),
    command("ldapsearch|ldapmodify|ldapadd|ldapdelete|ldappasswd|ldapwhoami|ldapcompare", "-[ws]"),
    command("mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|cqlsh|psexec|influx"
            "|cypher-shell|rabbitmqadmin|beeline",
            "-p"),
    command("docker login|podman login|nerdctl login|registry login|oras login|skopeo login"
            "|az login|cf login|oc login|twine upload", "-p"),
    command("sqlcmd|mssql-cli|bcp|isql|osql|zip|unzip|mosquitto_pub|mosquitto_sub|ipmitool", "-P"),
    command("ssh-keygen", "-[NP]"),
    command("snmpwalk|snmpget|snmpset|snmpbulkwalk|snmpbulkget|snmpgetnext|snmptable"
            "|snmptrap|snmpstatus|snmp-check|onesixtyone", "-[AXc]"),
    command("rclone", "obscure"),
    command("ansible-vault", "encrypt_string"),
    command("lftp|ncftp", r"-u[ \t]{1,4}[\w.@-]{1,64},", is_attached=True),
    command("hydra|medusa|ncrack|crackmapexec|netexec|nxc|evil-winrm", "-p"),
    command("winrs", "-p(?:assword)?:", is_attached=True),
    command("kinit|cryptsetup|sudo -S|gpg|passwd", "<<<"),
    command("net use", r"[\\/]{2}\S{1,100}"),
    command("aws configure set", r"\w{0,40}(?:secret|key|token)\w{0,40}"),
    command("mc alias set|mc config host add", r"\S{1,40}[ \t]\S{1,100}[ \t]\S{1,100}"),
    command("security add-generic-password|security add-internet-password", "-w"),
    command("openssl", "-k"),
    command("openssl", "-pass(?:in|out)?[ \t]{1,4}[\"']?pass:", is_attached=True),
    command("smbclient|rpcclient|net rpc", "-U[ \t]{0,4}[\"']?[\\w.\\\\/-]{1,64}%",
            is_attached=True),
    command("htpasswd", r"-\w{0,4}b\w{0,4}[ \t]{1,4}(?:\S{1,100}[ \t]{1,4})?\S{1,64}"),
    command("rabbitmqctl", r"(?:add_user|change_password|authenticate_user)[ \t]{1,4}\S{1,64}"),
    command("wpa_passphrase", r"\S{1,64}"),
    command("nmcli", "password"),
    command("net use", r"/user:\S{1,64}"),
    command("net user", r"[\w.-]{1,64}"),
    command("ConvertTo-SecureString", "(?:-String )?", is_attached=True),
    command("xfreerdp|rdesktop", "[/-]p[ \t:]", is_attached=True),
    SecretPlace(
        rule="command-password",
        triggers=("sqlplus", "rman", "expdp", "impdp"),
        pattern=r"(?:sqlplus|rman|expdp|impdp)\b[^\n|;`]{0,60}?[ \t]\w{1,30}/([^\s@/]{3,64})@",
    ),
    SecretPlace(
        rule="command-password",
        triggers=("rediscli_auth",),
        pattern=r"REDISCLI_AUTH=" + VALUE,
    ),
    SecretPlace(
        rule="command-password",
        triggers=("chpasswd",),
        pattern=r"echo[ \t](?:-\w[ \t])?[\"']?[\w.-]{1,64}:([^\s\"']{3,128})[\"']?[ \t]{0,4}\|"
        r"[ \t]{0,4}(?:sudo[ \t])?chpasswd",
    ),
    SecretPlace(
        rule="command-password",
        triggers=("sudo -s", "--stdin", "-stdin", "--with-token"),
        pattern=r"(?:echo|printf)[ \t](?:-\w[ \t])?" + VALUE + r"[\"']?[ \t]{0,4}\|[^\n|]{0,60}"
        r"(?:sudo[ \t]-S|--(?:\w+-)?stdin|--with-token)",
    ),
    SecretPlace(
        rule="netrc",
        triggers=("login ",),
        pattern=r"(?i)login[ \t]{1,4}\S{1,100}\s{1,8}password[ \t]{1,4}" + VALUE,
    ),
    SecretPlace(
        rule="pgpass",
        triggers=(":",),
        fewest=4,
        pattern=r"(?<![\w:./])[\w.*-]{1,100}:(?:\d{4,5}|\*):[\w*-]{1,63}:[A-Za-z_*][\w*@.-]{0,62}:"
        r"([^\s:\"'`]{4,100})(?=[\s\"'`,.]|$)",
    ),
    SecretPlace(
        rule="sql-password",
        triggers=("identified ",),
        pattern=r"(?i)identified[ \t](?:with[ \t]\S{1,40}[ \t])?(?:by|as)[ \t](?:password[ \t])?"
        r"[\"'`]([^\n\"'`]{3,128})[\"'`]",
    ),
    SecretPlace(
        rule="sql-password",
        triggers=("password '", 'password "', "password=", "password ="),
        pattern=r"(?i)(?:create|alter|modify)[ \t](?:user|role|login)[ \t]"
        r"[^\n;]{1,80}?[ \t]password[ \t]{0,4}=?[ \t]{0,4}"
        r"[\"']([^\n\"']{3,128})[\"']",
    ),
    SecretPlace(
        rule="sql-password",
        triggers=("set password",),
        pattern=r"(?i)set[ \t]password[^\n;=]{0,80}=[ \t]{0,4}(?:password\()?"
        r"[\"']([^\n\"']{3,128})[\"']",
    ),
    SecretPlace(
        rule="login",
        triggers=("auth", "login", "signin", "sign_in", "connect"),
        pattern=r"(?i)(?:auth|login|sign_?in|connect|credentials?)\w{0,20}[ \t]{0,2}[=(]{1,2}"
        r"[ \t]{0,2}\(?[\"'][\w.@+-]{2,60}[\"'][ \t]{0,2},[ \t]{0,2}[\"']([^\s\"']{6,64})[\"']",
        judge=is_told,
    ),
    SecretPlace(
        rule="password",
        triggers=("password", "passphrase", "token", "secret", "api key", " pw"),
        pattern=r"(?i)(?<![^\s\"'`(])([^\s\"'`(]{6,128})[\"'`]?[ \t](?:is|was)[ \t]"
        r"(?:still[ \t]|now[ \t])?(?:the|our|my|his|her|their|a|an)[ \t](?:[\w'-]{1,20}[ \t]){0,3}"
        r"(?:password|passphrase|pw|token|secret|api[ -]key)"
        r"(?=[ \t]*(?:$|[.,;:)\n]|(?:for|of|on|to|in|at|and|that)\b))",
        judge=is_told,
    ),
    SecretPlace(
        rule="login",
        triggers=("log in", "login", "sign in", "credential", "creds", "basic auth", "user/pass"),
        pattern=r"(?i)\b(?:log[ -]?in|sign[ -]?in|credentials?|creds|basic auth"
        r"|user/pass(?:word)?)(?:[ \t]for[ \t][\w.-]{1,30})?"
        r"(?:[ \t](?:with|as|using|is|are)|[:=])[ \t]{0,2}[\"'`]?[\w.@+-]{2,60}[\"'`]?"
        r"[ \t]{0,2}[:/][ \t]{0,2}[\"'`]?([^\s\"'`/]{6,64})(?![/\w])",
        judge=is_told,
    ),
    SecretPlace(
        rule="login",
        triggers=(" pass ", " pw ", " password "),
        pattern=r"(?i)\b(?:user(?:name)?|login|account)[ \t:=]{1,3}[\"'`]?[\w.@+-]{2,60}[\"'`]?"
        r"[,;/]?[ \t](?:and[ \t]|with[ \t])?(?:the[ \t])?(?:pass|pw|password)[ \t][\"'`]?"
        r"([^\s\"'`/]{6,64})",
        judge=is_told,
    ),
    SecretPlace(
        rule="login",
        triggers=("admin", "root"),
        pattern=r"(?i)(?<![\w/.-])(?:admin|administrator|root)[ \t]?[:/][ \t]?"
        r"([^\s\"'`/:]{8,64})(?![/:\w])",
        judge=is_drawn,
    ),
    SecretPlace(
        rule="device-password",
        triggers=("secret ", "password ", "community "),
        pattern=r"(?i)(?:(?:secret|password|key)[ \t][05789]|snmp-server[ \t]community)[ \t]"
        + VALUE,
    ),
    SecretPlace(
        rule="cookie",
        triggers=("cookie:",),
        pattern=r"(?i)cookie:[^\n]{0,200}?[\w.-]{1,64}=([\w%.+/=-]{20,400})",
        judge=is_drawn,
    ),
    SecretPlace(
        rule="app-password",
        triggers=("app password", "app-password", "application password"),
        pattern=r"(?i)app(?:lication)?[ -]passwords?\b[^\n:=]{0,30}[:=][ \t]{0,4}[\"'`]?"
        r"((?:[a-z]{4}[ \t]){3}[a-z]{4})(?![a-z])",
        judge=is_anything,
    ),
    SecretPlace(
        rule="recovery-codes",
        triggers=("recovery code", "backup code", "scratch code"),
        pattern=r"(?i)(?:recovery|backup|scratch)[ \t]codes?\b[^\n\d]{0,30}[\s:*`-]{1,8}"
        r"((?:(?=[a-z]{0,9}\d)[a-z0-9]{4,10}(?:-[a-z0-9]{4,10}){0,3}[\s,;*`-]{0,6}){1,20})",
        judge=is_anything,
    ),
    SecretPlace(
        rule="seed-phrase",
        triggers=("seed", "mnemonic", "recovery phrase", "backup phrase"),
        pattern=r"(?i)(?:seed|mnemonic|recovery|backup)(?:[ \t_-]?(?:phrase|words?))?"
        r"[\"'`]?[ \t]{0,4}(?:is:?|:|=)[\s\"'`]{0,6}((?:[a-z]{3,8}[ \t\n]{1,3}){11,23}[a-z]{3,8})",
        judge=is_phrase,
    ),
    *SENTENCES,
    *TOLD,
    *ACCESS,
    *SHAPES,
    *ACTIONS,
)  # fmt: skip


_TRIGGERS = index_of(place.triggers for place in PLACES)
# Words that continue a sentence: "unzip -P needs an argument".
_GOES_ON = (
    r"[ \t](?:a|an|and|any|are|as|because|but|by|for|from|if|in|instead|is|it|its|my|no|not|of|on"
    r"|one|only|or|our|so|that|the|their|them|this|to|too|which|with|without|you|your)\b"
)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


def placed_spans(text: str, lowered: str) -> Iterator[tuple[str, int, int]]:
    """Find the secrets in the positions where programs expect them."""
    for number in triggered(_TRIGGERS, lowered):
        place = PLACES[number]
        if place.fewest > 1 and lowered.count(place.triggers[0]) < place.fewest:
            continue
        for match in _compiled(place.pattern).finditer(text):
            start, end = match.span(match.lastindex or 0)
            value = text[start:end].rstrip(_END_OF_SENTENCE)
            end = start + len(value)
            if place.judge(value) and not _is_prose(text, start, end):
                yield place.rule, start, end


def _is_prose(text: str, start: int, end: int) -> bool:
    """Tell whether the value is an ordinary word in a sentence about the option."""
    is_word = text[start:end].isalpha() and text[start:end].islower()
    is_quoted = text[start - 1 : start] in {'"', "'"}
    return is_word and not is_quoted and _compiled(_GOES_ON).match(text, end) is not None
