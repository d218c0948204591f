"""Read a request: its body, its query and its headers, each against the schema of the route."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, cast

from holdfast.domain.errors import BadFieldError
from holdfast.domain.exchange.anchor_shape import branch_point_from_json
from holdfast.domain.memory.place import DEFAULT_WORKSPACE, Place
from holdfast.domain.service.idempotency import read_key
from holdfast.surfaces.http.refusals import BodyNotJsonError, BodyTooLargeError, ContentTypeError
from holdfast.surfaces.wire.checking import check
from holdfast.surfaces.wire.schema.service import PLACE
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.requests import Request

    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.memory.place import SpaceId
    from holdfast.surfaces.http.table import Json, Route

_JSON = "application/json"
_UTF_8 = frozenset({"utf-8", "utf8"})
_NOT_TEXT = "contains half a character, which is not text."
_BAD_VERSION = "takes the ETag of a memory, in quotes, or *."
_HEAD = "parameter 'head'"
_NO_HEAD = "is missing; 'aside' and 'shared' say something about it."
_TRUTHS = {"true": True, "false": False}
VERSIONS = r'^(\*|(W/)?"[!#-~]*"( ?, ?(W/)?"[!#-~]*")*)$'
"""What the header If-Match takes, as a regular expression; a version may be none of ours."""
_TOO_DEEP = "The body of the request is nested too deeply to be read."
_TOO_LONG = "The body of the request contains a number with too many digits to be read."


async def read_body(request: Request, *, most: int) -> bytes:
    """Return the body of a request.

    Raises:
        BodyTooLargeError: It is larger than the server allows.
    """
    said = request.headers.get("content-length", "")
    if said.isdigit() and int(said) > most:
        raise BodyTooLargeError(most)
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise BodyTooLargeError(most)
    return bytes(body)


def parse_body(request: Request, raw: bytes, route: Route) -> Json:
    """Return the object that a body contains; a route whose fields are optional takes none.

    Raises:
        ContentTypeError: It is not said to be JSON in UTF-8, or it is compressed.
        BodyNotJsonError: It is not JSON, or cannot be read as JSON.
        BadFieldError: It does not fit the schema, or a header is given twice.
    """
    if route.body is None:
        if raw:
            raise BadFieldError(field="body", problem="must be empty for this route.")
        return {}
    if not raw and not route.body["required"] and "anyOf" not in route.body:
        return {}
    if not _is_plain_json(request):
        raise ContentTypeError
    value = _json(raw)
    check(value, route.body, noun="body")
    return cast("Json", value)


def _json(raw: bytes) -> object:
    """Return what a JSON text contains.

    Raises:
        BodyNotJsonError: It is not JSON, or cannot be read as JSON.
        BadFieldError: It names a field twice, or contains what cannot be stored.
    """
    try:
        value = json.loads(
            raw.decode("utf-8-sig"), parse_constant=_no_number, object_pairs_hook=_once
        )
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise BadFieldError(field="body", problem=_NOT_TEXT) from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise BodyNotJsonError from error
    except RecursionError as error:
        raise BodyNotJsonError(_TOO_DEEP) from error
    except ValueError as error:
        raise BodyNotJsonError(_TOO_LONG) from error
    return value


def _is_plain_json(request: Request) -> bool:
    """Return whether a body is said to be JSON in UTF-8, and not compressed."""
    kind, *parameters = _only(request, "Content-Type").lower().split(";")
    charsets = {
        value.strip().strip('"')
        for name, _, value in (one.partition("=") for one in parameters)
        if name.strip() == "charset"
    }
    coding = _only(request, "Content-Encoding").strip().lower() or "identity"
    return kind.strip() == _JSON and charsets <= _UTF_8 and coding == "identity"


def _only(request: Request, name: str) -> str:
    """Return the value of a header that a request may have once; '' if there is none.

    Raises:
        BadFieldError: It is given twice; a proxy may go by the other one.
    """
    values = request.headers.getlist(name)
    if len(values) > 1:
        raise BadFieldError(field=f"header {name}", problem="is given twice.")
    return values[0] if values else ""


def _no_number(name: str) -> object:
    raise BadFieldError(field="body", problem=f"contains {name}, which is no JSON number.")


def _once(pairs: list[tuple[str, object]]) -> Json:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BadFieldError(field="body", problem="names a field twice.")
    return found


def parse_query(request: Request, route: Route) -> Json:
    """Return the query parameters of a route, each with its type.

    Raises:
        BadFieldError: One is unknown, missing, given twice, or does not fit its schema.
    """
    known = {**PLACE, **route.query}
    found: Json = {}
    for name in dict.fromkeys(name for name, _ in request.query_params.multi_items()):
        if name not in known:
            takes = ", ".join(sorted(known))
            problem = f"is unknown; this route takes {takes}."
            raise BadFieldError(field=f"parameter '{name[:40]}'", problem=problem)
        noun = f"parameter '{name}'"
        value = _typed(request.query_params.getlist(name), known[name], noun=noun)
        check(value, known[name], noun=noun)
        found[name] = storable(name, value)
    for name in route.needs:
        if name not in found:
            raise BadFieldError(field=f"parameter '{name}'", problem="is missing.")
    return found


def storable(name: str, value: object) -> object:
    """Return a query parameter, screened if it names the place of a request: that is stored.

    Raises:
        SecretRefusedError: It contains a secret.
        UnstorableTextError: It contains a NUL.
    """
    if name in PLACE and isinstance(value, str):
        return screened(value, what=f"parameter '{name}'")
    return value


def _typed(words: list[str], schema: Json, *, noun: str) -> object:
    if schema["type"] == "array":
        return list(words)
    if len(words) > 1:
        raise BadFieldError(field=noun, problem="is given twice.")
    (word,) = words
    if schema["type"] == "boolean":
        return _TRUTHS.get(word, word)
    if schema["type"] == "integer":
        digits = word.removeprefix("-")
        return int(word) if digits.isascii() and digits.isdigit() and len(word) < 19 else word  # noqa: PLR2004 - 64 bits
    return word


def place_of(query: Json, space: SpaceId) -> Place:
    """Take the place of the request out of its query, and return it."""
    return Place(
        space=space,
        workspace=str(query.pop("workspace", DEFAULT_WORKSPACE)),
        repo=cast("str | None", query.pop("repo", None)),
        branch=cast("str | None", query.pop("branch", None)),
    )


def branch_point_of(query: Json) -> BranchPoint | None:
    """Take the checked-out commit out of the query of a request; None if it names none.

    Raises:
        BadFieldError: It is no hash, or is described without being named.
    """
    shape: Json = {name: query.pop(name) for name in ("head", "aside", "shared") if name in query}
    if not shape:
        return None
    if "head" not in shape:
        raise BadFieldError(field=_HEAD, problem=_NO_HEAD)
    shape["branch"] = query.get("branch")
    return branch_point_from_json(shape)


def idempotency_key(request: Request) -> str | None:
    """Return the idempotency key of a request; None if it has none.

    Raises:
        BadFieldError: It is blank, too long, given twice, or not visible text.
    """
    if "idempotency-key" not in request.headers:
        return None
    return read_key(_only(request, "Idempotency-Key"), field="Idempotency-Key")


def wanted_version(request: Request) -> str | None:
    """Return the header If-Match of a request; None if it has none.

    Raises:
        BadFieldError: It is no list of versions.
    """
    if "if-match" not in request.headers:
        return None
    given = ", ".join(request.headers.getlist("if-match"))
    if re.match(VERSIONS, given) is None:
        raise BadFieldError(field="If-Match", problem=_BAD_VERSION)
    return given


def bearer_token(values: Iterable[str]) -> str:
    """Return the token of the header Authorization; '' if there is none."""
    found = list(values)
    scheme, _, token = found[0].partition(" ") if len(found) == 1 else ("", "", "")
    return token.strip() if scheme.lower() == "bearer" else ""
