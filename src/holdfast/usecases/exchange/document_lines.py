"""Export and import of the records of frameworks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.domain.documents.document import document_from_json, document_json
from holdfast.domain.errors import BadFieldError
from holdfast.domain.values import replace
from holdfast.usecases.documents.screening import BYTES, DEEPEST, document_body, document_name
from holdfast.usecases.exchange.agent_lines import export_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.ports.store.store import Transaction

DOCUMENT = "document"
"""The type of these lines."""
_PAGE = 200


def document_lines(tx: Transaction) -> Iterator[str]:
    """Return the lines of all documents, in the order in which they came."""
    beyond = 0
    while page := tx.names.documents.page(beyond=beyond, limit=_PAGE):
        yield from (export_line(DOCUMENT, document_json(one)) for one in page)
        beyond = page[-1].place


def take_document(data: object, *, tx: Transaction) -> bool:
    """Take one line in; return whether it was new. What is here already stays as it is.

    Raises:
        BadFieldError: It is no document, or its memory is not here.
        SecretRefusedError: It contains a secret.
    """
    read = document_from_json(data)
    document = replace(
        read,
        name=document_name(read.name),
        body=document_body(_with_bytes(json.loads(read.body)), what=DOCUMENT),
    )
    memory_id = document.memory_id
    if memory_id is not None and not tx.memories.get_many([memory_id]):
        raise BadFieldError(field="document", problem=f"is of {memory_id}, which is not here.")
    if tx.names.documents.get([document.name]):
        return False
    tx.names.documents.put(document)
    return True


def _with_bytes(value: object, depth: int = 0) -> object:
    """Return a value with its bytes as bytes, so that they pass the gate for bytes."""
    if depth > DEEPEST:
        raise BadFieldError(field=DOCUMENT, problem=f"is nested more than {DEEPEST} deep.")
    match value:
        case dict() if set(value) == {BYTES}:
            return _decoded(value[BYTES])
        case dict():
            return {name: _with_bytes(item, depth + 1) for name, item in value.items()}
        case list():
            return [_with_bytes(item, depth + 1) for item in value]
        case _:
            return value


def _decoded(text: object) -> bytes:
    from base64 import b64decode

    try:
        return b64decode(str(text), validate=True)
    except ValueError:
        raise BadFieldError(field="body", problem="has bytes that are no base64.") from None
