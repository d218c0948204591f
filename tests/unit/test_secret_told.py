"""Secrets that a sentence tells, and sentences that look like them."""

from __future__ import annotations

import pytest

from holdfast.domain.gates.secret_told import is_hex_key, is_told_phrase
from holdfast.domain.gates.secrets import find_secrets
from tests.requirements import requirement

KEY = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
SHORT = "415290769594460e2e485922904f345d"
# The secret stands between « and ».
TOLD = (
    "wifi password: «Winter_2024»",
    "staging password: «Heron_7741»",
    "The password is «BlueHeron_7741».",
    "Password for staging is «Heron_7741»",
    "staging passphrase: «Heron_7741»",
    "The vpn password is «Otter_88»",
    "vnc password «Maple_2021»",
    "login bob / «BlueHeron_7741»",
    "user alice / «Walnut_771»",
    "Office wifi key: «BlueHeron_7741»",
    "WPA2 key «BlueHeron_7741»",
    "Guest WLAN key is «Maple_Leaf_42»",
    f"private key «0x{KEY}»",
    f"The key is «0x{KEY}»",
    f"DEPLOYER_KEY=«0x{KEY}»",
    f"secret «0x{KEY}»",
    f"Account key «0x{KEY}»",
    f"wallet key «{KEY}»",
    f"The key for api.acme.io is «{SHORT}»",
    "LUKS passphrase «blue heron sings»",
    "The BitLocker passphrase is «green otter dances slowly»",
    "The code of the server room door is «48213»",
    "the code of the alarm is «9921»",
    "code for the safe: «55120»",
    "door code «8842#»",
    "The gate combination «190473*» opens both wings.",
    "The passphrase is «correct horse battery staple»",
    "passphrase for the archive: «tundra mango velvet piano»",
)
CLEAN = (
    "The key is user_id",
    "cache key v2_2024",
    "primary key user_2024",
    "The redis key is session_2024",
    "partition key: events_2024",
    "The password field is user_password_2",
    "password: PASSWORD_2",
    "password: Example_1234",
    "The password policy is policy_v2",
    f"sha256 {KEY}",
    f"cache key {KEY}",
    f"public key 0x{KEY}",
    f"PUBLIC_KEY=0x{KEY}",
    f"The hash is 0x{KEY}",
    f"transaction 0x{KEY}",
    f"The key is 0x{'0' * 64}",
    "LUKS passphrase rotation runs nightly",
    "LUKS passphrase prompts appear twice",
    "The disk passphrase is read from the prompt",
    "The passphrase dialog blocks",
    "The error code of the server is 50213",
    "The status code of the door service is 5031",
    "the code of the module is 4000 lines",
    "The door code 8842 is no code of ours",
    "room code 101#",
    "The passphrase is four short common words",
    "The passphrase is shared among team members",
    "The passphrase is stronger than most passwords",
    "The passphrase is optional but strongly recommended here",
    "passphrase is never written to logs",
    "Le mot de passe est « obligatoire »",
)


@requirement("gate.secret-shapes-found")
@pytest.mark.parametrize("marked", TOLD)
def test_a_secret_that_a_sentence_tells_is_found(marked: str) -> None:
    before, secret, after = marked.replace("»", "«").split("«")

    found = find_secrets(before + secret + after)

    assert [(one.start <= len(before), one.end >= len(before + secret)) for one in found] == [
        (True, True)
    ]


@requirement("gate.secret-shapes-found")
@pytest.mark.parametrize("text", CLEAN)
def test_a_sentence_that_only_looks_alike_passes(text: str) -> None:
    assert find_secrets(text) == ()


@requirement("gate.secret-shapes-found")
def test_a_password_in_the_quotes_of_other_languages_is_found() -> None:
    texts = ("le mot de passe est « Soleil42 »", "la contraseña es « Girasol42 »")

    found = [[text[one.start : one.end] for one in find_secrets(text)] for text in texts]

    assert found == [["Soleil42"], ["Girasol42"]]


def test_a_phrase_is_no_sentence_and_a_key_is_random() -> None:
    assert is_told_phrase("blue heron sings")
    assert not is_told_phrase("blue heron")
    assert not is_told_phrase("unlocking fails twice")
    assert is_hex_key(KEY)
    assert not is_hex_key("0x" + "12" * 32)
