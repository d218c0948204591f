"""The part of the app that supervises: who may do what, and the pages that it writes."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from holdfast.adapters.inmemory.notebook import InMemoryNotebook
from holdfast.app import Holdfast
from holdfast.domain.access_errors import MayNotError
from holdfast.domain.errors import StoreUnreadableError
from holdfast.domain.memory.callers import Operation, Principal, PrincipalKind
from holdfast.domain.roles.errors import RunCompleteError
from holdfast.domain.roles.step import RunStep, StepWork
from holdfast.domain.values import replace
from holdfast.ports.pages.files import GeneratedPage
from holdfast.usecases.roles.role_ports import RoleCaller, RolePorts, SuperviseOptions
from tests.usecases.supervised import PlainCommands, Scene
from tests.usecases.test_runs import TwoCommits

WANT = SuperviseOptions()


class FullNotebook(InMemoryNotebook):
    """Pages on a disk that is full."""

    def write_generated(self, name: str, text: str) -> GeneratedPage:
        """Refuse."""
        del text
        raise StoreUnreadableError(name, "the disk is full.")


@dataclass
class Around:
    """What the part needs of its surroundings."""

    book: InMemoryNotebook = field(default_factory=InMemoryNotebook)
    commands: PlainCommands = field(default_factory=lambda: PlainCommands(texts={"x": "true"}))

    def commit_reader(self) -> TwoCommits:
        return TwoCommits()

    def notebook(self) -> InMemoryNotebook:
        return self.book

    def roles(self, holdfast: Holdfast, caller: RoleCaller) -> RolePorts:
        return Scene(holdfast, commands=self.commands).ports(caller)


def attached(holdfast: Holdfast, around: Around) -> Holdfast:
    return replace(holdfast, attachments=around)  # type: ignore[arg-type] # it has what is used


def test_a_finished_run_is_written_as_pages(holdfast: Holdfast) -> None:
    around = Around()
    seen: list[RunStep] = []

    done = attached(holdfast, around).roles.supervise("fix it", WANT, by="ada", tell=seen.append)

    assert done.pages == (
        ".holdfast/runs/run-2026-11-15-1/summary.md",
        ".holdfast/journal/2026-11-15.md",
    )
    assert seen[-1].work is StepWork.CONSOLIDATE
    roles = attached(holdfast, around).roles
    assert roles.supervise("fix it", replace(WANT, dry_run=True)).pages == ()
    assert roles.replay("run-2026-11-15-1").is_same
    with pytest.raises(RunCompleteError):
        roles.resume("run-2026-11-15-1", WANT)
    assert [one.run for one in roles.latest()] == [roles.show("run-2026-11-15-1").run]


def test_pages_that_cannot_be_written_are_named(holdfast: Holdfast) -> None:
    around = Around(book=FullNotebook())

    done = attached(holdfast, around).roles.supervise("fix it", WANT)

    assert done.pages == ()
    assert "the pages were not written" in done.notes[0]


@pytest.mark.parametrize("kind", [PrincipalKind.AGENT, PrincipalKind.TOOL, PrincipalKind.SERVICE])
def test_only_a_person_allows_commands_and_has_them_run(
    holdfast: Holdfast, kind: PrincipalKind
) -> None:
    around = Around()
    theirs = attached(replace(holdfast, principal=Principal.of(kind, name="bot")), around).roles
    for refused in (lambda: theirs.allow("y", "true"), lambda: theirs.disallow("x")):
        with pytest.raises(MayNotError):
            refused()

    done = theirs.supervise("fix it", replace(WANT, run=("x",), may_run=True, applies=True))

    assert around.commands.ran == []
    assert done.run is not None
    person = attached(holdfast, around).roles
    person.allow("y", "true")
    assert {name: one.command for name, one in person.commands().items()} == {
        "x": "true",
        "y": "true",
    }
    assert person.disallow("y")


def test_a_dry_run_only_reads(holdfast: Holdfast) -> None:
    reader = replace(holdfast.principal, may=frozenset({Operation.READ}))
    roles = attached(replace(holdfast, principal=reader), Around()).roles

    assert roles.supervise("fix it", replace(WANT, dry_run=True)).run is None
    with pytest.raises(MayNotError):
        roles.supervise("fix it", WANT)
