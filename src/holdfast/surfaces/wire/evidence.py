"""Parse evidence as people, programs and agents write it, and cite it in answers.

A text is a URL, a bundle (``c_…``), a reference with a type prefix (``commit:…``), or else a place
in a file; a file whose name looks like a prefix is written ``./job:1``. An object has ``type`` and
``ref``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType
from holdfast.domain.errors import InvalidError, UnstorableTextError
from holdfast.domain.gates.hidden import storable_problem
from holdfast.domain.memory.evidence import (
    COMMIT,
    UNNAMED,
    Evidence,
    brief_words,
    evidence_from_json,
)
from holdfast.domain.values import replace
from holdfast.usecases.anchors.gather import Grounds

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHORT = {"job": EvidenceType.JOB_RUN}
_BY_PREFIX = {**{kind.value: kind for kind in EvidenceType}, **_SHORT}


class BlankEvidenceError(InvalidError, code="blank-evidence"):
    """An item of the evidence is empty."""

    def __init__(self, index: int) -> None:
        super().__init__(f"Item {index + 1} of the evidence is empty.", index=index)


class TwoBundlesError(InvalidError, code="two-bundles"):
    """A claim can cite only one bundle."""


def read_evidence(item: object, *, index: int = 0) -> Evidence | str:
    """Return one item of evidence; a place in a file is returned as text.

    Raises:
        BadFieldError: It is not evidence.
        BlankEvidenceError: It names nothing.
        UnstorableTextError: It contains something that is not text.
    """
    if isinstance(item, str):
        kind, reference = _told(item)
    else:
        found = item if isinstance(item, Evidence) else evidence_from_json(item)
        if found.type is not EvidenceType.SPAN or found.span is not None:
            return found
        kind, reference = found.type, found.reference
    if not reference.strip():
        raise BlankEvidenceError(index)
    if problem := storable_problem(reference):
        raise UnstorableTextError(what=f"evidence[{index}]", problem=problem)
    return reference if kind is EvidenceType.SPAN else Evidence(type=kind, reference=reference)


def read_grounds(items: Iterable[object], grounds: Grounds) -> Grounds:
    """Return the grounds with these items as their places and evidence.

    Raises:
        BadFieldError: One of them is not evidence.
        BlankEvidenceError: One of them names nothing.
        TwoBundlesError: They name more than one bundle.
        UnstorableTextError: One of them contains something that is not text.
    """
    read = [read_evidence(item, index=index) for index, item in enumerate(items)]
    named = [one for one in read if isinstance(one, Evidence)]
    bundles = {one.reference for one in named if one.type is EvidenceType.BUNDLE}
    if grounds.from_bundle is not None:
        bundles.add(grounds.from_bundle)
    if len(bundles) > 1:
        raise TwoBundlesError
    return replace(
        grounds,
        places=tuple(one for one in read if isinstance(one, str)),
        given=tuple(one for one in named if one.type is not EvidenceType.BUNDLE),
        from_bundle=next(iter(bundles), None),
    )


def citation(evidence: Evidence) -> str:
    """Return evidence as an agent would write it; free text is shortened."""
    words = brief_words(evidence)
    if evidence.type is EvidenceType.COMMIT:
        words = evidence.facts.get(COMMIT, evidence.reference)
    return words if evidence.type in UNNAMED else f"{evidence.type.value}:{words}"


def _told(text: str) -> tuple[EvidenceType, str]:
    """Return the type prefix of a text and the rest; a place in a file has no prefix."""
    word = text.strip()
    if word.startswith(("https://", "http://")):
        return EvidenceType.URL, word
    if word.startswith("c_") and not any(sign in word for sign in "/.:"):
        return EvidenceType.BUNDLE, word
    prefix, colon, rest = word.partition(":")
    kind = _BY_PREFIX.get(prefix.lower()) if colon else None
    return (EvidenceType.SPAN, text) if kind is None else (kind, rest.strip())
