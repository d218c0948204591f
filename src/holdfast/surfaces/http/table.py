"""The shape of the route table: one entry for each method and path."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from holdfast.app import Holdfast
    from holdfast.surfaces.wire.memory_service import MemoryServiceCalls

Json = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteCall:
    """A request that was read and checked: the memory for its caller, and its parts.

    ``calls`` returns the memory service of the caller's tenant, or refuses the caller.
    """

    app: Holdfast
    calls: Callable[[], MemoryServiceCalls]
    path: Mapping[str, str]
    query: Mapping[str, object]
    body: Json
    if_match: str | None = None

    @property
    def by(self) -> str:
        """The name under which a decision is recorded."""
        return self.app.principal.name or self.app.principal.kind.value

    def source(self, given: str | None = None) -> str:
        """Return the source of the caller's claims."""
        return self.app.principal.source(given, door="http")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The answer of a route; ``version`` is the version of a memory, for the header ETag.

    ``lines`` are sent as JSON lines instead of a body.
    """

    body: Json
    version: str | None = None
    lines: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One method of one path.

    ``verb`` is the verb of the command line that does the same. ``answer`` names the answer of that
    verb in the published schemas, or is a schema. ``writes`` marks a route that changes memories:
    it runs in one unit of work and takes an idempotency key. ``body`` and ``query`` are the schemas
    of the request; ``needs`` are the query parameters that must be given. ``serves`` marks a call
    of the memory service, which commits in the store of a user; ``keyed`` marks those of them that
    take an idempotency key.
    """

    method: str
    path: str
    verb: str
    summary: str
    does: Callable[[RouteCall], Result]
    answer: str | Json
    writes: bool = False
    status: int = 200
    body: Json | None = None
    query: Mapping[str, Json] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    serves: bool = False
    keyed: bool = False
    versioned: bool = False
    is_lines: bool = False

    @property
    def takes_key(self) -> bool:
        """Whether the route takes an idempotency key."""
        return self.writes or self.keyed

    @property
    def name(self) -> str:
        """The name of the operation in the OpenAPI document."""
        words = [word.strip("{}") for word in self.path.removeprefix("/v1/").split("/")]
        return "-".join([self.method.lower(), *words])
