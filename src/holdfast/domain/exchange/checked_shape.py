"""The JSON of checked evidence."""

from __future__ import annotations

from holdfast.domain.choices import choose
from holdfast.domain.fields import Fields
from holdfast.domain.ids import SpanId
from holdfast.domain.memory.anchor import Checked, FoundLines, Sighting, Verdict


def checked_json(checked: Checked) -> dict[str, object]:
    """Return the JSON of one piece of evidence with its verdict."""
    sighting = checked.sighting
    return {
        "ref": checked.reference,
        "span": checked.span,
        "verdict": sighting.verdict.value,
        "places": [
            {"path": place.path, "first": place.first, "last": place.last}
            for place in sighting.places
        ],
        "how": sighting.how,
        "change": list(sighting.change),
        "commit": sighting.commit,
    }


def checked_from_json(shape: object) -> Checked:
    """Read one piece of evidence with its verdict."""
    fields = Fields(shape, noun="verdict")
    span = fields.maybe_text("span")
    return Checked(
        reference=fields.text("ref"),
        span=None if span is None else SpanId(span),
        sighting=Sighting(
            verdict=choose(Verdict, fields.text("verdict"), what="verdict"),
            places=tuple(_place(one) for one in fields.items("places")),
            how=fields.text("how"),
            change=fields.words("change"),
            commit=fields.maybe_text("commit"),
        ),
    )


def _place(shape: object) -> FoundLines:
    fields = Fields(shape, noun="place")
    return FoundLines(
        path=fields.text("path"), first=fields.whole("first"), last=fields.whole("last")
    )
