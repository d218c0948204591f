"""Chooses the embedding model: first what it would be, then, after a catch-up, the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.embedding.errors import ModelMissingError
from holdfast.adapters.embedding.known_models import KNOWN
from holdfast.adapters.embedding.network.names import BEDROCK, KNOWN_ON_THE_NETWORK
from holdfast.adapters.embedding.registry import NONE, CachedEmbedder
from holdfast.bootstrap.opening.embedders import (
    Hurry,
    named_embedder,
    patience,
)
from holdfast.bootstrap.opening.models import chosen, shelf
from holdfast.bootstrap.opening.network_settings import network_settings
from holdfast.bootstrap.opening.own_settings import settings
from holdfast.domain.errors import BadFieldError
from holdfast.domain.values import dataclass, field, replace

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from holdfast.adapters.embedding.network.opening import NetworkSettings
    from holdfast.ports.recall.models import Embedder


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelWish:
    """The model that a person wants; address and size are for an embedder on the network."""

    name: str
    url: str | None = None
    dimension: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedModel:
    """A model that can be chosen: its embedder, and the settings that choose it."""

    name: str
    embedder: Embedder | None
    settings: Mapping[str, str | None] = field(default_factory=dict)
    sends_to: str = ""


def prepare(wish: ModelWish, home: Path | None = None) -> PreparedModel:
    """Return the model without choosing it.

    The size of an unknown model is asked for: one word is sent.

    Raises:
        BadFieldError: No model has this name, or it has no address or size.
        ModelMissingError: The model is not installed.
        NoMeaningError: Its settings are incomplete, or it does not answer.
    """
    given = network_settings(wish.name, home, is_choice=True)
    if given is not None:
        return _on_the_network(wish, given, home)
    if wish.url is not None or wish.dimension is not None:
        raise BadFieldError(
            field=f"model '{wish.name}'",
            problem="has no address and no size to set; only openai:MODEL and bedrock:MODEL have.",
        )
    found = named_embedder(wish.name, home, hurry=Hurry.WORK)
    if found is None and wish.name != NONE:
        if wish.name in KNOWN:
            raise ModelMissingError(name=wish.name)
        here = [*KNOWN, *shelf(home).names(), *KNOWN_ON_THE_NETWORK, NONE]
        names = ", ".join(dict.fromkeys(here))
        problem = f"is not known; there are: {names}, and any openai:MODEL."
        raise BadFieldError(field=f"model '{wish.name}'", problem=problem)
    return PreparedModel(name=wish.name, embedder=found)


def use(prepared: PreparedModel, home: Path | None = None) -> None:
    """Choose a prepared model; its name is written last, when the rest is in place."""
    kept = settings(home)
    for name, value in prepared.settings.items():
        if kept.value(name)[0] != (value or ""):
            kept.set(name, value)
    kept.set("embedding.model", prepared.name)


def _on_the_network(wish: ModelWish, given: NetworkSettings, home: Path | None) -> PreparedModel:
    from holdfast.adapters.embedding.network.opening import open_network

    address = "embedding.bedrock_url" if given.name.provider == BEDROCK else "embedding.url"
    if wish.url is not None:
        given = replace(given, url=settings(home).accepted(address, wish.url))
    given = replace(given, dimension=_dimension(wish, given, home))
    found = CachedEmbedder(open_network(given, patience(home, Hurry.WORK)))
    size = None if given.dimension is None else str(given.dimension)
    return PreparedModel(
        name=wish.name,
        embedder=found,
        settings={address: given.url or None, "embedding.dimension": size},
        sends_to=given.destination,
    )


def _dimension(wish: ModelWish, given: NetworkSettings, home: Path | None) -> int | None:
    """Return the size to set; None for the model's own.

    A size that was set for another model is not kept, unless this one has it too.
    """
    from holdfast.adapters.embedding.network.opening import measured_size

    known, kept = given.name.known, given.dimension
    if wish.dimension is not None:
        return wish.dimension
    if known is not None:
        return kept if kept is not None and known.takes(kept) else None
    if kept is not None and chosen(home) == wish.name:
        return kept
    return measured_size(given, patience(home, Hurry.WORK))
