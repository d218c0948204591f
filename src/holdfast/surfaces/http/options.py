"""The options of a server."""

from __future__ import annotations

import json
import re
from ipaddress import ip_address

from holdfast.domain.errors import BadFieldError
from holdfast.domain.memory.place import DEFAULT_SPACE, SpaceId
from holdfast.domain.service_errors import BeyondLoopbackError
from holdfast.domain.values import dataclass, replace

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
DEFAULT_PORT = 8750
COLLECTOR_VARIABLE = "OTEL_EXPORTER_OTLP_ENDPOINT"
LOOK_SECONDS = 2.0
"""How often a slow read looks whether its client is still there, and an open stream for changes.

A stream looks too whether its token is still valid.
"""
_RANGES: dict[str, tuple[float, float]] = {
    "port": (0, 65_535),
    "workers": (1, 256),
    "threads": (1, 1_024),
    "seconds": (0.001, 86_400),
    "most_body": (1, 1 << 30),
    "rate": (0, 1_000_000),
    "most_memories": (0, 1 << 53),
    "most_bytes": (0, 1 << 53),
}
_HOST = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]+)?")
_ORIGIN = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#\s]+/?")
_COLLECTOR = re.compile(r"https?://[^/?#\s]+(?:/\S*)?")
_A_HOST = "must be a name, such as memory.example.com, without http://"
_AN_ORIGIN = "must be the beginning of an address, such as https://memory.example.com"
_A_COLLECTOR = "must be an address, such as http://localhost:4318"
_OPEN_CHECKOUT = "needs tokens: everybody on this machine could read its files otherwise."


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """Where a server listens, whom it answers, and its limits."""

    bind: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    workers: int = 1
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    home: str = ""
    address: str | None = None
    asks_for_tokens: bool = True
    space: SpaceId = DEFAULT_SPACE
    tenant: str | None = None
    checkout: str = ""
    """A checkout on this machine for the agents of the space; empty for none."""
    threads: int = 8
    seconds: float = 30.0
    most_body: int = 1_048_576
    rate: float = 0.0
    most_memories: int = 0
    most_bytes: int = 0
    version: str = "0"
    collector: str = ""

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.bind == "localhost":
            return True
        try:
            return ip_address(self.bind).is_loopback
        except ValueError:
            return False

    def refuse_unsafe(self) -> None:
        """Return if the options are safe.

        Raises:
            BadFieldError: A number is out of its range, a host or an origin can occur in no
                request, the collector is no address, or everybody could read a checkout.
            BeyondLoopbackError: Other machines can reach the server, and tokens are switched off
                or no host is named.
        """
        for name, (least, most) in _RANGES.items():
            value = getattr(self, name)
            if not least <= value <= most:
                problem = f"must be from {least:g} to {most:g}; it is {value:g}."
                raise BadFieldError(field=name.replace("_", " "), problem=problem)
        collectors = [self.collector] if self.collector else []
        for field, given, form, problem in (
            ("allowed host", self.hosts, _HOST, _A_HOST),
            ("allowed origin", self.origins, _ORIGIN, _AN_ORIGIN),
            (COLLECTOR_VARIABLE, collectors, _COLLECTOR, _A_COLLECTOR),
        ):
            wrong = next((one for one in given if not form.fullmatch(one)), None)
            if wrong is not None:
                raise BadFieldError(field=field, problem=f"{problem}; it is {wrong!r}.")
        if self.checkout and not self.asks_for_tokens:
            raise BadFieldError(field="checkout", problem=_OPEN_CHECKOUT)
        if not self.is_loopback and not (self.asks_for_tokens and self.hosts):
            raise BeyondLoopbackError(self.bind)

    def written(self) -> str:
        """Return the options as JSON, for the processes of the workers."""
        return json.dumps({name: getattr(self, name) for name in self.__annotations__})

    @classmethod
    def read(cls, text: str) -> ServeOptions:
        """Return the options that ``written`` wrote."""
        found = cls(**json.loads(text))
        return replace(found, hosts=tuple(found.hosts), origins=tuple(found.origins))
