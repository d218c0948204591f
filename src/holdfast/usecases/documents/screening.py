"""The gates for documents: secrets are refused and hidden characters removed, all else stays.

Other texts lose a carriage return before a line feed; a document keeps it, because frameworks
compare what they read with what they wrote.
"""

from __future__ import annotations

import json
import math
from base64 import b64encode
from collections.abc import Mapping
from functools import lru_cache

from holdfast.domain.documents.document import LARGEST_DOCUMENT, DocumentName
from holdfast.domain.errors import (
    BadFieldError,
    SecretRefusedError,
    TooLargeError,
    UnstorableTextError,
)
from holdfast.domain.gates.hidden import make_visible, storable_problem
from holdfast.domain.gates.secrets import find_secrets
from holdfast.domain.values import replace

BYTES = "$bytes"
"""The name under which the value of a document has bytes, in base64."""
DEEPEST = 64
_ENTROPY = "high-entropy"
# Providers of models sign and encrypt what they want back unchanged; it looks random, and is meant
# to. Other rules than the one about randomness apply to it.
_SEALED = frozenset(
    {"encrypted_content", "signature", "thought_signature", "thoughtSignature", "data", "image_url"}
)
_LINE_END = "\r\n"


def document_body(value: object, *, what: str) -> str:
    """Return the JSON of a value as it may be stored.

    Raises:
        BadFieldError: The value contains something that is neither JSON nor bytes.
        SecretRefusedError: A text in it contains a secret.
        UnstorableTextError: A text in it contains a NUL or half a character.
        TooLargeError: It is larger than a document may be.
    """
    body = json.dumps(_clean(value, what, "", 0), ensure_ascii=False, separators=(",", ":"))
    size = len(body.encode("utf-8"))
    if size > LARGEST_DOCUMENT:
        raise TooLargeError(what=what, size=size, cap=LARGEST_DOCUMENT)
    return body


def document_name(name: DocumentName) -> DocumentName:
    """Return the name of a document as it may be stored.

    Raises:
        SecretRefusedError: It contains a secret.
        UnstorableTextError: It contains a NUL or half a character.
    """
    return replace(
        name,
        namespace=tuple(document_text(label, what="namespace") for label in name.namespace),
        key=document_text(name.key, what="key"),
    )


def document_text(text: str, *, what: str) -> str:
    """Return one text as it may be stored.

    Raises:
        SecretRefusedError: It contains a secret.
        UnstorableTextError: It contains a NUL or half a character.
    """
    return _screened(text, what, "")


def _clean(value: object, what: str, name: str, depth: int) -> object:
    if depth > DEEPEST:
        raise BadFieldError(field=what, problem=f"is nested more than {DEEPEST} deep.")
    match value:
        case str():
            return _screened(value, what, name)
        case Mapping():
            return {
                _label(key, what): _clean(item, what, str(key), depth + 1)
                for key, item in value.items()
            }
        case list() | tuple():
            return [_clean(item, what, name, depth + 1) for item in value]
        case bytes():
            return _bytes(value, what)
        case bool() | int() | None:
            return value
        case float() if math.isfinite(value):
            return value
        case _:
            raise BadFieldError(field=what, problem=f"holds {value!r:.40}, which is not JSON.")


def _label(key: object, what: str) -> str:
    if not isinstance(key, str):
        raise BadFieldError(field=what, problem=f"has the name {key!r:.40}, which is not text.")
    return _screened(key, what, "")


def _bytes(value: bytes, what: str) -> dict[str, str]:
    """Return bytes as JSON; the texts in them are looked through for secrets.

    Serialised objects are full of ids and numbers, so randomness alone is no sign there.
    """
    text = value.decode("utf-8", "ignore")
    words = "".join(one if one.isprintable() else "\n" for one in text)
    _refuse_secrets(words, what, is_sealed=True)
    return {BYTES: b64encode(value).decode("ascii")}


@lru_cache(maxsize=256)
def _screened(text: str, what: str, name: str) -> str:
    if problem := storable_problem(text):
        raise UnstorableTextError(what=what, problem=problem)
    visible = _LINE_END.join(make_visible(part).text for part in text.split(_LINE_END))
    _refuse_secrets(visible, what, is_sealed=name in _SEALED)
    if name and name not in _SEALED:
        # A password alone is not recognisable; under the name ``password`` it is.
        _refuse_secrets(f"{name}: {visible}", what, is_sealed=name in _SEALED)
    return visible


def _refuse_secrets(text: str, what: str, *, is_sealed: bool) -> None:
    found = find_secrets(text)
    if is_sealed:
        found = tuple(one for one in found if one.rule != _ENTROPY)
    if found:
        raise SecretRefusedError(f"{one.rule} ({one.masked}) in the {what}" for one in found)
