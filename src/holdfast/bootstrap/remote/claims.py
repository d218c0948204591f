"""Sends claims to a server; their evidence is read here, where the files are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.bootstrap.remote.asking import given, plain
from holdfast.bootstrap.remote.reading import (
    listed,
    read_remembered,
)
from holdfast.domain.choices import Kind, Origin
from holdfast.domain.errors import BlankClaimError, NoEvidenceError
from holdfast.domain.exchange.shapes import (
    recorded_span_json,
)
from holdfast.domain.memory.evidence import RecordedSpan, evidence_json
from holdfast.domain.memory.several import each_claim
from holdfast.domain.values import replace
from holdfast.usecases.anchors.gather import gather, identified
from holdfast.usecases.screening import (
    Screened,
    SecretPolicy,
    clean_metadata,
    screen,
    screened_checks,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.bootstrap.remote.asking import Asking
    from holdfast.domain.ids import SpanId
    from holdfast.domain.memory.evidence import Span
    from holdfast.usecases.anchors.gather import Gathered
    from holdfast.usecases.memory.remember import Remember, Remembered

    Json = dict[str, object]


_CONFIDENTIAL = "a text with a secret is not sent there"
_DEFAULTS = {"kind": Kind.FACT, "importance": 0.5, "weight": 1.0}


def remember(at: Asking, wish: Remember) -> Remembered:
    """Keep a claim; its evidence is read here, where the files are."""
    body, said = _claim(at, wish)
    return at.send(
        "POST",
        "/v1/memories",
        lambda answer: read_remembered(at, answer, said),
        body=body,
        # What waits is kept in a file, in clear.
        may_wait=not wish.sensitive,
    )


def remember_all(at: Asking, wishes: Sequence[Remember]) -> Sequence[Remembered]:
    """Keep many claims, all of them or none."""
    made = each_claim(wishes, lambda wish: _claim(at, wish))
    return at.send(
        "POST",
        "/v1/memories/batch",
        lambda answer: [
            read_remembered(at, one, said)
            for one, (_, said) in zip(
                listed(answer, "remembered", noun="memory"), made, strict=True
            )
        ],
        body={"claims": [body for body, _ in made]},
        may_wait=not any(wish.sensitive for wish in wishes),
    )


def _claim(at: Asking, wish: Remember) -> tuple[Json, Screened]:
    """Return the body of a claim, with its evidence read and every text screened."""
    if wish.secrets is SecretPolicy.ALLOW:
        raise at.refused(_CONFIDENTIAL)
    said = screen(wish.claim, what="claim", secrets=wish.secrets)
    local = at.holdfast
    grounds = wish.grounds
    found = gather(
        replace(grounds, from_bundle=None, derived_from=()),
        surroundings=local.surroundings,
        clock=local.clock,
        secrets=wish.secrets,
    )
    found = identified(found, verifier=local.verifier)
    _refuse_unfounded(wish, found)
    read = {span.id for span in found.spans}
    others = [evidence_json(item) for item in found.evidence if item.span not in read]
    body: Json = {
        **given(
            claim=said.text,
            scope=wish.scope,
            key=None if wish.key is None else plain(wish.key, "key"),
            label=None if wish.label is None else plain(wish.label, "label"),
            source=wish.source,
            from_bundle=grounds.from_bundle,
            ttl=_lifetime(wish),
            pinned=wish.pinned or None,
            sensitive=wish.sensitive or None,
        ),
        **{name: getattr(wish, name) for name in _DEFAULTS if _is_said(wish, name)},
        "tags": [plain(tag, "tag") for tag in wish.tags],
        "checks": list(screened_checks(wish.checks, secrets=wish.secrets)),
        "metadata": dict(clean_metadata(wish.metadata, secrets=wish.secrets)),
        "derived_from": list(grounds.derived_from),
        "evidence": others,
        "spans": [recorded_span_json(_recorded(span)) for span in found.spans],
    }
    if wish.origin is not Origin.HUMAN:
        body["origin"] = wish.origin
    stated = {
        name: value for name, value in body.items() if value not in ([], {}) or name in wish.stated
    }
    return stated, said


def _is_said(wish: Remember, name: str) -> bool:
    """Return whether a request gives a field itself; a default would change a known memory."""
    return name in wish.stated or getattr(wish, name) != _DEFAULTS[name]


def _refuse_unfounded(wish: Remember, found: Gathered) -> None:
    """Refuse here what every server refuses, so that it does not wait for one.

    Raises:
        BlankClaimError: There is no claim, and no bundle whose content becomes it.
        NoEvidenceError: There is no evidence.
    """
    grounds = wish.grounds
    if not wish.claim.strip() and grounds.from_bundle is None:
        raise BlankClaimError
    if not found.evidence and grounds.from_bundle is None and not grounds.derived_from:
        raise NoEvidenceError


def _recorded(span: Span) -> RecordedSpan:
    return RecordedSpan(
        path=span.path,
        first=span.first,
        last=span.last,
        text_hash=span.text_hash,
        anchor=span.anchor,
    )


def _lifetime(wish: Remember) -> str | None:
    """Return a lifetime as a request writes it, in the largest unit that divides it."""
    if wish.keep_for is None:
        return "never" if "ttl" in wish.stated else None
    seconds = int(wish.keep_for.total_seconds())
    for unit, size in (("d", 86_400), ("h", 3_600), ("m", 60)):
        if seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def spans(at: Asking, names: Sequence[SpanId]) -> Mapping[SpanId, Span]:
    """Return several places in files."""
    return at.spans(names)
