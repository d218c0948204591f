"""The context of a symbol: its callers and callees, and the memories about its lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import EvidenceUnreadableError
from holdfast.domain.lookup_errors import NoSuchPlaceError, NoSuchSymbolError, NoSymbolAtError
from holdfast.domain.memory.evidence import FilePlace, read_place
from holdfast.domain.values import dataclass
from holdfast.usecases.anchors.blame import blame

if TYPE_CHECKING:
    from holdfast.domain.code.code import Neighbour, SymbolPlace
    from holdfast.domain.errors import NotFoundError
    from holdfast.ports.recall.code import CodeIndex
    from holdfast.usecases.anchors.blame import Governing
    from holdfast.usecases.anchors.checking import RepositoryPorts

# Chosen by hand.
HOPS = 2
_NAMESAKES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolContext:
    """A symbol, its callers and callees, and the memories about its lines."""

    place: SymbolPlace
    namesakes: tuple[SymbolPlace, ...]
    neighbours: tuple[Neighbour, ...]
    governing: tuple[Governing, ...]


def surround(
    reference: str, *, limit: int, code: CodeIndex, ports: RepositoryPorts
) -> SymbolContext:
    """Return what surrounds a symbol or a line, within two calls.

    Raises:
        NoSuchSymbolError: No symbol has that name.
        NoSymbolAtError: The line is in no symbol.
        NoSuchPlaceError: There is no such file or line.
        NoHistoryError: There is no repository.
    """
    found = code.named(reference, limit=_NAMESAKES)
    if not found:
        raise _not_found(reference, ports=ports)
    place, *others = found
    symbol = place.symbol
    lines = FilePlace(path=place.path, first=symbol.first, last=symbol.last, is_from_root=True)
    return SymbolContext(
        place=place,
        namesakes=tuple(others),
        neighbours=tuple(code.around(place, hops=HOPS, limit=limit)),
        governing=blame(lines, ports=ports),
    )


def _not_found(reference: str, *, ports: RepositoryPorts) -> NotFoundError:
    """Return why a name or a line has no symbol."""
    place = read_place(reference)
    if place.first is None:
        return NoSuchSymbolError(reference)
    try:
        found = ports.surroundings.read_span(place)
    except EvidenceUnreadableError as error:
        return NoSuchPlaceError(reference, str(error.facts["problem"]))
    return NoSymbolAtError(f"{found.path}:{found.first}")
