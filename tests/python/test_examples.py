"""Every public name has a docstring with an example, and every example runs."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

import holdfast
from holdfast import (
    AgentCollection,
    KeyCollection,
    MemoryService,
    MemoryStore,
    OpenSession,
    RunningAgent,
    RunningCycle,
    TrackedWorkspace,
    Workspaces,
)
from tests.python.places import an_example_repository
from tests.requirements import requirement
from tests.service_model import models

VALUES = {
    "__version__",
    *("Evidence", "EvidenceType", "Span", "Verdict", "Kind", "Scope", "Status", "Origin", "Risk"),
    *("Agent", "AgentCycle", "ActionProposal", "ActionResult", "AgentState", "Resumption"),
    "AsyncCycle",
    *("RememberOutcome", "Action", "Link", "Session", "Interaction", "Lesson", "Brought", "HasId"),
    *(name for name in holdfast.__all__ if name.endswith("Error")),
}
"""Names without an example of their own: values that the other examples show, and errors."""


def methods_of(owner: type) -> dict[str, object]:
    """Return the public methods and properties that a class or its bases define."""
    return {
        f"{owner.__name__}.{name}": getattr(member, "fget", member)
        for name, member in inspect.getmembers(owner)
        if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, property))
    }


def functions_of(owner: type) -> dict[str, object]:
    """Return the public methods of a class; the example of the class shows its properties."""
    return {
        name: one
        for name, one in methods_of(owner).items()
        if inspect.isfunction(inspect.getattr_static(owner, name.split(".")[1]))
    }


def documented() -> dict[str, object]:
    """Return everything that needs an example, by its name."""
    names = {name: getattr(holdfast, name) for name in holdfast.__all__ if name not in VALUES}
    verbs = {
        **methods_of(MemoryStore),
        **methods_of(MemoryService),
        **methods_of(Workspaces),
        "TrackedWorkspace.evidence": TrackedWorkspace.evidence,
        **functions_of(AgentCollection),
        **functions_of(RunningAgent),
        **functions_of(RunningCycle),
        **functions_of(KeyCollection),
        "OpenSession.turn": OpenSession.turn,
        "OpenSession.recall": OpenSession.recall,
        "OpenSession.end": OpenSession.end,
    }
    return {"holdfast": holdfast, **names, **verbs}


DOCUMENTED = documented()


@pytest.fixture
def hf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryStore]:
    monkeypatch.chdir(an_example_repository(tmp_path / "app"))
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOLDFAST_MODELS", str(tmp_path / "no models"))
    monkeypatch.setenv("HOLDFAST_KEYS", str(tmp_path / "keys"))
    with holdfast.open() as opened:
        yield opened


@pytest.fixture
def service(hf: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryService]:
    """A memory service with a model, beside a memory without one."""
    monkeypatch.setenv("HOLDFAST_MODELS", models())
    with MemoryService() as opened:
        assert not hf.is_closed
        yield opened


@requirement("python.every-name-has-an-example")
@pytest.mark.parametrize("name", DOCUMENTED)
def test_the_example_of_a_public_name_runs(
    name: str, hf: MemoryStore, request: pytest.FixtureRequest
) -> None:
    said = inspect.getdoc(DOCUMENTED[name]) or ""
    known = {"holdfast": holdfast, "hf": hf}
    if "service" in said:
        known["service"] = request.getfixturevalue("service")
    example = doctest.DocTestParser().get_doctest(said, known, name, None, 0)
    told: list[str] = []

    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=told.append)

    assert example.examples, f"{name} shows no example"
    assert not told, "".join(told)
    assert said[:1].isupper()
    assert said.split("\n")[0].endswith((".", ":"))


@requirement("python.all-is-the-promise")
def test_every_public_name_exists_and_is_shown() -> None:
    assert len(set(holdfast.__all__)) == len(holdfast.__all__)
    for name in holdfast.__all__:
        assert getattr(holdfast, name).__doc__
        assert name in dir(holdfast)
    with pytest.raises(AttributeError, match="has no attribute 'Bundle'"):
        getattr(holdfast, "Bundle")  # noqa: B009 - type checkers refuse the plain form


@pytest.mark.parametrize("error", [name for name in holdfast.__all__ if name.endswith("Error")])
def test_every_public_error_belongs_to_the_one_tree(error: str) -> None:
    assert issubclass(getattr(holdfast, error), holdfast.HoldfastError)
