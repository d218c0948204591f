"""Render the templates: text is always escaped, and characters that hide are made visible.

The value of a form is only escaped, because the reader sends it back.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from holdfast.domain.gates.unseen import escaped
from holdfast.domain.ids import short
from holdfast.domain.memory.callers import plain_tool
from holdfast.domain.memory.evidence import brief_words
from holdfast.domain.memory.lifetime import in_words
from holdfast.domain.memory.naming import evidence_origins
from holdfast.domain.text.counting import counted
from holdfast.domain.text.short_ids import with_short_ids
from holdfast.domain.text.word_diff import word_diff
from holdfast.surfaces.web.call import address

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_HERE = Path(__file__).parent
STATIC = _HERE / "static"
_SHORT_TEXT = 140


def render(template: str, values: Mapping[str, object]) -> str:
    """Return a page as text."""
    return _environment().get_template(template).render(values)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    for name, does in _FILTERS.items():
        made.filters[name] = does
    made.globals.update(_GLOBALS)
    return made


def _shown(value: object) -> object:
    """Make the hidden characters of a text visible; parts of a template are already."""
    return escaped(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def field_value(value: object) -> Markup:
    """Return the value of a form's field exactly as it was typed, escaped for HTML."""
    return escape(value)


def ago(moment: datetime, now: datetime) -> str:
    """Return how long ago a moment was, in words."""
    return f"{in_words(max(now - moment, timedelta()))} ago"


def brief(text: str, most: int = _SHORT_TEXT) -> str:
    """Return a text on one line, cut at its end if it is long."""
    words = " ".join(text.split())
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"


def number(amount: int) -> str:
    """Return a whole number as people write it: ``2,000``."""
    return f"{amount:,}"


def day(moment: datetime) -> str:
    """Return the date of a moment."""
    return f"{moment.astimezone(UTC):%Y-%m-%d}"


def clock(moment: datetime) -> str:
    """Return the time of a moment, on a page that names its day."""
    return f"{moment.astimezone(UTC):%H:%M}"


def stamp(moment: datetime) -> str:
    """Return a moment as a date and a time."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


@cache
def static_address(name: str) -> str:
    """Return the address of a file that browsers keep; it changes when the file changes."""
    content = (STATIC / name).read_bytes()
    return f"/static/{name}?v={sha256(content).hexdigest()[:12]}"


_FILTERS: dict[str, Callable[..., str]] = {
    "ago": ago,
    "brief": brief,
    "clock": clock,
    "counted": counted,
    "day": day,
    "evidence_words": brief_words,
    "field_value": field_value,
    "number": number,
    "plain_tool": plain_tool,
    "short_id": short,
    "short_ids": with_short_ids,
    "stamp": stamp,
}
_GLOBALS: Any = {
    "address": address,
    "evidence_origins": evidence_origins,
    "static": static_address,
    "word_diff": word_diff,
    "zip": zip,
}
