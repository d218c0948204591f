"""The values that every page uses: the request, the answer, and one entry of the route table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from holdfast.domain.errors import BadFieldError
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from holdfast.app import Holdfast
    from holdfast.domain.memory.callers import Operation

Fields = Mapping[str, Sequence[str]]
_LARGEST_NUMBER = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PageVisitor:
    """Who looks at a page, and which operations they may perform.

    ``credential`` is the value of their cookie, from which the tokens of their forms are made.
    ``folder`` is the name of the folder whose memory they look at, if it is on this machine.
    ``caller`` is the caller of a server, as the server knows it.
    """

    name: str
    may: frozenset[Operation]
    space: str
    credential: str
    folder: str = ""
    is_person: bool = True
    caller: object = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageCall:
    """A request that was read and checked: the memory for its visitor, and its parts.

    ``address`` is the path that was asked for, and ``path`` has the parts of it by name.
    ``is_fragment`` says that a script asked, which replaces only a part of the page.
    ``is_served`` says that the memory is on a server, which has no checkout.
    """

    app: Holdfast
    visitor: PageVisitor
    path: Mapping[str, str]
    query: Fields
    address: str = ""
    form: Fields = field(default_factory=dict)
    is_fragment: bool = False
    is_served: bool = False

    def may(self, operation: Operation) -> bool:
        """Return whether the visitor may perform an operation."""
        return operation in self.visitor.may

    def word(self, name: str) -> str:
        """Return a field of the form or the query; empty if it is missing."""
        found = self.form.get(name) or self.query.get(name) or ("",)
        return found[-1].strip()

    def words(self, name: str) -> tuple[str, ...]:
        """Return every value of a field that is not empty."""
        found = self.form.get(name) or self.query.get(name) or ()
        return tuple(one.strip() for one in found if one.strip())

    def number(self, name: str, usual: int) -> int:
        """Return a field as a whole number.

        Raises:
            BadFieldError: It is no number, or too large.
        """
        word = self.word(name)
        if not word:
            return usual
        if not (word.isascii() and word.isdigit()) or int(word) > _LARGEST_NUMBER:
            problem = f"must be a whole number from 0 to {_LARGEST_NUMBER:,}."
            raise BadFieldError(field=name, problem=problem)
        return int(word)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageAnswer:
    """A template with its values, a picture, or the address of the page that comes next."""

    template: str = ""
    values: Mapping[str, object] = field(default_factory=dict)
    status: int = 200
    to: str = ""
    content: str = ""
    kind: str = "text/html"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRoute:
    """One method of one path; ``writes`` marks forms, which need the token of the session."""

    method: str
    path: str
    does: Callable[[PageCall], PageAnswer]

    @property
    def writes(self) -> bool:
        """Whether the route carries out a form."""
        return self.method == "POST"


def fields_of(text: str) -> dict[str, list[str]]:
    """Return the fields of a form or a query by name."""
    found: dict[str, list[str]] = {}
    for name, value in parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS):
        found.setdefault(name, []).append(value.replace("\r\n", "\n"))
    return found


_MOST_FIELDS = 4_000


def address(path: str, query: Mapping[str, str | Sequence[str]]) -> str:
    """Return a path with the fields of a query that are not empty."""
    pairs = [
        (name, one)
        for name, value in query.items()
        for one in ([value] if isinstance(value, str) else value)
        if one
    ]
    return f"{path}?{urlencode(pairs)}" if pairs else path
