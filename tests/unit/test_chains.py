from __future__ import annotations

from typing import Any

from holdfast.domain.choices import LinkKind, Status
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.link import Chain, Link, alone_on, chains_of
from holdfast.domain.memory.memory import MemoryRecord, Standing
from tests.builders import a_branch_point, a_memory, a_record


def a_version(name: str, **standing: Any) -> MemoryRecord:
    """A memory of that name."""
    return a_record(a_memory(id=MemoryId(name)), standing=Standing(**standing))


def after(new: str, old: str) -> Link:
    """The new one took the old one's place."""
    return Link(src=MemoryId(new), dst=MemoryId(old), kind=LinkKind.SUPERSEDES)


def chains(
    records: list[MemoryRecord], links: list[Link], *, unseen: str = ""
) -> dict[MemoryId, Chain]:
    """The chains, where all but one are seen."""
    seen = {one.memory.id for one in records} - {MemoryId(unseen)}
    return chains_of(records, links, seen=seen)


def names(records: tuple[MemoryRecord, ...]) -> list[str]:
    """The names of memories, in order."""
    return [one.memory.id for one in records]


def test_a_chain_bears_the_name_of_its_first_memory() -> None:
    found = chains(
        [a_version(f"m_{n}") for n in (1, 2, 3)], [after("m_3", "m_2"), after("m_2", "m_1")]
    )

    chain = found[MemoryId("m_1")]
    assert list(found) == ["m_1"]
    assert (names(chain.versions), names(chain.heads)) == (["m_1", "m_2", "m_3"], ["m_3"])
    assert chain.last.memory.id == "m_3"


def test_a_memory_with_an_entry_of_its_own_ends_the_chain_that_it_superseded() -> None:
    records, links = [a_version("m_1"), a_version("m_2")], [after("m_2", "m_1")]

    found = chains_of(
        records, links, seen={MemoryId("m_1"), MemoryId("m_2")}, firsts={MemoryId("m_2")}
    )

    assert (names(found[MemoryId("m_1")].versions), found[MemoryId("m_1")].heads) == (["m_1"], ())
    assert names(found[MemoryId("m_2")].heads) == ["m_2"]


def test_what_is_not_seen_from_here_took_nobodys_place_here() -> None:
    found = chains([a_version("m_1"), a_version("m_2")], [after("m_2", "m_1")], unseen="m_2")

    chain = found[MemoryId("m_1")]
    assert (names(chain.heads), names(chain.hidden)) == (["m_1"], ["m_2"])


def test_two_that_took_one_place_stand_side_by_side() -> None:
    records = [a_version("m_1"), a_version("m_2"), a_version("m_3")]

    found = chains(records, [after("m_2", "m_1"), after("m_3", "m_1")])

    assert names(found[MemoryId("m_1")].heads) == ["m_2", "m_3"]


def test_one_that_took_two_places_belongs_to_the_older_and_ends_the_other() -> None:
    records = [a_version("m_1"), a_version("m_2"), a_version("m_3")]

    found = chains(records, [after("m_3", "m_1"), after("m_3", "m_2")])

    assert names(found[MemoryId("m_1")].heads) == ["m_3"]
    ended = found[MemoryId("m_2")]
    assert (names(ended.heads), names(ended.versions)) == ([], ["m_2"])
    assert ended.last.memory.id == "m_2"


def test_a_proposal_takes_nobodys_place() -> None:
    records = [a_version("m_1"), a_version("m_2", status=Status.CANDIDATE)]

    found = chains(records, [after("m_2", "m_1"), after("m_2", "m_gone")])

    assert set(found) == {"m_1", "m_2"}


def test_who_took_a_place_is_known_without_a_link_too() -> None:
    old = a_version("m_1", status=Status.SUPERSEDED, superseded_by=MemoryId("m_2"))

    found = chains([old, a_version("m_2")], [])

    assert names(found[MemoryId("m_1")].heads) == ["m_2"]


def test_links_in_a_circle_end() -> None:
    found = chains([a_version("m_1"), a_version("m_2")], [after("m_1", "m_2"), after("m_2", "m_1")])

    assert sorted(names(found[MemoryId("m_1")].versions)) == ["m_1", "m_2"]


def test_a_memory_of_a_branch_holds_on_that_branch_alone() -> None:
    assert alone_on(a_memory()) is None
    assert alone_on(a_memory(branch_point=a_branch_point(is_aside=False))) is None
    assert alone_on(a_memory(branch_point=a_branch_point())) == "feature"
