"""The names of embedders on the network, ``provider:model``, and the models known by name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.adapters.http.addresses import host_of
from holdfast.domain.recall.finding import EmbeddingModel
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

OPENAI, BEDROCK = "openai", "bedrock"
OPENAI_URL = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"  # pragma: allowlist secret - the name of a variable
_NAME = re.compile(rf"(?P<provider>{OPENAI}|{BEDROCK}):(?P<model>[A-Za-z0-9][A-Za-z0-9._:/@+-]*)")
_LONGEST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownNetworkModel:
    """What its documentation says about a model: the sizes of its vectors, the first by default.

    ``is_shortened`` tells that every smaller size can be asked for. ``unrelated`` is the cosine
    similarity of unrelated texts, where it is known not to be near zero.
    """

    title: str
    sizes: tuple[int, ...]
    is_shortened: bool = False
    unrelated: float = 0.0

    def takes(self, size: int) -> bool:
        """Return whether the model makes vectors of that size."""
        return size in self.sizes or (self.is_shortened and 0 < size < self.sizes[0])


# Sizes from the documentation of OpenAI and of Amazon Bedrock. ada-002 places all texts in a narrow
# cone; 0.7 is the value that its users report, and was not measured here.
KNOWN_ON_THE_NETWORK: Mapping[str, KnownNetworkModel] = {
    "openai:text-embedding-3-small": KnownNetworkModel(
        title="OpenAI, small: prose and code in many languages", sizes=(1536,), is_shortened=True
    ),
    "openai:text-embedding-3-large": KnownNetworkModel(
        title="OpenAI, large: better and slower", sizes=(3072,), is_shortened=True
    ),
    "openai:text-embedding-ada-002": KnownNetworkModel(
        title="OpenAI, the older one", sizes=(1536,), unrelated=0.7
    ),
    "bedrock:amazon.titan-embed-text-v2:0": KnownNetworkModel(
        title="Amazon Titan on Bedrock: prose in many languages", sizes=(1024, 512, 256)
    ),
    "bedrock:amazon.titan-embed-text-v1": KnownNetworkModel(
        title="Amazon Titan on Bedrock, the older one", sizes=(1536,)
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkName:
    """An embedder on the network, as a person names it."""

    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}"

    @property
    def known(self) -> KnownNetworkModel | None:
        """What is known about the model; None if a person has to state its size."""
        return KNOWN_ON_THE_NETWORK.get(str(self))

    def vectors(self, *, url: str, dimension: int) -> EmbeddingModel:
        """Return the id of its vectors: another model, host or size gives another id.

        Bedrock has the same models at every address.
        """
        host = f"@{host_of(url)}" if self.provider == OPENAI else ""
        return EmbeddingModel(name=f"{self}{host}/{dimension}", dimension=dimension)


def network_name(name: str) -> NetworkName | None:
    """Return a name of an embedder on the network; None if it is not the form of one."""
    found = _NAME.fullmatch(name)
    if found is None or len(name) > _LONGEST:
        return None
    return NetworkName(provider=found["provider"], model=found["model"])
