"""Evidence the way people write it after ``--evidence``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType
from holdfast.domain.evidence import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterable

PREFIXES = {
    "commit": EvidenceType.COMMIT,
    "command": EvidenceType.COMMAND,
    "query": EvidenceType.QUERY,
    "job": EvidenceType.JOB_RUN,
    "turn": EvidenceType.TURN,
}


def sorted_out(words: Iterable[str]) -> tuple[tuple[str, ...], tuple[Evidence, ...]]:
    """Return the places in files, and everything else as evidence of its type.

    ``https://…`` is a URL; ``commit:``, ``command:``, ``query:``, ``job:`` and ``turn:`` say
    themselves what they are; anything else is a path. A file with such a name is ``./job:1``.
    """
    places, given = [], []
    for word in words:
        prefix, colon, rest = word.partition(":")
        if word.startswith(("http://", "https://")):
            given.append(Evidence(type=EvidenceType.URL, reference=word))
        elif colon and prefix in PREFIXES:
            given.append(Evidence(type=PREFIXES[prefix], reference=rest.strip()))
        else:
            places.append(word)
    return tuple(places), tuple(given)
