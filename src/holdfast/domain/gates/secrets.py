"""Find the secrets in a text, so that none is stored by mistake.

The search covers five kinds: values with a recognisable format, such as `ghp_…`; values that the
text calls a secret, as in `password is …`; values where a program expects one; opaque values near
a word of access; and long random values without another explanation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holdfast.domain.gates.file_places import with_places_covered
from holdfast.domain.gates.secret_actions import action_spans
from holdfast.domain.gates.secret_commands import placed_spans
from holdfast.domain.gates.secret_keywords import named_spans
from holdfast.domain.gates.secret_names import stems_in
from holdfast.domain.gates.secret_nearby import nearby_spans
from holdfast.domain.values import dataclass

_SHORTEST_TELLING_WORD = 16
_SHORTEST_PART = 8
_SHORTEST_ENCODED = 24
_SIGNS_OF_PARTS = ("\n", '"', "'")
_CONTINUATIONS = ("\\\n", "\\\r\n", "\\ ")
_SIGNS_OF_A_LOGIN = ("://", " -u ", "--user", "--login")
_MOST_SHOWN = 4
_HIDDEN_PER_SHOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretFound:
    """The position of a secret, the rule that found it, and a masked form that may be shown."""

    rule: str
    start: int
    end: int
    masked: str


def find_secrets(text: str, *, allowed: frozenset[str] = frozenset()) -> tuple[SecretFound, ...]:
    """Find the secrets, in text order and without overlaps.

    Args:
        text: The text to store.
        allowed: The SHA-256 digests, in hexadecimal, of values known to be harmless.
    """
    spans = [
        span
        for span in _candidates(text)
        if not allowed or _digest(text[span[1] : span[2]]) not in allowed
    ]
    return tuple(
        SecretFound(rule=rule, start=start, end=end, masked=_masked(text[start:end]))
        for rule, start, end in _merged(spans)
        if not allowed or _digest(text[start:end]) not in allowed
    )


def redact(text: str, found: Sequence[SecretFound]) -> str:
    """Replace each secret with a note."""
    pieces = []
    kept_to = 0
    for secret in sorted(found, key=lambda secret: secret.start):
        pieces.append(text[kept_to : secret.start])
        pieces.append(f"[secret removed: {secret.rule}]")
        kept_to = max(kept_to, secret.end)
    return "".join(pieces) + text[kept_to:]


def _candidates(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield every suspicion, the most certain rules first; they may overlap."""
    longest = _longest_word(text)
    yield from _shown_with(text, longest)
    from holdfast.domain.gates.secret_layers import (
        decoded_spans,
        joined_spans,
        unescaped_spans,
        unveiled_spans,
    )

    is_continued = any(sign in text for sign in _CONTINUATIONS)
    is_split = longest >= _SHORTEST_PART and any(sign in text for sign in _SIGNS_OF_PARTS)
    if is_continued or is_split:
        yield from joined_spans(text, _by_format)
        yield from joined_spans(with_places_covered(text), _named)
    if "%" in text or "&" in text:
        yield from unescaped_spans(text, _shown)
        yield from unveiled_spans(text, _by_format)
    if longest >= _SHORTEST_ENCODED:
        yield from decoded_spans(text, _first_rule)
    if not text.isascii():
        from holdfast.domain.gates.secret_letters import plain_letters

        if (plain := plain_letters(text)) != text:
            yield from _shown(plain)


def _named(text: str) -> Iterator[tuple[str, int, int]]:
    lowered = _lowered(text)
    return named_spans(text, lowered, stems_in(lowered))


def _by_format(text: str) -> Iterator[tuple[str, int, int]]:
    return _telling(text, _lowered(text), _longest_word(text))


def _first_rule(text: str) -> str | None:
    return next((rule for rule, _, _ in _shown(text)), None)


def _shown(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the suspicions about the text as it is written."""
    return _shown_with(text, _longest_word(text))


def _shown_with(text: str, longest: int) -> Iterator[tuple[str, int, int]]:
    lowered = _lowered(text)
    yield from _telling(text, lowered, longest)
    stems = stems_in(lowered)
    yield from _called_so(with_places_covered(text), stems)
    if stems:
        yield from _named_elsewhere(text)
    if longest >= _SHORTEST_TELLING_WORD or any(sign in text for sign in _SIGNS_OF_A_LOGIN):
        yield from _surrounded(text, lowered)


def _called_so(text: str, stems: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Yield the suspicions that rest on words and programs near a value."""
    lowered = _lowered(text)
    yield from named_spans(text, lowered, stems)
    yield from placed_spans(text, lowered)
    yield from action_spans(text, lowered)
    yield from nearby_spans(text, lowered)
    if "(" in text:
        from holdfast.domain.gates.secret_code import called_spans

        yield from called_spans(text, lowered)


def _named_elsewhere(text: str) -> Iterator[tuple[str, int, int]]:
    from holdfast.domain.gates.secret_tables import attribute_spans, inserted_spans, table_spans

    if "\n" in text or "|" in text:
        yield from table_spans(text)
    yield from attribute_spans(text)
    if "(" in text:
        yield from inserted_spans(text)


def _telling(text: str, lowered: str, longest: int) -> Iterator[tuple[str, int, int]]:
    """Yield matches by format alone; most texts have no word that is long enough."""
    if longest < _SHORTEST_TELLING_WORD:
        return
    from holdfast.domain.gates.secret_rules import rules_for
    from holdfast.domain.gates.secret_vendors import vendor_spans

    long_words = [word for word in lowered.split() if len(word) >= _SHORTEST_TELLING_WORD]
    for rule in rules_for(lowered, long_words):
        yield from ((rule.name, start, end) for start, end in rule.spans(text))
    yield from vendor_spans(text, lowered)


def _lowered(text: str) -> str:
    # This is the only letter whose lower case is longer; it would shift all later positions.
    return text.replace("\u0130", "i").lower()


def _longest_word(text: str) -> int:
    return max(map(len, text.split()), default=0)


def _surrounded(text: str, lowered: str) -> Iterator[tuple[str, int, int]]:
    from holdfast.domain.gates import secret_surroundings as around

    if "://" in text and "@" in text:
        yield from around.address_spans(text)
    if "basic " in lowered:
        yield from around.header_spans(text)
    if "-u" in text or "--login" in text:
        yield from around.login_spans(text)
    yield from around.random_spans(text, lowered)


def _merged(spans: Sequence[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """Merge overlapping suspicions; the most certain rule names the result."""
    ranked = sorted(enumerate(spans), key=lambda entry: entry[1][1])
    merged: list[tuple[int, str, int, int]] = []
    for rank, (rule, start, end) in ranked:
        if merged and start < merged[-1][3]:
            best, name, since, until = merged[-1]
            name = rule if rank < best else name
            merged[-1] = (min(rank, best), name, since, max(until, end))
        else:
            merged.append((rank, rule, start, end))
    return [(rule, start, end) for _, rule, start, end in merged]


def _masked(secret: str) -> str:
    shown = secret[: min(_MOST_SHOWN, len(secret) // _HIDDEN_PER_SHOWN)]
    return f"{shown}… ({len(secret)} characters)"


def _digest(secret: str) -> str:
    from hashlib import sha256

    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
