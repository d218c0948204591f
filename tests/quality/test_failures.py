from __future__ import annotations

import pytest

import holdfast.domain.errors as errors_module
from holdfast.domain.errors import HoldfastError
from holdfast.surfaces.wire.failures import FAMILIES, outward
from tests.requirements import requirement

LEAVES = [
    thing
    for thing in vars(errors_module).values()
    if isinstance(thing, type)
    and issubclass(thing, HoldfastError)
    and thing is not HoldfastError
    and thing not in FAMILIES
]


@requirement("house.families-have-faces")
def test_every_family_of_error_has_a_face_at_every_door() -> None:
    assert set(HoldfastError.__subclasses__()) == set(FAMILIES)


def test_no_two_families_look_alike_at_a_door() -> None:
    faces = FAMILIES.values()

    assert len({face.exit_code for face in faces}) == len(FAMILIES)
    assert len({face.http_status for face in faces}) == len(FAMILIES)


def test_no_family_looks_like_success_or_a_crash() -> None:
    assert all(face.exit_code not in {0, 1} for face in FAMILIES.values())
    assert all(400 <= face.http_status < 600 for face in FAMILIES.values())


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.__name__)
def test_a_leaf_belongs_to_exactly_one_family(leaf: type[HoldfastError]) -> None:
    assert [family for family in FAMILIES if issubclass(leaf, family)] == [leaf.__bases__[0]]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_a_door_finds_the_face_of_a_family(family: type[HoldfastError]) -> None:
    assert outward(family()) is FAMILIES[family]
