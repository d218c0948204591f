"""The items of conversations, each kept exactly, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

from holdfast.domain.documents.document import (
    DocumentChangedError,
    DropDocument,
    PutDocument,
)
from holdfast.integrations.refusals import refusing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.documents.document import FrameworkDocument
    from holdfast.integrations.shelf import DocumentShelf

_TYPE = "observation"


class ItemLog:
    """The items of one conversation; what people and agents said in it are memories too."""

    def __init__(self, shelf: DocumentShelf, source: str, *session: str) -> None:
        self._shelf = shelf
        self._source = source
        self._session = session

    def items(self, limit: int | None = None) -> list[Any]:
        """Return the items, or the last ones; a limit below 0 is none."""
        found = [_item(one) for one in self._documents()]
        if limit is None or limit < 0:
            return found
        return found[-limit:] if limit else []

    def add(self, items: Sequence[tuple[object, str, Mapping[str, object]]]) -> None:
        """Add items, each with its words and what is known about them; all of them, or none.

        Raises:
            RefusedValueError: One of them has a secret, or is no JSON.
        """
        with refusing():
            self._shelf.keep(self._puts(items))

    def pop(self) -> Any:  # noqa: ANN401 - any JSON
        """Remove the last item, and return it; None if there is none. Nobody else gets it."""
        return self.remove(-1)

    def remove(self, at: int) -> Any:  # noqa: ANN401 - any JSON
        """Remove an item by its number, and return it; None if there is none."""
        while True:
            found = self._documents()
            if not -len(found) <= at < len(found):
                return None
            one = found[at]
            drop = DropDocument(name=one.name, source=self._source, expects=one.version)
            try:
                self._shelf.keep([drop])
            except DocumentChangedError:
                continue
            return _item(one)

    def clear(self) -> None:
        """Remove all items."""
        names = [one.name for one in self._documents()]
        self._shelf.keep([DropDocument(name=one, source=self._source) for one in names])

    def replace(self, items: Sequence[tuple[object, str, Mapping[str, object]]]) -> None:
        """Put these items in the place of all others; all of them, or none.

        Raises:
            RefusedValueError: One of them has a secret, or is no JSON; nothing is changed.
        """
        drops = [DropDocument(name=one.name, source=self._source) for one in self._documents()]
        with refusing():
            self._shelf.keep([*drops, *self._puts(items)])

    def _puts(self, items: Sequence[tuple[object, str, Mapping[str, object]]]) -> list[PutDocument]:
        return [
            PutDocument(
                name=self._shelf.name(uuid4().hex, *self._session),
                value={"item": item},
                source=self._source,
                text=words,
                memory_type=_TYPE,
                metadata={"session": "/".join(self._session), **told},
            )
            for item, words, told in items
        ]

    def _documents(self) -> Sequence[FrameworkDocument]:
        found = self._shelf.within(*self._session)
        return [one for one in found if one.name.namespace == self._session]


def _item(document: FrameworkDocument) -> object:
    return cast("dict[str, object]", document.value)["item"]
