"""A label of this repository's pages is accepted wherever an id is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import Kind, Scope, Status
from holdfast.domain.errors import AlreadyDecidedError, AmbiguousError, NoSuchError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import MemoryRecord, Standing
from holdfast.domain.review_errors import NoConflictError, NothingToUndoError
from holdfast.domain.values import replace
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.review.resolve import ResolutionWay, Resolve
from holdfast.usecases.review.rewording import Edit
from holdfast.usecases.review.undo import Undo
from tests.builders import PlainSurroundings
from tests.requirements import requirement
from tests.usecases.pages import UseCaseContext, a_decision, from_git
from tests.usecases.test_curating import care
from tests.usecases.wishes import a_wish, approve, reject, said

LABEL = "DEC-001"


@pytest.fixture
def context(holdfast: Holdfast) -> UseCaseContext:
    return UseCaseContext(memory=holdfast)


def labelled(holdfast: Holdfast, claim: str = "We deploy on Tuesdays.") -> MemoryRecord:
    return holdfast.memories.remember(a_wish(claim, kind=Kind.DECISION, label=LABEL)).record


USES: dict[str, Callable[[Holdfast], object]] = {
    "show": lambda app: app.memories.show(LABEL),
    "explain": lambda app: app.memories.explain(LABEL),
    "related": lambda app: app.memories.related(LABEL),
    "pin": lambda app: app.memories.pin(LABEL),
    "forget": lambda app: app.memories.forget(Forget(reference=LABEL, by="ada", dry_run=True)),
    "propose": lambda app: app.memories.propose_forgetting(Forget(reference=LABEL, by="ada")),
    "edit": lambda app: app.review.edit(Edit(reference=LABEL, claim="We do not.", by="ada")),
    "derive": lambda app: said(app, "So.", grounds=Grounds(because="x", derived_from=(LABEL,))),
}


@requirement("files.labels-are-ids")
@pytest.mark.parametrize("use", sorted(USES))
def test_a_label_names_the_memory_of_this_repository(
    holdfast: Holdfast, surroundings: PlainSurroundings, use: str
) -> None:
    here = surroundings.at
    surroundings.at = replace(here, repo="repo_other")
    labelled(holdfast, "Theirs.")
    surroundings.at = here
    labelled(holdfast)

    USES[use](holdfast)


@requirement("files.labels-are-ids")
def test_an_entry_that_waits_is_approved_by_the_label_of_its_page(context: UseCaseContext) -> None:
    from_git(context, a_decision())
    candidate = context.only().memory or ""

    approve(context.memory, LABEL, by="ada")

    assert context.record(candidate).standing.status is Status.ACCEPTED
    assert context.sync().is_in_line


@requirement("files.labels-are-ids")
def test_a_deprecated_memory_is_shown_by_its_label(context: UseCaseContext) -> None:
    record = context.decided()
    care(context.memory).deprecate([LABEL], by="ada")

    assert context.memory.memories.show(LABEL) == context.record(record.memory.id)


@requirement("files.labels-are-ids")
def test_a_label_that_two_memories_here_have_names_both(holdfast: Holdfast) -> None:
    first, second = labelled(holdfast), said(holdfast, "We deploy on Fridays.")
    with holdfast.store.writing(holdfast.clock.now()) as tx:  # as two branches may number them
        tx.memories.set_standing(second.memory.id, Standing(label=LABEL))

    with pytest.raises(AmbiguousError, match=f"{second.memory.id}.*{first.memory.id}"):
        holdfast.memories.show(LABEL)


@requirement("files.labels-are-ids")
def test_links_and_decisions_take_labels_too(holdfast: Holdfast) -> None:
    first, other = labelled(holdfast), said(holdfast, "Doors are shut.")
    link = Link(src=MemoryId(LABEL), dst=other.memory.id, kind="related")

    assert holdfast.memories.link(link).src == first.memory.id
    assert holdfast.memories.unlink(link)
    with pytest.raises(AlreadyDecidedError):
        reject(holdfast, LABEL, by="ada")
    with pytest.raises(NoConflictError):
        holdfast.review.resolve(Resolve(reference=LABEL, way=ResolutionWay.KEEP_BOTH, by="ada"))
    with pytest.raises(NothingToUndoError):
        holdfast.review.undo(Undo(by="ada", reference=LABEL))


def test_a_label_outside_a_repository_is_looked_up_everywhere(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    surroundings.at = replace(surroundings.at, repo=None)
    wish = a_wish("Everywhere.", scope=Scope.GLOBAL, label=LABEL)
    record = holdfast.memories.remember(wish).record

    assert holdfast.memories.show(LABEL) == record
    with pytest.raises(NoSuchError):
        holdfast.memories.show("DEC-002")
