"""The errors of models, each with what to do about it."""

from __future__ import annotations

from holdfast.domain.errors import NoMeaningError

_UNTIL_THEN = "until then memories are found by words only."


class ModelBrokenError(NoMeaningError, code="model-broken"):
    """An installed model cannot be used."""

    def __init__(self, *, name: str, problem: str) -> None:
        super().__init__(
            f"The model {name} cannot be used: {problem.rstrip('.')}.",
            f"Install it again; {_UNTIL_THEN}",
            name=name,
            reason=problem,
        )


class ModelMissingError(NoMeaningError, code="model-missing"):
    """A model is not installed."""

    def __init__(self, *, name: str) -> None:
        super().__init__(
            f"The model {name} is not installed.", f"Install it; {_UNTIL_THEN}", name=name
        )


class ModelNotFetchedError(NoMeaningError, code="model-not-fetched"):
    """The package of a model could not be downloaded, or has the wrong hash."""

    def __init__(self, *, name: str, package: str, problem: str) -> None:
        super().__init__(
            f"The model {name} could not be fetched: {problem.rstrip('.')}.",
            f"Nothing was changed; try again with a network, or fetch {package} elsewhere and"
            " install it from that file. Without a model memories are found by words only.",
            name=name,
            package=package,
            reason=problem,
        )


class ModelNotWrittenError(NoMeaningError, code="model-not-written"):
    """The files of a model could not be written."""

    def __init__(self, *, name: str, problem: str, advice: str) -> None:
        super().__init__(
            f"The model {name} could not be written: {problem.rstrip('.')}.",
            f"Nothing was changed. {advice}",
            name=name,
            reason=problem,
        )


class ToolsMissingError(NoMeaningError, code="tools-missing"):
    """The packages that run models are not installed."""

    def __init__(self, *, packages: str) -> None:
        super().__init__(
            f"Models need {packages}, which is not installed.",
            f"Run: pip install 'holdfast[meaning]'; {_UNTIL_THEN}",
            packages=packages,
        )


class PlugInBrokenError(NoMeaningError, code="plug-in-broken"):
    """An embedder from another package cannot be loaded."""

    def __init__(self, *, name: str, problem: str) -> None:
        super().__init__(
            f"The embedder '{name}' from another package cannot be loaded: {problem.rstrip('.')}.",
            "Repair or remove that package, or unset embedding.model.",
            name=name,
            reason=problem,
        )


class RemoteFailedError(NoMeaningError, code="remote-failed"):
    """A remote embedder does not answer, or its answer cannot be used."""

    def __init__(self, *, name: str, problem: str) -> None:
        super().__init__(
            f"The embedder {name} {problem.rstrip('.')}.",
            "Check the settings embedding.url, embedding.remote_model and embedding.key_env, or"
            f" choose an installed model; {_UNTIL_THEN}",
            name=name,
            reason=problem,
        )


class RemoteSizeError(NoMeaningError, code="remote-size"):
    """A remote embedder returns vectors of another size."""

    def __init__(self, *, name: str, size: int, wanted: int) -> None:
        super().__init__(
            f"The embedder {name} returns vectors with {size} numbers instead of {wanted}.",
            f"If {size} is correct, set embedding.dimension to {size}.",
            name=name,
            size=size,
            wanted=wanted,
        )
