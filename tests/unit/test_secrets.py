from __future__ import annotations

import base64
from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.gates.likeness import looks_chosen
from holdfast.domain.gates.secret_surroundings import header_spans, login_spans
from holdfast.domain.gates.secrets import find_secrets, redact
from tests.requirements import requirement
from torture.secrets_cases import (
    TEMPLATES,
    Placed,
    a_source,
    clean_memories,
    filled,
    lines_of,
    lookalikes,
    placed,
    placed_secrets,
)

SECRETS_PLACED = 1470
SECRETS_CAUGHT = 1450

STAND_INS = (
    "<token>", "$TOKEN", "${TOKEN}", "xxxxxxxxxxxx", "changeme", "your-api-key", "***", "********",
    'os.environ["X"]', "getenv('DB_PASSWORD_2')", "process.env.API_KEY_V2", "{{ vault_password }}",
    "${{ secrets.NPM_TOKEN }}", "%(password)s", "settings.token_v2", "op://vault/item/field2",
)  # fmt: skip
HARMLESS = (
    "The password is hashed with argon2.", "The password is sha256-hashed, then base64 encoded.",
    "Token refresh rotates every 15min.", "The secret is stored in Vault at kv/prod/db2.",
    "password: str | None = None", "token: Optional[str]", "password: String!", "max_tokens: 4096",
    "secretName: db-creds-v2", "password_min_length=12", "TOKEN_TTL=3600s", "token: aGVsbG8=",
    "base64 of hello is aGVsbG8= and of secret is c2VjcmV0",
    "postgres://user:password@localhost/db",
    "The token bucket allows 100 req/s.",
    "Basic authentication is off; Bearer authentication is on.",
    "The memory m_01jabcdefghjkmnpqrstvwxyz0 replaces m_01k0000000000000000000000a.",
    "token = secrets.token_urlsafe(32)", "const token = await getAccessToken2(user)",
    "def test_the_password_is_never_logged_v2(): ...", "passwords must match ^[a-z0-9]{8,}$",
    "The password for staging is in 1Password.", "pass `strict=True` to the loader",
    "if token == self.eof:", "Secrets: see org/some-repository#122",
    "idempotency token 0b9f5e0e-8d7b-4b8a-9a50-3d2f1c7a6e11",
    "Set the token geometry to one of the form =widthxheight+x+y",
    "faster for long passwords. *digest* must either be a hash algorithm name",
    "-----BEGIN RSA PRIVATE KEY----- is how the file starts.", "AKIAIOSFODNN7EXAMPLE is a sample.",
    "src/holdfast/adapters/postgres/SecretStore2Adapter/passwords/token_v2.py",
    "The group 00g1a2b3c4D5E6F7g8h9 maps to the admins role.",
    "Okta user 00u1a2b3c4D5E6F7g8h9 owns the app 0oa1a2b3c4D5E6F7g8h9.",
    "Admins of the workspace T02Qx7bY9kLmN4pR are in the policy `pol3Kd92LmQx8ZtY1vBn`.",
    "The user likes 7up2go! very much.", "The user still prefers dark2light! themes.",
    "Our users love v2rocket! most.",
)  # fmt: skip


def is_found(one: Placed) -> bool:
    return any(hit.start <= one.start and one.end <= hit.end for hit in find_secrets(one.text))


@requirement("gate.secret-shapes-found")
@pytest.mark.parametrize(
    "text",
    ["The user dark2light! has access.", "Log in: the user likes Walnut77!Tree.",
     "The user prefers the password dark2light! there."],
)  # fmt: skip
def test_a_sentence_of_taste_hides_no_secret_near_another_word(text: str) -> None:
    assert len(find_secrets(text)) == 1


@requirement("gate.secret-shapes-found")
def test_at_least_95_of_100_secrets_are_found_whole() -> None:
    everything = placed_secrets(20260114)

    missed = [one for one in everything if not is_found(one)]

    assert len({one.shape for one in everything}) >= 250
    caught = len(everything) - len(missed)
    assert (caught, len(everything)) == (SECRETS_CAUGHT, SECRETS_PLACED), missed
    assert SECRETS_CAUGHT / SECRETS_PLACED >= 0.95


@requirement("gate.secret-shapes-found")
def test_at_least_90_of_100_secrets_of_shapes_written_after_the_rules_are_found() -> None:
    everything = placed(lines_of("secrets_held_out"), 20260116)

    missed = [one for one in everything if not is_found(one)]

    assert len({one.shape for one in everything}) >= 120
    assert len(missed) / len(everything) <= 0.10, sorted({one.shape for one in missed})


@requirement("gate.few-false-alarms")
def test_what_looks_like_a_secret_and_is_none_raises_no_alarm() -> None:
    texts = lookalikes(20260117)

    assert len(texts) > 450
    assert [text for text in texts if find_secrets(text)] == []


def test_fewer_than_1_of_100_clean_memories_raise_an_alarm() -> None:
    memories = clean_memories(20260115)

    alarms = [memory for memory in memories if find_secrets(memory)]

    assert len(set(memories)) > 990
    assert alarms == []


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_speaks_of_secrets_raises_no_alarm(text: str) -> None:
    assert find_secrets(text) == ()


