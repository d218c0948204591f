"""The embedding models of a person: known, installed, and in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.embedding.card import ModelMissingError
from holdfast.adapters.embedding.model_folder import ModelFolder
from holdfast.adapters.embedding.registry import KNOWN, REMOTE, open_embedder
from holdfast.adapters.machine.settings import DEFAULT_MODEL, models_folders
from holdfast.bootstrap.opening.wiring import embedder, no_meaning, settings
from holdfast.domain.errors import BadFieldError, NoMeaningError
from holdfast.domain.review.curation import HealthFinding, Severity
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.adapters.embedding.card import Card

__all__ = [
    "DEFAULT_MODEL",
    "ModelLine",
    "can_install",
    "chosen",
    "finding",
    "model_lines",
    "shelf",
    "use",
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


def shelf(home: Path | None = None) -> ModelFolder:
    """Return the model folders: of the store, and of the checkout that the program runs from."""
    own, *others = models_folders(home)
    return ModelFolder(own, also=tuple(others))


def chosen(home: Path | None = None) -> str:
    """Return the name of the model in the settings."""
    return settings(home).value("embedding.model")[0]


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
    """Return every model that is known or installed."""
    models, wanted = shelf(home), chosen(home)
    return [
        _line(name, models, is_chosen=name == wanted)
        for name in dict.fromkeys([*KNOWN, *models.names()])
    ]


def use(name: str, home: Path | None = None) -> None:
    """Choose the embedding model.

    Raises:
        BadFieldError: No model has this name; nothing is changed.
        ModelMissingError: The model is not installed; nothing is changed.
    """
    if name not in {"none", REMOTE} and open_embedder(name, *models_folders(home)) is None:
        if name in KNOWN:
            raise ModelMissingError(name=name)
        names = ", ".join(dict.fromkeys([*KNOWN, *shelf(home).names(), REMOTE, "none"]))
        raise BadFieldError(field=f"model '{name}'", problem=f"is not known; there are: {names}.")
    settings(home).set("embedding.model", name)


def finding(home: Path | None = None) -> HealthFinding:
    """Check the model in use: its files, and whether its vectors make sense."""
    wanted, models = chosen(home), shelf(home)
    if wanted in {"none", REMOTE} or wanted not in models.names():
        found = embedder(home)
        if found is not None:
            return _found(Severity.OK, f"{found.model.name} is set.")
        is_broken = wanted == REMOTE
        return _found(Severity.WARNING if is_broken else Severity.NOTE, no_meaning(home))
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
    )
