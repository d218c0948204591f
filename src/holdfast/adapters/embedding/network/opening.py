"""Opens an embedder on the network from a person's settings; nothing is sent before a text."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import read_plain
from holdfast.adapters.embedding.errors import RemoteFailedError
from holdfast.adapters.embedding.network.embedder import NetworkEmbedder, NetworkLimits
from holdfast.adapters.embedding.network.kept import KeptVectors
from holdfast.adapters.embedding.network.names import (
    BEDROCK,
    OPENAI_KEY,
    OPENAI_URL,
    NetworkName,
)
from holdfast.adapters.embedding.network.service import RunBudget
from holdfast.adapters.http.addresses import host_of, is_local
from holdfast.adapters.http.retrying import TIMEKEEPER, Patience
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from holdfast.adapters.embedding.network.service import EmbeddingService
    from holdfast.adapters.http.retrying import Timekeeper

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
SECRET_FOLDERS = ("/run/secrets/", "/var/run/secrets/")
"""Where containers get secrets; their rights are those of the container."""
_TITAN = ("titan-embed-text-v1", "titan-embed-text-v2", "titan-embed-g1-text")
_BUDGETS: dict[tuple[str, int, int], RunBudget] = {}
"""The budgets of this process: an embedder that is opened again continues with the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkSettings:
    """What a person set: the embedder, its address, size and key, and the limits."""

    name: NetworkName
    url: str = ""
    dimension: int | None = None
    key_env: str = ""
    key_file: str = ""
    calls: int = 100_000
    tokens: int = 10_000_000
    cache: int = 10_000
    folder: Path
    is_fresh: bool = False
    """Whether vectors in the cache are not used, but replaced."""

    @property
    def address(self) -> str:
        """The address that texts are sent to; empty for the one that Bedrock has in a region."""
        return self.url or ("" if self.name.provider == BEDROCK else OPENAI_URL)

    @property
    def destination(self) -> str:
        """The receiver of texts, in words."""
        return host_of(self.address) or "Amazon Bedrock"

    @property
    def size(self) -> int:
        """The size of its vectors.

        Raises:
            RemoteFailedError: It is neither set nor known, or the model has no such size.
        """
        known = self.name.known
        if self.dimension is None:
            if known is None:
                problem = "cannot be used: the size of its vectors is not known"
                raise RemoteFailedError(
                    name=str(self.name), problem=problem, setup="the setting embedding.dimension"
                )
            return known.sizes[0]
        if known is not None and not known.takes(self.dimension):
            sizes = ", ".join(map(str, known.sizes))
            problem = f"has no vectors of {self.dimension} numbers, but of {sizes}"
            raise RemoteFailedError(
                name=str(self.name), problem=problem, setup="the setting embedding.dimension"
            )
        return self.dimension


def open_network(
    given: NetworkSettings, patience: Patience, *, times: Timekeeper = TIMEKEEPER
) -> NetworkEmbedder:
    """Return the embedder.

    Raises:
        RemoteFailedError: The settings are incomplete or unsafe.
    """
    known = given.name.known
    model = given.name.vectors(url=given.address, dimension=given.size)
    bounds = (model.name, given.calls, given.tokens)
    budget = _BUDGETS.setdefault(bounds, RunBudget(calls=given.calls, tokens=given.tokens))
    return NetworkEmbedder(
        _service(given, patience),
        model,
        limits=NetworkLimits(patience=patience, budget=budget),
        kept=KeptVectors(given.folder, model, most=given.cache, is_fresh=given.is_fresh),
        unrelated=known.unrelated if known is not None else 0.0,
        times=times,
    )


def measured_size(
    given: NetworkSettings, patience: Patience, *, times: Timekeeper = TIMEKEEPER
) -> int:
    """Return the size of a model's vectors; one word is sent to find out.

    Raises:
        RemoteFailedError: The settings are incomplete, or the service does not answer.
    """
    given = replace(given, dimension=1)
    embedder = open_network(given, patience, times=times)
    return embedder.size_of("size")


def _service(given: NetworkSettings, patience: Patience) -> EmbeddingService:
    if given.name.provider == BEDROCK:
        from holdfast.adapters.embedding.network.bedrock import BedrockService

        if not any(form in given.name.model for form in _TITAN):
            problem = "is not one of Amazon's Titan text models, the only ones that can be used"
            raise RemoteFailedError(name=str(given.name), problem=problem, setup="its name")
        return BedrockService(
            name=str(given.name),
            model=given.name.model,
            dimension=given.size,
            url=given.url,
            timeout=patience.timeout,
        )
    from holdfast.adapters.embedding.network.openai import OpenAiService

    known = given.name.known
    return OpenAiService(
        url=given.address,
        model=given.name.model,
        key=_safe_key(given),
        dimension=given.size,
        asks_for_size=known is not None and given.size != known.sizes[0],
    )


def _safe_key(given: NetworkSettings) -> str:
    """Return the key, if it may be sent to the address."""
    key = _key(given)
    if "@" in given.address.partition("://")[2].partition("/")[0]:
        problem = "cannot be used: its address contains a user name or a password"
        raise RemoteFailedError(name=str(given.name), problem=problem)
    if key and not given.address.startswith("https://") and not is_local(given.address):
        problem = "cannot be used: its address is http://, which would show the key to others"
        raise RemoteFailedError(name=str(given.name), problem=problem)
    if not key and not given.url:
        problem = f"has no key: neither {OPENAI_KEY} nor embedding.key_file is set"
        raise RemoteFailedError(name=str(given.name), problem=problem)
    return key


def _key(given: NetworkSettings) -> str:
    """Return the key: of the file, else of the variable.

    The usual variable is only for OpenAI's own address; another server must not receive that key.
    """
    usual = OPENAI_KEY if given.address.rstrip("/") == OPENAI_URL else ""
    variable = given.key_env or usual
    found = _in_file(given) if given.key_file else os.environ.get(variable, "").strip()
    if found and not (found.isascii() and found.isprintable() and " " not in found):
        where = "embedding.key_file" if given.key_file else variable
        problem = f"cannot be used: the content of {where} is not a key"
        raise RemoteFailedError(name=str(given.name), problem=problem)
    return found


def _in_file(given: NetworkSettings) -> str:
    path = Path(given.key_file).expanduser()
    try:
        rights = path.stat().st_mode
        content = read_plain(path, follows_link=True).decode("ascii", "replace").strip()
    except OSError as error:
        problem = f"has no key: {path} cannot be read: {error.strerror}"
        raise RemoteFailedError(name=str(given.name), problem=problem) from error
    if rights & _OTHERS and not str(path).startswith(SECRET_FOLDERS):
        problem = f"has no key: other users may read {path}; run chmod 600 on it"
        raise RemoteFailedError(name=str(given.name), problem=problem)
    return content
