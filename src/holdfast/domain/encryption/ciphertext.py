"""A ciphertext: the encrypted content of one record, and the key that reads it."""

from __future__ import annotations

import re
from typing import NewType

from holdfast.domain.errors import BadFieldError
from holdfast.domain.fields import Fields
from holdfast.domain.values import dataclass

KeyId = NewType("KeyId", str)
"""The name of an encryption key, derived from the key itself: another key has another name."""

LONGEST_BODY = 2 * 1024 * 1024
_KEY_ID = re.compile(r"k_[0-9a-f]{16}")
_DIGEST = re.compile(r"(?:[0-9a-f]{64})?")
_BODY = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_RECORD = re.compile(r"m_[0-9A-Za-z_]{1,62}|a_[0-9A-Za-z_]{1,62} (?:directives|\d{1,18} \w+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ciphertext:
    """The encrypted content of a record.

    ``record`` names the record, and is bound to the content: under another name it cannot be read.
    ``digest`` is a keyed hash of a claim, by which equal claims are found; empty for other
    records. ``body`` is the nonce and the encrypted bytes, in base64.
    """

    record: str
    key_id: KeyId
    digest: str = ""
    body: str


def read_key_id(text: str) -> KeyId:
    """Return the id of an encryption key.

    Raises:
        BadFieldError: It has another form.
    """
    if _KEY_ID.fullmatch(text) is None:
        raise BadFieldError(field="encryption key", problem=f"'{text[:40]}' is no id, as k_….")
    return KeyId(text)


def directives_record(agent_id: str) -> str:
    """Return the name of the record that holds the directives of an agent."""
    return f"{agent_id} directives"


def cycle_record(agent_id: str, index: int, part: str) -> str:
    """Return the name of the record that holds a proposal or a result of a cycle."""
    return f"{agent_id} {index} {part}"


def ciphertext_json(ciphertext: Ciphertext) -> dict[str, object]:
    """Return the JSON of a ciphertext, as exported."""
    return {
        "record": ciphertext.record,
        "key_id": ciphertext.key_id,
        "digest": ciphertext.digest,
        "body": ciphertext.body,
    }


def ciphertext_from_json(shape: object) -> Ciphertext:
    """Read an exported ciphertext.

    Raises:
        BadFieldError: A field has another form than a ciphertext has.
    """
    fields = Fields(shape, noun="ciphertext")
    record, digest, body = fields.text("record"), fields.text("digest"), fields.text("body")
    forms = (("record", record, _RECORD), ("digest", digest, _DIGEST), ("body", body, _BODY))
    for name, text, form in forms:
        if len(text) > LONGEST_BODY or form.fullmatch(text) is None:
            raise BadFieldError(field=name, problem="is not that of a ciphertext.")
    return Ciphertext(
        record=record, key_id=read_key_id(fields.text("key_id")), digest=digest, body=body
    )
