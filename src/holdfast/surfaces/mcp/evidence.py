"""What an agent names as evidence, read into grounds that the memory can check."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from holdfast.domain.choices import EvidenceType
from holdfast.domain.errors import InvalidError, UnstorableTextError
from holdfast.domain.evidence import COMMIT, UNNAMED, Evidence, brief_words
from holdfast.domain.gates.hidden import storable_problem
from holdfast.usecases.gather import Grounds

if TYPE_CHECKING:
    from collections.abc import Sequence


class AgentsWordError(InvalidError, code="agents-word"):
    """A statement of an agent is not evidence by itself; only a person's own word is."""


class BlankEvidenceError(InvalidError, code="blank-evidence"):
    """An item of the evidence names nothing."""

    def __init__(self, index: int) -> None:
        super().__init__(f"evidence[{index}] names nothing.", index=index)


class TwoBundlesError(InvalidError, code="two-bundles"):
    """A claim comes from one bundle; name the one it rests on."""


def grounds_of(items: Sequence[object], *, because: str | None) -> Grounds:
    """Return the grounds an agent gives.

    Raises:
        AgentsWordError: There is nothing but the agent's own word.
        BlankEvidenceError: An item names nothing.
        TwoBundlesError: More than one bundle is named.
        UnstorableTextError: An item holds what is not text.
    """
    named = [_read(index, item) for index, item in enumerate(items)]
    if all(kind is EvidenceType.STATEMENT for kind, _ in named):
        raise AgentsWordError
    bundles = list(dict.fromkeys(ref for kind, ref in named if kind is EvidenceType.BUNDLE))
    if len(bundles) > 1:
        raise TwoBundlesError
    return Grounds(
        places=tuple(ref for kind, ref in named if kind is EvidenceType.SPAN),
        from_bundle=bundles[0] if bundles else None,
        because=because,
        given=tuple(
            Evidence(type=kind, reference=ref)
            for kind, ref in named
            if kind not in {EvidenceType.SPAN, EvidenceType.BUNDLE}
        ),
    )


def citation(evidence: Evidence) -> str:
    """Return evidence as an agent would write it; free text is shortened."""
    words = brief_words(evidence)
    if evidence.type is EvidenceType.COMMIT:
        words = evidence.facts.get(COMMIT, evidence.reference)
    return words if evidence.type in UNNAMED else f"{evidence.type.value}:{words}"


def _read(index: int, item: object) -> tuple[EvidenceType, str]:
    if isinstance(item, str):
        kind, reference = _read_text(item.strip())
    else:
        fields = cast("dict[str, str]", item)
        kind, reference = EvidenceType(fields["type"]), fields["ref"]
    if not reference.strip():
        raise BlankEvidenceError(index)
    if problem := storable_problem(reference):
        raise UnstorableTextError(what=f"evidence[{index}]", problem=problem)
    return kind, reference.strip()


def _read_text(text: str) -> tuple[EvidenceType, str]:
    if text.startswith(("https://", "http://")):
        return EvidenceType.URL, text
    if text.startswith("c_") and "/" not in text and "." not in text:
        return EvidenceType.BUNDLE, text
    word, colon, rest = text.partition(":")
    if colon and word.lower() in set(EvidenceType):
        return EvidenceType(word.lower()), rest
    return EvidenceType.SPAN, text
