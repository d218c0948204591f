"""A place in a file is no secret, whatever the file is called; a secret beside it still is one."""

from __future__ import annotations

import pytest

from holdfast.domain.gates.file_places import with_places_covered
from holdfast.domain.gates.secrets import find_secrets
from tests.requirements import requirement

NAMES = (
    "auth", "_auth", "token", "tokens", "secret", "secrets", "password", "passwords", "passwd",
    "api_key", "apikey", "credential", "credentials", "private_key", "access_key", "secret_key",
    "client_secret", "pwd", "pass", "authorization", "pin",
)  # fmt: skip
PLACES = (
    "src/{}.py:40-58@c354a25#dafff92f0a73",
    "src/{}.py:40@c354a25b1#dafff92f0a73",
    "src/{}.py:4821",
    "src/{}.py:40-58@c354a25",
    "src/{}.py:L40-L58",
    "bin/{}:40-58@c354a25#dafff92f0a73",
    "- Evidence: `src/{}.py:40-58@c354a25#dafff92f0a73`, `src/{}.py:77@c354a25#aafff92f0a73`",
    "See httpx/{}.py:145-172@ae1b9f6#0f1e2d3c4b5a for the netrc code.",
    "The admin account is checked in {}.go:1544@8b222e1#af993852e1bf.",
    "src/{}.cpp:378@9d94928#de3fac4061ae\nsrc/pwd.cpp:378@9d94928#de3fac4061ae",
    "| API key | src/{}.ts:12@c354a25#dafff92f0a73 |",
    "https://git.example.org/o/r/blob/main/src/{}.py#L40-L58",
    '  File "src/{}.py", line 40, in refresh\n    raise ValueError(1)',
    "src/{}.py:40:x40 = compute(40)",
    "src/{}.py:40:@cache",
    'src/{}.py:40:@requirement("task.lost-lease-refused")',
    "src/{}.py:40:5: error: Incompatible return value type  [return-value]",
    "c354a25b src/{}.py (Ada 2024-05-01 10:12:33 +0200 40) x40 = compute(40)",
    "FAILED tests/{}.py::TestLogin::test_refresh[a1-b2] - assert 1 == 2",
    "FAILED tests/test_{}.py::test_refresh - assert 1 == 2",
    "diff --git a/src/{}.py b/src/{}.py\nindex c354a25..dafff92 100644\n@@ -40,7 +40,7 @@ def f():",
    "    at refresh (/srv/app/{}.js:40:15)",
)  # fmt: skip
SECRETS = (
    "ghp_x4Kd9LmQ2Zt7Yv1Bn8Rc5Wj3Hs6Pf0Ga2Ue4", "AKIAQ3EGR7XJ2LZ5TW4N",
    "0f9e8d7c6b5a49382716a5b4c3d2e1f0", "0f9e8d7c6b5a49382716a5b4c3d2e1f001020304",
    "x4Kd9LmQ2Zt7Yv1Bn8Rc", "0f9e8d7c6b5a4938", "Sunshine77", "Zx9!Kq2#Lw",
    "sk_live_x4Kd9LmQ2Zt7Yv1Bn8Rc5Wj3",
)  # fmt: skip
AROUND = (
    "src/tokens.py:{}@c354a25#dafff92f0a73",
    "src/password.py:40-{}@c354a25#dafff92f0a73",
    "src/tokens.py:40-58@{}#dafff92f0a73",
    "src/password.py:40-58@{}",
    "src/tokens.py:40-58@c354a25#{}",
    "src/password.py:40-58#{}",
    "src/password.py:40-58@c354a25#dafff92f0a73{}",
    "src/password.py:40-58@c354a25#dafff92f0a73:{}",
    "src/password.py:40-58@c354a25#dafff92f0a73-{}",
    "src/password.py:40-58@c354a25#dafff92f0a73 password: {}",
    "token={}.py:40-58@c354a25",
    "password={}.py:40-58@c354a25#dafff92f0a73",
    "password.txt:1:{}",
    "conf/password.yml:12: password: {} # staging",
    "conf/token.env:12:API_TOKEN={} # staging",
    "db.password.prod:{}",
    "https://ada:{}@db.example.org/token.py:40",
    "https://example.org/token.py#L40-L58?token={}",
    "tests/test_token.py::{}",
)


@requirement("gate.places-are-no-secrets")
@pytest.mark.parametrize("place", PLACES)
def test_a_place_in_a_file_with_the_name_of_a_secret_raises_no_alarm(place: str) -> None:
    texts = [place.replace("{}", name) for name in NAMES]

    assert [text for text in texts if find_secrets(text)] == []


@requirement("gate.places-are-no-secrets")
@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_in_any_part_of_a_place_or_after_it_is_found(secret: str, around: str) -> None:
    text = around.replace("{}", secret)
    start = text.index(secret)

    assert any(hit.start < start + len(secret) and start < hit.end for hit in find_secrets(text)), (
        text
    )


@pytest.mark.parametrize("key", SECRETS[:2])
def test_a_key_in_the_path_of_a_place_is_found(key: str) -> None:
    assert find_secrets(f"src/{key}.py:40-58@c354a25#dafff92f0a73")


@requirement("gate.places-are-no-secrets")
@pytest.mark.parametrize(
    "text",
    [
        "api.password.live:83746152",
        "db.pass.main:1234567",
        "password john.smith:847362519",
        "password: hunter2.abc:99",
        "The root password is Tr0ub4dor.x:3",
    ],
)
def test_a_word_with_a_dot_and_without_a_folder_is_no_file_by_that(text: str) -> None:
    assert find_secrets(text)


def test_the_lines_of_a_place_are_covered_and_nothing_moves() -> None:
    text = "see a/b.py:40-58@c354a25#dafff92f0a73, host:5432 and db.pin:4821."

    covered = with_places_covered(text)

    assert covered == "see a/b.py" + "," * 27 + ", host:5432 and db.pin:4821."
    assert len(covered) == len(text)
    assert with_places_covered("no place") == "no place"
