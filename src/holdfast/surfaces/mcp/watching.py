"""Subscriptions of a client: it is told when a resource changed.

Other processes change the memory too, so resources are compared from time to time, by a hash.
"""

from __future__ import annotations

from holdfast.surfaces.mcp.protocol import (
    INVALID_PARAMS,
    SUBSCRIPTION_KEY,
    RefusedError,
    as_object,
    notification,
)

TYPE_CHECKING = False  # same value as in the typing module, without the cost of importing it
if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.surfaces.mcp.calls import Calls
    from holdfast.surfaces.mcp.protocol import Json, Request

MOST_WATCHED = 100
"""How many resources a client may watch; each is read again at every look."""
_LONGEST_URI = 2_000
_UPDATED = "notifications/resources/updated"
_ACKNOWLEDGED = "notifications/subscriptions/acknowledged"


def watched_uri(uri: object) -> str:
    """Return an address to watch.

    Raises:
        RefusedError: It is no address of ours.
    """
    if not isinstance(uri, str) or len(uri) > _LONGEST_URI or "://" not in uri:
        raise RefusedError(INVALID_PARAMS, "The params need the resource's uri.")
    return uri


def wanted_uris(params: Json) -> list[str]:
    """Return the addresses that a request to listen names.

    Raises:
        RefusedError: They are malformed, or too many.
    """
    wanted = as_object(params.get("notifications")).get("resourceSubscriptions") or []
    if not isinstance(wanted, list):
        raise RefusedError(INVALID_PARAMS, "The resourceSubscriptions must be a list.")
    return [watched_uri(uri) for uri in wanted]


class Subscriptions:
    """What one client watches, in the way of either era."""

    def __init__(self, calls: Calls, *, send: Callable[[bytes], None]) -> None:
        self._calls = calls
        self._send = send
        self._plain: set[str] = set()
        self._listening: dict[object, frozenset[str]] = {}
        self._versions: dict[str, str] = {}

    @property
    def watches(self) -> bool:
        """Whether anything is watched."""
        return bool(self._plain or any(self._listening.values()))

    def subscribe(self, params: Json) -> Json:
        """Watch a resource, in the handshake era."""
        self._watch([watched_uri(params.get("uri"))])
        self._plain.add(watched_uri(params.get("uri")))
        return {}

    def unsubscribe(self, params: Json) -> Json:
        """Stop watching a resource; it is no error if it was not watched."""
        self._plain.discard(watched_uri(params.get("uri")))
        return {}

    def listen(self, request: Request) -> None:
        """Watch resources until the request is cancelled, in the modern era."""
        uris = wanted_uris(request.params)
        self._watch(uris)
        self._listening[request.id] = frozenset(uris)
        honoured: Json = {"resourceSubscriptions": uris} if uris else {}
        meta: Json = {SUBSCRIPTION_KEY: request.id}
        self._send(notification(_ACKNOWLEDGED, {"notifications": honoured, "_meta": meta}))

    def cancel(self, request_id: object) -> None:
        """End a subscription of the modern era."""
        if isinstance(request_id, str | int):
            self._listening.pop(request_id, None)

    def look(self) -> None:
        """Tell which of the watched resources changed since the last look."""
        if not self.watches:
            return
        for uri, version in self._calls.versions(sorted(self._wanted())).items():
            before = self._versions.get(uri)
            self._versions[uri] = version
            if before is not None and before != version:
                self._tell(uri)

    def _watch(self, uris: list[str]) -> None:
        if len(self._wanted() | set(uris)) > MOST_WATCHED:
            many = f"At most {MOST_WATCHED} resources may be watched."
            raise RefusedError(INVALID_PARAMS, many)
        self._versions.update(self._calls.versions(uris))

    def _wanted(self) -> set[str]:
        return self._plain.union(*self._listening.values())

    def _tell(self, uri: str) -> None:
        if uri in self._plain:
            self._send(notification(_UPDATED, {"uri": uri}))
        for request_id, uris in self._listening.items():
            if uri in uris:
                meta: Json = {SUBSCRIPTION_KEY: request_id}
                self._send(notification(_UPDATED, {"uri": uri, "_meta": meta}))
