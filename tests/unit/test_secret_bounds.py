"""The search for secrets is bounded: a hostile text takes no longer than others of its size."""

from __future__ import annotations

import pytest

from holdfast.domain.gates.secrets import find_secrets
from tests.requirements import requirement

HOSTILE = (
    "a", " ", "\n", "password ", "password=", "password: x\n", "-----BEGIN PRIVATE KEY-----\n",
    '-----BEGIN PRIVATE KEY-----""""""', "a.", "a:", "a:5432:", "| password ", "|password|x|\n",
    "user,password\n", "a,", '"a" ', '"aB3" + ', "aB3dE6gH9\n", "QUJD", "mysql -u ", "login a/",
    "docker login -", "user a pass ", "cookie: a=", "seed phrase is abc ", 'name="password" ',
    'name="password" value= ', "eyJhbGciOiJ", "heroku key ", "twitter facebook heroku dropbox ",
    "xapp-1-A", "xoxs-1-1", "echo x | ", "identified by ", "recovery codes: ab1c-", "bearer ",
    'passphrase is "', 'passphrase is "abcd abcd ', "passphrase for a ", "login a / ",
    "AC0123456789abcdef0123456789abcdef ", "auth token ", "p a s s w o r d: ", "snmpwalk -c ",
    "--token ", "net use //a ", "mc alias set a ", "aws configure set a",
    "login aB3dE6gH9 ", "is aB3dE6gH9 password ", 'send "a', "password?\n", "password? a: ",
    "echo a|", "auth('a',", "a.a.a(", "a@b.c:", "otp ABCD ", "isakmp key ", "password.type('",
    "&quot;a", "пароль ", 'password: "aa bb ', "<key>password</key>", "u: a p: ", "set password ",
    "://a:b", "-u a:b ", "sk-", "a%3Db%3D", "%41", "&#65;", "is the password ", "admin/aB3dE6gH9 ",
    ".py:1:", "a.py:1 ", "a.py::test[", "a.py::test[1-", "=a.py:1",
)  # fmt: skip
LONG = 100_000


@requirement("gate.search-is-bounded")
@pytest.mark.parametrize("unit", HOSTILE)
def test_a_hostile_text_of_100_kb_is_searched_before_the_timeout_of_a_test(unit: str) -> None:
    text = (unit * LONG)[:LONG]

    assert all(0 <= hit.start < hit.end <= LONG for hit in find_secrets(text))
