"""Runs a model built by Holdfast with onnxruntime on the CPU."""

from __future__ import annotations

import os
from functools import cached_property
from threading import Lock, Thread
from typing import TYPE_CHECKING

from holdfast.adapters.embedding.card import GRAPH_FILE
from holdfast.adapters.embedding.errors import ModelBrokenError, ToolsMissingError
from holdfast.adapters.embedding.installed_model import InstalledModel
from holdfast.domain.errors import NoMeaningError
from holdfast.domain.recall.finding import Vector

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from onnxruntime import InferenceSession

    from holdfast.adapters.embedding.card import Card

_ONLY_FATAL = 4
_FEW_RUNS = 4
_LENGTH_MAY_STRAY = 1e-3


class OnnxEmbedder(InstalledModel):
    """Embeds texts with an installed model; nothing is loaded before the first text."""

    def __init__(self, card: Card, folder: Path, *, threads: int = 0) -> None:
        super().__init__(card, folder)
        self._threads = threads or os.cpu_count() or 1
        self._loading = Lock()
        self._runs = 0

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[Vector]]:
        """Return the vectors of each text; a long one is split into at most eight windows."""
        if len(texts) > 1:
            self._runs += _FEW_RUNS  # many texts: a slower start pays off
        prefix = self._pieces.pieces(self._card.passage_prefix)
        owners: list[int] = []
        rows: list[list[int]] = []
        for number, text in enumerate(texts):
            parts = self._windows(text, room=self._room - len(prefix))
            rows += [self._framed([*prefix, *part]) for part in parts]
            owners += [number] * len(parts)
        found: list[list[Vector]] = [[] for _ in texts]
        for owner, vector in zip(owners, self._vectors(rows), strict=True):
            found[owner].append(vector)
        return found

    def ask(self, question: str) -> Vector:
        """Return the vector of a question; text beyond the model's input length is ignored."""
        self._pieces.refuse_unread(question)
        pieces = self._pieces.pieces(self._card.question_prefix + question)
        return self._vectors([self._framed(pieces[: self._room])])[0]

    @property
    def _room(self) -> int:
        return self._card.max_tokens - 2

    def _framed(self, pieces: list[int]) -> list[int]:
        return [self._pieces.first, *pieces, self._pieces.last]

    def _vectors(self, rows: Sequence[list[int]]) -> list[Vector]:
        """Return a vector for each row; several run concurrently on several cores."""
        found: dict[int, Vector] = {}
        failures: list[NoMeaningError] = []
        waiting = iter(sorted(enumerate(rows), key=lambda row: -len(row[1])))

        def read() -> None:
            for number, row in waiting:
                try:
                    found[number] = self._vector(row)
                except NoMeaningError as error:
                    failures.append(error)
                if failures:
                    return

        readers = [Thread(target=read) for _ in range(min(self._threads, len(rows)) - 1)]
        for reader in readers:
            reader.start()
        read()
        for reader in readers:
            reader.join()
        if failures:
            raise failures[0]
        return [found[number] for number in range(len(rows))]

    def _vector(self, row: list[int]) -> Vector:
        import numpy

        try:
            answer = self._session().run(None, {"input_ids": numpy.array([row], numpy.int64)})
            values = numpy.asarray(answer[0], dtype="<f4")
        except failures() as error:
            raise self._broken(problem=first_line(error)) from error
        if values.shape != (1, self._model.dimension):
            raise self._broken(problem=f"it answers with {values.size} numbers")
        length = float(numpy.square(values).sum())
        if not abs(length - 1) < _LENGTH_MAY_STRAY:  # NaN fails this too
            raise self._broken(problem="it answers with what is no direction")
        return Vector(model=self._model, values=values.tobytes())

    def _session(self) -> InferenceSession:
        """Return the session: one that starts fast at first, one that runs fast for long use."""
        with self._loading:
            self._runs += 1
            return self._steady if self._runs > _FEW_RUNS else self._quick

    @cached_property
    def _quick(self) -> InferenceSession:
        """Start without prepacking the weights: best for a single question."""
        return self._loaded({"session.disable_prepacking": "1"})

    @cached_property
    def _steady(self) -> InferenceSession:
        return self._loaded({})

    def _loaded(self, entries: Mapping[str, str]) -> InferenceSession:
        return open_session(self._folder / GRAPH_FILE, entries, name=self._card.name)

    def _broken(self, *, problem: str) -> ModelBrokenError:
        return ModelBrokenError(name=self._card.name, problem=problem)


def open_session(path: Path, entries: Mapping[str, str], *, name: str) -> InferenceSession:
    """Load a graph that runs on one core.

    Raises:
        ToolsMissingError: onnxruntime is not installed.
        ModelBrokenError: The graph cannot be loaded.
    """
    # Without this, onnxruntime stores an id of this device and reports its use over the network.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    try:
        import onnxruntime
    except ImportError as error:
        raise ToolsMissingError(packages="onnxruntime") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = _ONLY_FATAL
    # The graph is fused already; further optimisation would only slow the start.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    for entry, value in entries.items():
        options.add_session_config_entry(entry, value)
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except failures() as error:
        raise ModelBrokenError(name=name, problem=first_line(error)) from error


def failures() -> tuple[type[BaseException], ...]:
    """Return all exception types of onnxruntime; they have no common base class."""
    from importlib import import_module

    state = import_module("onnxruntime.capi.onnxruntime_pybind11_state")
    named = [one for one in vars(state).values() if isinstance(one, type)]
    return (*(one for one in named if issubclass(one, Exception)), RuntimeError, ValueError)


def first_line(error: BaseException) -> str:
    """Return the first line of a message, without its full stop."""
    return (str(error).strip().splitlines() or ["it gives no reason"])[0][:200].rstrip(".")