@pytest.mark.parametrize("stand_in", STAND_INS)
@pytest.mark.parametrize("line", ["password: {}", 'API_KEY="{}"', "token={}", "the secret is {}"])
def test_a_stand_in_raises_no_alarm(line: str, stand_in: str) -> None:
    assert find_secrets(line.replace("{}", stand_in)) == ()


@pytest.mark.parametrize(
    "text",
    [
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 fixes the token refresh",
        "token cache entry 5d41402abc4b2a76b9719d911017c592 is stale",
        f"sha256:{sha256(b'x').hexdigest()}",
        "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
        "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDIOPgAHtQGNRtrOg4 is the host's fingerprint",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl bob@host",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIUfHuAPCrBzENvjuaLFL0r9/lX1hiPjeyDF3RWGPuvk0 bob@host",
        "-----BEGIN PUBLIC KEY-----\nlBctCDe3gyQQAf9sVw0xUoPz1L/kV7nYd3Rb8TqWm2cXa5HjE6uJ4iGh\n",
        "The plan is in the Google sheet 1vpX26s3KIc3c0skrxQXbUb5EbPTRz2SN9670m1qZNDV.",
        "pk_live_8qkHG26wZyxramqXkfzrpRBa is the publishable key",
        "https://docs.google.com/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit",
        "testUserCanLoginWithOAuth2AndRefreshTokenRotation",
    ],
)
def test_a_hash_a_public_key_or_a_name_raises_no_alarm(text: str) -> None:
    assert find_secrets(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "The group has the password 00g1a2b3c4D5E6F7g8h9.",
        "user deploy, password 00u1a2b3c4D5E6F7g8h9",
        "The token of the app is 0oa1a2b3c4D5E6F7g8h9.",
        "Log in to the admin user with 00g1a2b3c4D5E6F7g8h9",
        "The admin account of the user Walnut77Tree",
    ],
)
def test_a_value_like_an_id_is_a_secret_where_a_word_says_so(text: str) -> None:
    assert find_secrets(text) != ()


def test_the_mask_shows_at_most_four_characters() -> None:
    token = filled("ghp_{w36}", a_source(1))

    (found,) = find_secrets(f"use {token} here")

    assert found.rule == "github"
    assert found.masked == "ghp_… (40 characters)"


def test_a_short_password_is_masked_whole() -> None:
    (found,) = find_secrets("the password is hunter2")

    assert found.masked == "… (7 characters)"


def test_a_secret_that_was_allowed_raises_no_alarm() -> None:
    token = filled("ghp_{w36}", a_source(2))
    other = filled("ghp_{w36}", a_source(3))
    text = f"GITHUB_TOKEN={token}\nOTHER_TOKEN={other}"

    found = find_secrets(text, allowed=frozenset({sha256(token.encode()).hexdigest()}))

    assert [text[secret.start : secret.end] for secret in found] == [other]


def test_a_secret_known_in_two_ways_is_found_once() -> None:
    token = filled("ghp_{w36}", a_source(4))
    text = f"GITHUB_TOKEN={token}"

    found = find_secrets(text)

    assert [secret.rule for secret in found] == ["github"]
    assert redact(text, found) == "GITHUB_TOKEN=[secret removed: github]"


def test_a_letter_that_grows_in_lower_case_shifts_nothing() -> None:
    text = "İİİ the password is hunter22 now"

    assert redact(text, find_secrets(text)) == "İİİ the password is [secret removed: password] now"


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_any_text_can_be_searched(text: str) -> None:
    found = find_secrets(text)

    assert all(0 <= secret.start < secret.end <= len(text) for secret in found)


TELLING = st.sampled_from(
    ["password", "token=", "secret: ", "://", "@", "a:b", " is ", "eyJ", ".", "Bearer ", "basic ",
     "-u ", "'", '"', "`", "=", "api key ", "hunter2", "Zx9Kq2Lw8Rt5Vb1N", "\n", "é", "İ",
     "-----BEGIN"]
)  # fmt: skip


@given(st.lists(st.one_of(TELLING, st.text(max_size=4)), max_size=24).map("".join))
def test_a_redacted_text_holds_none_of_the_secrets_where_they_stood(text: str) -> None:
    found = find_secrets(text)

    redacted = redact(text, found)

    notes = sum(len(f"[secret removed: {secret.rule}]") for secret in found)
    assert len(redacted) == len(text) + notes - sum(secret.end - secret.start for secret in found)
    assert all(first.end <= second.start for first, second in pairwise(found))


@given(st.integers(), st.sampled_from(TEMPLATES))
def test_a_redacted_token_is_gone(seed: int, template: str) -> None:
    token = filled("github_pat_{w22}_{w59}", a_source(seed))
    text = template.replace("{}", token)

    redacted = redact(text, find_secrets(text))

    assert token not in redacted
    assert find_secrets(redacted) == ()


@pytest.mark.parametrize("value", ["8473!6251", "123e4567-e89b-12d3-a456-426614174000", "v1.22.3"])
def test_numbers_ids_and_versions_do_not_look_like_a_chosen_password(value: str) -> None:
    assert not looks_chosen(value)


