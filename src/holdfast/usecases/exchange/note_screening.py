"""What of a foreign note may be shown, and why one is not worth keeping."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.gates.secrets import find_secrets, redact
from holdfast.domain.values import replace
from holdfast.usecases.screened_surroundings import harmless
from holdfast.usecases.screening import SecretPolicy
from holdfast.usecases.sessions.sifting import what_it_hides

if TYPE_CHECKING:
    from holdfast.domain.exchange.foreign import Foreign, LeftNote
    from holdfast.ports.objector import Objector


def shown_note(left: LeftNote, secrets: SecretPolicy) -> LeftNote:
    """Return what was left out as it may be shown; a secret in it is the reason to name."""
    text = _redacted(left.text) if secrets is SecretPolicy.REDACT else left.text
    if hidden := what_it_hides(text):
        return replace(left, text="", why=hidden)
    return replace(left, text=text)


def named_note(note: Foreign, secrets: SecretPolicy) -> Foreign:
    """Return a note without injected text, and with a source and place that contain no secret."""
    place = note.place if note.is_here else harmless(note.place)
    claim = note.clean_claim
    if secrets is SecretPolicy.REDACT:
        claim = _redacted(claim)
    return replace(note, claim=claim, source=harmless(note.source), place=place)


def _redacted(text: str) -> str:
    return redact(text, find_secrets(text))


def reason_to_hide(note: Foreign, secrets: SecretPolicy) -> str:
    """Return why not even the text of a note may be shown."""
    words = "\n".join((note.claim, note.key or "", note.name, *note.tags))
    if hidden := what_it_hides(words, secrets=secrets):
        return hidden
    # Notes in this repository are cited by their path, which must not be redacted.
    hidden = what_it_hides(note.place, secrets=secrets) if note.is_here else ""
    return f"stands in a file whose path {hidden}" if hidden else ""


def reason_to_leave(note: Foreign, objector: Objector) -> str:
    """Return why a note is not worth keeping."""
    if not note.claim:
        return "is only what memory itself gave out"
    return objector.objection(note.claim)
