"""The embedding models of a person: known, installed, and in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.embedding.known_models import IN_THE_PACKAGE, KNOWN
from holdfast.adapters.embedding.model_folder import ModelFolder
from holdfast.adapters.embedding.network.names import KNOWN_ON_THE_NETWORK, network_name
from holdfast.adapters.machine.settings import DEFAULT_MODEL, models_folders
from holdfast.bootstrap.opening.embedders import (
    Hurry,
    chosen_embedder,
    chosen_model,
    destination,
    named_embedder,
    no_meaning,
)
from holdfast.bootstrap.opening.network_settings import network_settings
from holdfast.domain.errors import NoMeaningError
from holdfast.domain.review.curation import HealthFinding, Severity
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from holdfast.adapters.embedding.card import Card

__all__ = [
    "DEFAULT_MODEL",
    "IN_THE_PACKAGE",
    "ModelLine",
    "can_install",
    "chosen",
    "finding",
    "model_lines",
    "shelf",
    "verify",
    "with_stored",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLine:
    """The facts about one model."""

    name: str
    title: str
    licence: str
    is_installed: bool
    is_chosen: bool
    size: int
    dimension: int
    model: str
    problem: str
    source: str = ""
    """Where the weights come from."""
    sends_to: str = ""
    """Who receives the texts; empty for a model on this machine."""


def shelf(home: Path | None = None) -> ModelFolder:
    """Return the model folders: of the store, and of the checkout that the program runs from."""
    own, *others = models_folders(home)
    return ModelFolder(own, also=tuple(others))


def chosen(home: Path | None = None) -> str:
    """Return the name of the model that is used."""
    return chosen_model(home)


def can_install(home: Path | None = None) -> bool:
    """Return whether the model that is set is known and can be built here."""
    from holdfast.adapters.embedding.building import check_tools

    source = KNOWN.get(chosen(home))
    try:
        check_tools(source)
    except NoMeaningError:
        return False
    return source is not None


def model_lines(home: Path | None = None) -> list[ModelLine]:
    """Return every model that is known or installed, and the chosen one."""
    models, wanted = shelf(home), chosen(home)
    here = [
        _line(name, models, is_chosen=name == wanted)
        for name in dict.fromkeys([*KNOWN, *models.names()])
    ]
    there = dict.fromkeys(KNOWN_ON_THE_NETWORK)
    if network_name(wanted) is not None:
        there[wanted] = None
    return [*here, *(_network_line(name, home, is_chosen=name == wanted) for name in there)]


def with_stored(lines: Sequence[ModelLine], read: Mapping[str, int]) -> list[ModelLine]:
    """Return the lines, and one for each model of which the store has nothing but vectors."""
    shown = {line.model for line in lines}
    return [
        *lines,
        *(
            ModelLine(
                name=name,
                title="only its vectors are in the store",
                licence="",
                is_installed=False,
                is_chosen=False,
                size=0,
                dimension=0,
                model=name,
                problem="",
            )
            for name in sorted(set(read) - shown)
        ),
    ]


def verify(name: str, home: Path | None = None) -> None:
    """Check that a model is complete and separates similar texts from different ones.

    Raises:
        NoSuchError: It is not installed.
        NoMeaningError: It is damaged, does not answer, or does not distinguish meanings.
    """
    if network_name(name) is None:
        shelf(home).verify(name)
        return
    from holdfast.adapters.embedding.sense import check_sense

    found = named_embedder(name, home, hurry=Hurry.WORK)
    if found is not None:
        check_sense(found, name)


def finding(home: Path | None = None) -> HealthFinding:
    """Check the model in use: its files, and whether its vectors make sense.

    An embedder on the network is not asked: a check sends nothing.
    """
    wanted, models = chosen(home), shelf(home)
    if wanted not in models.names():
        found, broken = chosen_embedder(home)
        if found is not None:
            receiver = destination(home)
            sent = f" Claims and questions are sent to {receiver}." if receiver else ""
            return _found(Severity.OK, f"{found.model.name} is set.{sent}")
        return _found(Severity.WARNING if broken else Severity.NOTE, no_meaning(home))
    try:
        card = models.verify(wanted)
    except NoMeaningError as error:
        return _found(Severity.WARNING, str(error))
    return _found(
        Severity.OK,
        f"{card.model.name} is intact, and tells similar sentences from different ones.",
    )


def _found(severity: Severity, message: str) -> HealthFinding:
    return HealthFinding(check="meaning", severity=severity, message=message)


def _line(name: str, models: ModelFolder, *, is_chosen: bool) -> ModelLine:
    problem = ""
    card: Card | None = None
    try:
        card = models.card(name)
    except NoMeaningError as error:
        problem = str(error)
    source = KNOWN.get(name)
    return ModelLine(
        name=name,
        title=card.title if card else source.title if source else name,
        licence=card.licence if card else source.licence if source else "",
        is_installed=card is not None,
        is_chosen=is_chosen,
        size=card.size if card else 0,
        dimension=card.dimension if card else 0,
        model=card.model.name if card else "",
        problem=problem,
        source=card.source if card else source.origin if source else "",
    )


def _network_line(name: str, home: Path | None, *, is_chosen: bool) -> ModelLine:
    """Return the facts about an embedder on the network; only a chosen one can have a problem."""
    known = KNOWN_ON_THE_NETWORK.get(name)
    problem = model = receiver = ""
    dimension = 0 if known is None else known.sizes[0]
    try:
        given = network_settings(name, home)
        receiver = "" if given is None else given.destination
        if is_chosen and (found := named_embedder(name, home)) is not None:
            model, dimension = found.model.name, found.model.dimension
    except NoMeaningError as error:
        problem = str(error) if is_chosen else ""
    return ModelLine(
        name=name,
        title=name if known is None else known.title,
        licence="",
        is_installed=bool(model),
        is_chosen=is_chosen,
        size=0,
        dimension=dimension,
        model=model,
        problem=problem,
        sends_to=receiver,
    )