@pytest.mark.parametrize(
    ("text", "is_secret"),
    [
        ("The password is 84736251 on staging.", True),
        ("password=123e4567-e89b-12d3-a456-426614174000", True),
        ("password is 123e4567-e89b-12d3-a456-426614174000", False),
    ],
)
def test_a_number_or_an_id_is_a_password_when_it_is_called_one(
    text: str, *, is_secret: bool
) -> None:
    assert bool(find_secrets(text)) is is_secret


def test_a_basic_header_with_a_stand_in_gives_nothing_away() -> None:
    header = base64.b64encode(b"deploy:changeme").decode()

    assert not list(header_spans(f"Authorization: Basic {header}"))


def test_a_password_that_is_no_plain_text_is_found_in_a_basic_header() -> None:
    header = base64.b64encode(b"admin:\xac\x11\xae\x99|X\xf4").decode()
    none = base64.b64encode(b"\xac\x11:\xae\x99|X\xf4").decode()

    assert [rule for rule, _, _ in header_spans(f"Basic {header}")] == ["basic-header"]
    assert not list(header_spans(f"Basic {none} and Basic authentication"))


def test_the_password_inside_a_basic_header_is_found() -> None:
    header = base64.b64encode(b"deploy:t0psecret9x").decode()

    text = f"Authorization: Basic {header}"

    assert [rule for rule, _, _ in header_spans(text)] == ["basic-header"]
    assert find_secrets(text)


def test_a_variable_after_a_name_on_a_command_line_gives_nothing_away() -> None:
    assert list(
        login_spans("curl -u deploy:$DEPLOY_PASSWORD host, curl -u deploy:t0psecret9x host")
    )
    assert not list(login_spans("curl -u deploy:$DEPLOY_PASSWORD host"))


@pytest.mark.parametrize("line", ["the password is {}", "password: {}", "my password was {} then"])
@pytest.mark.parametrize("stress", ["*", "**", "`", '"'])
def test_a_password_is_found_inside_its_stress_or_quotes(line: str, stress: str) -> None:
    text = line.replace("{}", f"{stress}hunter22{stress}")

    (found,) = find_secrets(text)

    assert text[found.start : found.end] == "hunter22"


@pytest.mark.parametrize(
    "line",
    [
        '{"id": "c_20261117T0845Z_cg0epw", "asked_at": "2026-11-17T09:17:39.882+00:00"}',
        '{"id": "m_01m7ma8yzg4e52sssa03hngmpw", "sequence": 1, "space": "default"}',
        '{"span": "s_01m7mawzkrj8tsd1hj9w6zvpw2", "verdict": "fresh", "places": []}',
        "m_03hngmpw: accepted by ada",
    ],
)
def test_letters_of_an_id_that_spell_a_name_announce_no_password(line: str) -> None:
    assert find_secrets(line) == ()


@pytest.mark.parametrize("name", ["db_pw", "s_pw", "smtp_pw", "my_01m7_pw", "x_rootpw"])
def test_a_name_that_resembles_an_id_still_announces_a_password(name: str) -> None:
    assert find_secrets(f"{name}: gr4niteFox77") != ()


@pytest.mark.parametrize(
    "label", ["Signed-off-by", "Co-authored-by", "Reviewed-by", "Author", "From"]
)
def test_the_name_of_a_person_in_a_trailer_is_no_secret(label: str) -> None:
    line = f"{label}: RedGuy12 <61329810+RedGuy12@users.noreply.github.com>"

    assert find_secrets(f"Fix the account page\n\n{line}") == ()
    assert find_secrets(f"{label}: Red Guy12xY9 <red@users.example.org>") == ()


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        (
            "Signed-off-by: {} <ada@users.example.org>",
            "ghp_" + "x8Kq2ZtY7Lw4Bv9NmR3PcHs6JdFgA1uE0oTi",
        ),
        ("Signed-off-by: Ada with password {} <ada@users.example.org>", "RedGuy12xY"),
        ("Signed-off-by: Ada, admin login {}", "RedGuy12xY"),
        ("Signed-off-by: Ada <ada@users.example.org> admin login {}", "RedGuy12xY"),
    ],
)
def test_a_secret_in_a_trailer_is_still_found(line: str, secret: str) -> None:
    text = line.format(secret)

    assert secret in {text[one.start : one.end] for one in find_secrets(text)}


@requirement("gate.secret-shapes-found")
@pytest.mark.parametrize(
    "token",
    [
        "1000.0a1b2c3d4e5f60718293a4b5c6d7e8f9.f0e1d2c3b4a5968778695a4b3c2d1e0f",
        "tfp_" + "x8Kq.ZtY7=w4Bv9-mR3PcHs6J.FgA1uE0oTi_aB3.E5fG7hJ=kL1mN3pQ5r",
    ],
)
def test_tokens_of_forms_and_of_customer_tools_are_found(token: str) -> None:
    text = f"For the nightly job we put {token} into the config."

    assert token in {text[one.start : one.end] for one in find_secrets(text)}
