"""Claims of commits: their evidence says how old it is, and what is gone is not proposed."""

from __future__ import annotations

from typing import cast

import pytest

from holdfast.app import Holdfast
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.memory.evidence import brief_reference
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.roles.step import StepWork
from holdfast.usecases.roles.supervising import supervise
from tests.requirements import requirement
from tests.usecases.supervised import PlainCommits, Scene
from tests.usecases.test_supervise import HEAD, WANT, step_of

RULE = "We decided to always import from ._compat because Python 2 needs it."


class MuteCommits(PlainCommits):
    """Commits of a git that cannot search the files."""

    def mentions(self, name: str) -> bool:
        raise OutsideUnavailableError(who="git", words=f"no search for {name}")


@pytest.fixture
def scene(holdfast: Holdfast) -> Scene:
    return Scene(holdfast)


@requirement("roles.dated-claims")
def test_the_evidence_of_a_claim_says_when_the_commit_was_made(scene: Scene) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    scene.commits = PlainCommits({HEAD: f'Add "compat" {token}\n\n{RULE}'})

    done = supervise("tidy", WANT, ports=scene.ports())

    names = cast("list[str]", step_of(done, StepWork.HISTORY).effects["candidates"])
    shown_memory = scene.holdfast.memories.show(names[0])
    assert isinstance(shown_memory, MemoryRecord)
    (evidence,) = shown_memory.evidence
    shown = brief_reference(evidence, is_quoted=True)
    assert shown.startswith(f"commit: {HEAD[:12]}, 2026-11-15 \"Add 'compat' ")
    assert token not in shown


@requirement("roles.dated-claims")
@pytest.mark.parametrize(("gone", "candidates"), [({"_compat"}, 0), (set[str](), 1)])
def test_a_claim_about_code_that_is_gone_is_not_proposed(
    scene: Scene, gone: set[str], candidates: int
) -> None:
    scene.commits = PlainCommits({HEAD: f"Say why\n\n{RULE}"}, gone_names=gone)

    effects = step_of(supervise("tidy", WANT, ports=scene.ports()), StepWork.HISTORY).effects

    assert len(cast("list[str]", effects["candidates"])) == candidates
    wanted = {} if candidates else {"the code it names is not in the checkout": 1}
    assert effects["left_out"] == wanted


@requirement("roles.dated-claims")
def test_where_git_cannot_search_a_claim_is_proposed(scene: Scene) -> None:
    scene.commits = MuteCommits({HEAD: f"Say why\n\n{RULE}"})

    effects = step_of(supervise("tidy", WANT, ports=scene.ports()), StepWork.HISTORY).effects

    assert len(cast("list[str]", effects["candidates"])) == 1
