"""Opens the embedding models that a person set: installed, on the network, or from a plug-in."""

from __future__ import annotations

from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.machine.settings import models_folders
from holdfast.bootstrap.opening.network_settings import MODEL, network_settings
from holdfast.bootstrap.opening.own_settings import settings
from holdfast.domain.errors import NoMeaningError
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from holdfast.adapters.http.retrying import Patience
    from holdfast.ports.recall.models import Embedder

_BY_DEFAULT = "default"
_REMOVED_NAME = "remote"
_NO_LONGER = (
    "the embedder 'remote' is now named by its model, for example"
    " 'holdfast model use openai:text-embedding-3-small'; until then words only are searched"
)
_QUICK_SECONDS, _QUICK_TRIES = 5.0, 2
_HOOK_SECONDS, _HOOK_TRIES = 1.0, 1
_PATIENT_TRIES = 6


class Hurry(Enum):
    """How long the caller can wait for an embedder on the network."""

    WORK = "work"
    """A catch-up: as long as the setting allows, with retries."""
    QUESTION = "question"
    """A person or an agent waits for an answer."""
    HOOK = "hook"
    """A coding tool waits, and gives up after two seconds."""


def is_model_set(home: Path | None = None) -> bool:
    """Return whether somebody set a model, in a file or a variable."""
    return settings(home).value(MODEL)[1] != _BY_DEFAULT


def chosen_model(home: Path | None = None) -> str:
    """Return the name of the model that is used: the one in the settings, or the default.

    Where nobody set one and the default is not installed, it is the default of earlier versions,
    if that is installed: a store that was made with it goes on as it is.
    """
    from holdfast.adapters.embedding.known_models import DEFAULT_BEFORE
    from holdfast.adapters.embedding.registry import is_installed

    wanted = settings(home).value(MODEL)[0]
    if not is_model_set(home):
        folders = models_folders(home)
        if not is_installed(wanted, folders) and is_installed(DEFAULT_BEFORE, folders):
            return DEFAULT_BEFORE
    return wanted


class ChosenEmbedder(NamedTuple):
    """The embedding model that is set, or why it cannot be used; neither if it is missing."""

    embedder: Embedder | None
    broken: str = ""


def chosen_embedder(home: Path | None = None, *, hurry: Hurry = Hurry.QUESTION) -> ChosenEmbedder:
    """Return the embedding model that is set, or why it cannot be used.

    A broken model counts as none: memories are still found by words, and ``doctor`` reports it.
    """
    try:
        return ChosenEmbedder(named_embedder(chosen_model(home), home, hurry=hurry))
    except NoMeaningError as error:
        return ChosenEmbedder(None, str(error))


def embedder(home: Path | None = None, *, hurry: Hurry = Hurry.QUESTION) -> Embedder | None:
    """Return the embedding model that is set and can be used; None if there is none."""
    return chosen_embedder(home, hurry=hurry).embedder


def local_embedder(home: Path | None = None) -> Embedder | None:
    """Return the embedding model that is set, if it is installed on this machine; else None.

    Code is embedded only here: no text of a repository is sent to a service, or to a plug-in.
    """
    from holdfast.adapters.embedding.registry import is_installed

    if not is_installed(chosen_model(home), models_folders(home)):
        return None
    return embedder(home)


def named_embedder(
    name: str,
    home: Path | None = None,
    *,
    hurry: Hurry = Hurry.QUESTION,
    is_fresh: bool = False,
) -> Embedder | None:
    """Return the embedder of that name; None if it is not installed.

    A fresh one does not read the cache of vectors.

    Raises:
        NoMeaningError: It is broken, or its settings are incomplete or unsafe.
    """
    from holdfast.adapters.embedding.registry import open_embedder

    given = network_settings(name, home)
    if given is None:
        return open_embedder(name, *models_folders(home))
    from holdfast.adapters.embedding.network.opening import open_network
    from holdfast.adapters.embedding.registry import CachedEmbedder

    given = replace(given, is_fresh=is_fresh)
    return CachedEmbedder(open_network(given, patience(home, hurry)))


def patience(home: Path | None, hurry: Hurry) -> Patience:
    """Return how long a caller waits, within the limit that is set."""
    from holdfast.adapters.http.retrying import Patience

    seconds = float(settings(home).value("embedding.timeout")[0])
    match hurry:
        case Hurry.WORK:
            return Patience(timeout=seconds, tries=_PATIENT_TRIES)
        case Hurry.QUESTION:
            most, tries = min(_QUICK_SECONDS, seconds), _QUICK_TRIES
        case Hurry.HOOK:
            most, tries = min(_HOOK_SECONDS, seconds), _HOOK_TRIES
    return Patience(timeout=most, tries=tries, deadline=most)


def older_embedders(home: Path | None) -> tuple[Embedder, ...]:
    """Return the other installed models; the vectors that they made can still be searched.

    An embedder on the network that is no longer chosen is not asked: it would receive questions
    after a person chose otherwise.
    """
    from holdfast.adapters.embedding.registry import NONE, installed, open_embedder

    wanted = chosen_model(home)
    if wanted == NONE:
        return ()
    folders = models_folders(home)
    found: list[Embedder] = []
    for name in dict.fromkeys(name for folder in folders for name in installed(folder)):
        if name != wanted:
            with suppress(NoMeaningError):
                other = open_embedder(name, *folders)
                found += [] if other is None else [other]
    return tuple(found)


def destination(home: Path | None = None) -> str:
    """Return who receives the texts that the chosen model embeds; empty if they stay here."""
    try:
        given = network_settings(chosen_model(home), home)
    except NoMeaningError:
        return ""
    return "" if given is None else given.destination


def no_meaning(home: Path | None = None) -> str:
    """Return in one line why memories are found by words only, and what to do about it."""
    from holdfast.adapters.embedding.registry import NONE

    wanted = chosen_model(home)
    if wanted == NONE:
        return "searches by words only, as the setting says; 'holdfast model use' chooses a model"
    if wanted == _REMOVED_NAME:
        return _NO_LONGER
    try:
        named_embedder(wanted, home)
    except NoMeaningError as error:
        return str(error)
    return f"searches by words only; 'holdfast model install {wanted}' installs a model"
