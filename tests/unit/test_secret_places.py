"""Secrets that only their place gives away: in commands, tables, attributes, parts, encodings."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from holdfast.domain.gates import secret_vendors
from holdfast.domain.gates.secrets import find_secrets
from tests.requirements import requirement
from torture.secrets_cases import a_source, filled


def found(text: str) -> list[str]:
    return [text[hit.start : hit.end] for hit in find_secrets(text)]


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("mysql -u root -psunshine shop", "sunshine"),
        ("mysqlcheck -pSunshine7 --all-databases", "Sunshine7"),
        ("mariadb-admin -u root -pSunshine7 status", "Sunshine7"),
        ("mysqladmin -u root password sunshine", "sunshine"),
        ("rclone config create r sftp user ada pass Sunshine7", "Sunshine7"),
        ("useradd -m -p Sunshine7 ada", "Sunshine7"),
        ("usermod -p 'Sun shine7' ada", "Sun shine7"),
        ("impala-shell -i host -w Sunshine7", "Sunshine7"),
        ("ncftpget -u ada -p Sunshine7 host . file", "Sunshine7"),
        ("sshpass -p 'a b&c;d9' ssh host", "a b&c;d9"),
        ("redis-cli -a swordfish ping.", "swordfish"),
        ("redis-cli -h cache -a foobared99 ping", "foobared99"),
        ("redis-cli -aFoobared99 ping", "Foobared99"),
        ("mongodump -uadmin -pSunshine7 -d shop", "Sunshine7"),
        ("mongosh -u admin -p'sun shine'", "sun shine"),
        ("docker login -u me -pSunshine7", "Sunshine7"),
        ("sqlcmd -U sa -PSunshine7", "Sunshine7"),
        ("ldapsearch -x -wSunshine7", "Sunshine7"),
        ("REDISCLI_AUTH=walrus42kelp redis-cli ping", "walrus42kelp"),
        ("cypher-shell -u neo4j -p walrus42kelp", "walrus42kelp"),
        ("rabbitmqadmin -u guest -p walrus42kelp list queues", "walrus42kelp"),
        ("mssql-cli -S db -U sa -P walrus42kelp", "walrus42kelp"),
        ("localhost:5432:app:bob:swordfish", "swordfish"),
        ("CREATE USER app IDENTIFIED BY 'swordfish';", "swordfish"),
        ("credentials: admin / Zx9Kq2Lw", "Zx9Kq2Lw"),
        ("Cookie: a=b; id=0f9e8d7c6b5a49382716a5b4c3d2e1f0", "0f9e8d7c6b5a49382716a5b4c3d2e1f0"),
        ("password=4821", "4821"),
        ("password=swordfish", "swordfish"),
        ("recovery codes: 1a2b-3c4d", "1a2b-3c4d"),
        ("Swordfish22 is the staging password.", "Swordfish22"),
        ("the vnc password swordfish22", "swordfish22"),
        ("door PIN: 4821", "4821"),
        ("password:\n  swordfish22\n", "swordfish22"),
        ('define("DB_PASSWORD", "swordfish")', "swordfish"),
        ("user,password\nbob,swordfish", "swordfish"),
        ("| user | password |\n|---|---|\n| bob | swordfish |", "swordfish"),
        ("| DB_PASSWORD | swordfish |", "swordfish"),
        ('variable "db_password" {\n  default = "swordfish"\n}', "swordfish"),
        ('<param name="password">swordfish</param>', "swordfish"),
        ("name: DB_PASSWORD\nvalue: swordfish", "swordfish"),
        ("api_token=123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"),
        ("INSERT INTO u (name, password) VALUES ('bob', 'swordfish')", "swordfish"),
        ("my app password: abcd efgh ijkl mnop", "abcd efgh ijkl mnop"),
        ("connection.password Zx9Kq2Lw8R", "Zx9Kq2Lw8R"),
        ("the wifi key is Zx9Kq2Lw8R.", "Zx9Kq2Lw8R"),
        ("next=/x%3Fpassword%3Dswordfish", "next=/x%3Fpassword%3Dswordfish"),
    ],
)  # fmt: skip
def test_the_place_tells_the_secret(text: str, secret: str) -> None:
    assert found(text) == [secret]


@pytest.mark.parametrize(
    "text",
    [
        "mysql -u root -p shop",
        "mysqlcheck -p --all-databases",
        "mysqlshow -p$MYSQL_PWD shop",
        "mysqladmin -u root password",
        "mysqladmin -u root password '$NEW'",
        "mysqladmin -u root password <new>",
        "mysqladmin password is not needed here",
        "rclone config create r s3 env_auth true",
        "rclone config create r sftp pass /run/secrets/pass",
        "rclone config create r sftp pass YOUR_PASS",
        "useradd -p $(openssl passwd -6) ada",
        "usermod -p '!' ada",
        "usermod -aG docker ada",
        "impala-shell -i host -d default",
        "ncftpput -P 2121 -u ada -p $FTP_PASS host . file",
        "redis-cli -a $REDIS_PASSWORD ping",
        "redis-cli -a foobared ping",
        "redis-cli -a$REDIS_PASSWORD -p6379 ping",
        "influx -precision rfc3339 -port 8086",
        "mongo -port 27017 -quiet",
        "openssl req -newkey rsa:2048 -keyout key.pem",
        "redis-cli -a foobar123 ping",
        "REDISCLI_AUTH=$REDIS_PASSWORD redis-cli ping",
        "rabbitmqadmin -P 15672 list queues",
        "password=swordfish[1]",
        "INSERT INTO u (name, password) VALUES ('bob', %s)",
        "INSERT INTO u (name, note) VALUES ('bob', 'password')",
        "next=/x%3Fpage%3Dswordfish",
        "the pin is 12 and the password:\n  see below\n",
        "the token is\nexample-token-1",
        "request_token=123e4567-e89b-12d3-a456-426614174000",
        "authorization: 123e4567-e89b-12d3-a456-426614174000",
        "seed phrase is kept in the safe of the office and is never written to any of the logs",
        "user,password,role\nbob,swordfish",
        "user,role\nbob,admin",
        "| user | password |\n\n| bob | swordfish | x",
        'name: password\n\nvalue: "swordfish"',
        'value: "swordfish"',
        "name: DB_PASSWORD\nvalue: string",
        "name: DB_TOKEN\nvalue: swordfish",
        "name: DB_TOKEN\nvalue: $TOKEN",
        "password: argon2id$v=19",
        "datadog commit: 0f9e8d7c6b5a49382716a5b4c3d2e1f001020304",
    ],
)
def test_the_place_alone_is_no_secret(text: str) -> None:
    assert found(text) == []


def test_a_token_in_two_literals_is_found_whole() -> None:
    token = filled("{w36}", a_source(5))

    text = f'key = "ghp_" + "{token}"'

    assert found(text) == [f'ghp_" + "{token}']


@requirement("gate.secret-shapes-found")
@pytest.mark.parametrize("break_", ["\\\n", "\\\r\n", "\\ "])
@pytest.mark.parametrize("size", [3, 18, 30])
def test_a_token_that_a_shell_joins_is_found_whole(break_: str, size: int) -> None:
    token = filled("{w36}", a_source(8))
    split = break_.join(token[place : place + size] for place in range(0, 36, size))

    assert found(f"echo ghp_{split} | cat") == [f"ghp_{split}"]


def test_a_blank_in_a_path_makes_no_secret() -> None:
    assert found(r"open My\ Documents/Access\ tokens/read\ me.md") == []


def test_two_words_in_two_lines_are_not_joined() -> None:
    first, second = filled("ghp_{w36}", a_source(6)), "and_then_some_more_words"

    assert found(f"{first}\n{second}") == [first]


@pytest.mark.parametrize("line", [0, 76])
def test_a_secret_in_base64_is_found(line: int) -> None:
    secret = filled(
        "export DB_PASSWORD=swordfish{d2} # for the staging database of {w8}", a_source(7)
    )
    encoded = base64.b64encode((secret * 3).encode()).decode()
    if line:
        encoded = "\n".join(encoded[at : at + line] for at in range(0, len(encoded), line))

    assert any(encoded.startswith(hit) or hit in encoded for hit in found(f"run {encoded} now"))


@pytest.mark.parametrize(
    "text", ["QUJDREVGR0hJSktMTU5PUFFSU1Q=A", "/////////////////////////////w"]
)
def test_what_is_no_text_in_base64_is_left_alone(text: str) -> None:
    assert found(text) == []


@requirement("gate.secret-shapes-found")
def test_every_rule_of_the_maintained_sets_is_read_and_bounded() -> None:
    rules = secret_vendors._rules()

    assert len(rules) > 190
    assert {"snyk-api-token", "softlayer-credentials"} <= {rule.name for rule in rules}
    assert all(list(rule.spans("nothing here")) == [] for rule in rules)
    data = Path(secret_vendors.__file__).with_name("rules")
    assert {"LICENSE-gitleaks", "LICENSE-detect-secrets", "README.md"} <= {
        path.name for path in data.iterdir()
    }


def test_a_value_is_a_secret_when_the_name_of_its_vendor_stands_before_it() -> None:
    value = filled("{h8}-{h4}-{h4}-{h4}-{h12}", a_source(8))

    assert [hit.rule for hit in find_secrets(f"the snyk token {value} expired")] == [
        "snyk-api-token"
    ]


DIGITS = "9f8e7d6c5b4a3928" + "1706f5e4d3c2b1a0"


@requirement("gate.secret-shapes-found")
@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ('variable "db_password" {\n  default = "Elefant#12"\n}', "Elefant#12"),
        ("Das Passwort lautet 'Regen.bogen77'.", "Regen.bogen77"),
        ('Le mot de passe est "Orage.bleu77".', "Orage.bleu77"),
        ("Le mot de passe du serveur est Orage.bleu77", "Orage.bleu77"),
        ('La contraseña es "Tormenta.azul77".', "Tormenta.azul77"),
        ('Het wachtwoord luidt "Regen.boog77".', "Regen.boog77"),
        ('Lösenordet är "Regn.bage77".', "Regn.bage77"),
        ('Hasło to "Deszcz.owy77".', "Deszcz.owy77"),
        ("Das Passwort heißt Regenbogen77!", "Regenbogen77!"),
        ('The passphrase is "correct horse battery staple".', "correct horse battery staple"),
        ('passphrase: "correct horse battery staple"', "correct horse battery staple"),
        ('Die Passphrase lautet "korrekt pferd büro klammer".', "korrekt pferd büro klammer"),
        (f"Twilio AC{DIGITS} with auth token {DIGITS[::-1]}", DIGITS[::-1]),
        (f"AC{DIGITS} / {DIGITS[::-1]}", DIGITS[::-1]),
        (f"the secret key {DIGITS}", DIGITS),
        ("login bob / swordfish99!", "swordfish99!"),
        ("account bob : swordfish99!", "swordfish99!"),
        ("snmpwalk -v2c -c Elefant12 10.0.0.1", "Elefant12"),
        ("rclone obscure Elefant12!", "Elefant12!"),
        ("ansible-vault encrypt_string Elefant12! --name x", "Elefant12!"),
        ("lftp -u bob,Elefant12 x.org", "Elefant12"),
        ("netexec smb host -u bob -p Elefant12", "Elefant12"),
        ("kinit bob <<< Elefant12!", "Elefant12!"),
        ("p a s s w o r d: Elefant12!", "Elefant12!"),
        ("p.a.s.s.w.o.r.d = Elefant12!", "Elefant12!"),
        ("nordvpn login --token Elefant12Elefant12aa", "Elefant12Elefant12aa"),
    ],
)
def test_a_secret_in_a_sentence_or_an_option_is_found_whole(text: str, secret: str) -> None:
    assert found(text) == [secret]


@requirement("gate.few-false-alarms")
@pytest.mark.parametrize(
    "text",
    [
        "unzip -P needs an argument, ldapsearch -w too.",
        "unzip -P takes a password.",
        "ldapsearch -w expects the password, so use -W instead.",
        "snmpwalk -c takes the community string.",
        "snmpwalk -v2c -c public localhost",
        "rclone obscure hides a password.",
        "hydra -p tries one password.",
        'The passphrase is "asked for at start".',
        'The passphrase is "never stored on disk".',
        'Le mot de passe est "trop court".',
        'Das Passwort ist "zu kurz", sagt die Maske.',
        "Das Passwort lautet wie im Handbuch beschrieben.",
        "login / logout are separate endpoints.",
        "The login page / signup page share a layout.",
        "Log in as admin / operator roles differ.",
        "The auth token is a 32 digit hex string.",
        f"The md5 of the secret file is {DIGITS}.",
        'Our motto phrase: "ship early and often"',
        "A p a s s through the list is enough.",
        'password = "settings.password2"',
        "The password check is in pallets/flask#1234.",
    ],
)
def test_a_sentence_about_secrets_raises_no_alarm(text: str) -> None:
    assert found(text) == []


@requirement("gate.secret-refused")
@pytest.mark.parametrize(
    "text",
    [
        f"ghp%5F{'a1B2' * 9}",
        f"%67%68p_{'a1B2' * 9}",
        f"&#103;hp_{'a1B2' * 9}",
        f"&#x67;hp_{'a1B2' * 9}",
        "The key is &#065;KIAIOSFODNN7EXAMPLQ, in HTML.",
        "https://example.org/?id=AKIA%49OSFODNN7EXAMPLQ",
    ],
)
def test_a_token_is_found_if_some_of_its_signs_are_codes(text: str) -> None:
    assert find_secrets(text)


@requirement("gate.few-false-alarms")
@pytest.mark.parametrize(
    "text",
    [
        "See https://example.org/a%20b%2Fc?q=%E2%82%AC%7Ename for the list.",
        "It costs &#8364;20, 50%25 less than &#36;40.",
        "The route is /users/%7Bname%7D/repositories/%5Fprivate.",
    ],
)
def test_codes_in_plain_texts_are_no_secrets(text: str) -> None:
    assert find_secrets(text) == ()
