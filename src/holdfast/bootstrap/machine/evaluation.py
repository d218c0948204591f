"""Memories for evaluations, in a temporary home and never in the person's own."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.benchsets.files import find_sets
from holdfast.adapters.benchsets.kept import KeptEmbedder
from holdfast.adapters.benchsets.reading import plan
from holdfast.adapters.disk.atomic_files import make_own_folder
from holdfast.adapters.disk.failures import disk_problem
from holdfast.adapters.git.reading.history import GitHistory
from holdfast.adapters.machine.settings import data_folder, environment_name
from holdfast.bootstrap.opening.embedders import Hurry, embedder
from holdfast.bootstrap.opening.wiring import open_holdfast, settings
from holdfast.bootstrap.plugs.addresses import IN_A_FILE
from holdfast.domain.choices import Deep
from holdfast.domain.errors import BadFieldError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.values import replace
from holdfast.usecases.evaluation.ingesting import Ingested

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from datetime import datetime
    from typing import Self

    from holdfast.app.measured import MeasuredPart

__all__ = ["TemporaryBench", "find_sets", "history", "plan"]

_HOLDS = "holds.json"
_MODELS = "models"
_CACHE = Path("cache") / "embeddings"


def history(folder: Path, *, since: datetime | None = None) -> GitHistory:
    """Return the git history of the repository around a folder."""
    return GitHistory(folder, since=since)


class TemporaryBench:
    """Creates a home per trial below one folder; the memories in a kept folder are reused.

    ``model`` is the name of the embedding model in use, and ``is_deep`` says whether the best hits
    are read again, both known once a memory was opened.
    """

    def __init__(
        self, *, home: Path | None, changes: Mapping[str, str], keep: Path | None = None
    ) -> None:
        for name in changes:
            if (variable := environment_name(name)) in os.environ:
                raise BadFieldError(
                    field=name, problem=f"is set by the variable {variable}; unset that first."
                )
        self.model: str | None = None
        self.is_deep = False
        self._own = home or data_folder()
        self._changes = changes
        self._keep = keep
        self._folder = keep or Path(tempfile.mkdtemp(prefix="holdfast-eval-"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._keep is None:
            shutil.rmtree(self._folder, ignore_errors=True)

    @contextmanager
    def opened(self, trial: str) -> Generator[MeasuredPart, None, None]:
        """Open the memory of a trial, with default settings except the changed ones."""
        home = self._home(trial)
        try:
            make_own_folder(home)
        except OSError as error:
            raise disk_problem(home, error) from error
        ours = settings(home)
        for name, value in self._changes.items():
            ours.set(name, value)
        self._lend_models(home)
        tokens, _ = ours.value("recall.tokens")
        # The commits in documents belong to other repositories, so they cannot be checked here.
        person = Principal.of(PrincipalKind.PERSON, name="eval")
        # An evaluation never writes to the server that a team uses.
        opened = open_holdfast(
            principal=person, home=home, folder=home, tokens=tokens, at=IN_A_FILE
        )
        # It measures what an MCP client gets, whose best hits are read again.
        deep = Deep.ON if opened.deep is Deep.AUTO else opened.deep
        self.is_deep = deep is Deep.ON
        memory = replace(opened, verifier=None, deep=deep)
        patient = embedder(home, hurry=Hurry.WORK)
        if patient is not None:
            self.model = patient.model.name
            memory = replace(memory, embedder=KeptEmbedder(patient, self._own / _CACHE))
        try:
            yield memory.measured
        finally:
            memory.close()
            if self._keep is None:
                shutil.rmtree(home, ignore_errors=True)

    def known(self, trial: str) -> Ingested | None:
        """Return the recorded documents of a kept memory."""
        try:
            noted = json.loads((self._home(trial) / _HOLDS).read_text(encoding="utf-8"))
            return Ingested(
                documents={
                    MemoryId(name): tuple(held) for name, held in noted["documents"].items()
                },
                refused=noted["refused"],
            )
        except (OSError, ValueError, KeyError, AttributeError, TypeError):
            return None

    def note(self, trial: str, ingested: Ingested) -> None:
        """Record each memory's documents as the last step, so that no partial memory is reused."""
        if self._keep is None:
            return
        noted = {"documents": dict(ingested.documents), "refused": dict(ingested.refused)}
        path = self._home(trial) / _HOLDS
        try:
            path.write_text(json.dumps(noted), encoding="utf-8")
        except OSError as error:
            raise disk_problem(path, error) from error

    def _home(self, trial: str) -> Path:
        parts = [part for part in trial.replace("..", "_").split("/") if part]
        return self._folder.joinpath(*parts)

    def _lend_models(self, home: Path) -> None:
        """Make the installed models available in the temporary home."""
        installed = self._own / _MODELS
        if installed.is_dir() and not os.path.lexists(home / _MODELS):
            with suppress(OSError):
                (home / _MODELS).symlink_to(installed, target_is_directory=True)
