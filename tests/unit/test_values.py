"""Our value classes behave as the standard library's do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
from typing import Any

import pytest

from holdfast.domain.errors import InvalidError
from holdfast.domain.values import dataclass, field, replace
from tests.requirements import requirement


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """Two numbers, a name, and notes that are nobody else's."""

    x: int
    y: int = 0
    put: str = "here"
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.x < 0:
            raise InvalidError


@dataclass(slots=True)
class Tally:
    """Something that counts."""

    name: str
    count: int = 0

    def __repr__(self) -> str:
        return f"{self.name}: {self.count}"


@dataclass(frozen=True, slots=True)
class Nothing:
    """A value that holds nothing."""


def test_fields_come_from_words_and_defaults() -> None:
    point = Point(x=1, put="there")

    assert (point.x, point.y, point.put, point.notes) == (1, 0, "there", [])


def test_the_first_values_are_made_like_all_that_follow() -> None:
    made = [Point(x=number, y=2) for number in range(100)]

    assert [(one.x, one.y, one.put, one.notes) for one in made] == [
        (number, 2, "here", []) for number in range(100)
    ]


@pytest.mark.parametrize("fields", [{"y": 1}, {"x": 1, "z": 3}], ids=["missing", "unknown"])
def test_the_first_value_must_have_the_fields_of_its_class(fields: dict[str, Any]) -> None:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Fresh:
        x: int
        y: int = 2

    with pytest.raises(TypeError):
        Fresh(**fields)
    assert Fresh(x=1) == Fresh(x=1, y=2)


def test_a_thread_that_began_before_the_constructor_was_compiled_makes_its_value() -> None:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Fresh:
        x: int

    begun = vars(Fresh)["__init__"]
    for number in range(100):
        Fresh(x=number)
    late = object.__new__(Fresh)

    begun(late, x=7)

    assert vars(Fresh)["__init__"] is not begun
    assert late == Fresh(x=7)


def test_each_of_many_values_is_checked() -> None:
    for number in range(60):
        assert Point(x=number).x == number
        with pytest.raises(InvalidError):
            Point(x=-1)


def test_a_default_that_is_made_is_made_for_each() -> None:
    one, other = Point(x=1), Point(x=1)

    one.notes.append("mine")

    assert other.notes == []
    assert Point(x=1, notes=["given"]).notes == ["given"]


def test_a_word_that_is_missing_or_unknown_is_refused() -> None:
    with pytest.raises(TypeError, match="x"):
        Point()  # type: ignore[call-arg] # ty: ignore[missing-argument] # that is the test
    with pytest.raises(TypeError, match="z"):
        Point(x=1, z=2)  # type: ignore[call-arg] # ty: ignore[unknown-argument] # that is the test


def test_a_value_that_makes_no_sense_is_refused_whenever_it_is_made() -> None:
    for _ in range(2):
        with pytest.raises(InvalidError):
            Point(x=-1)


def test_equal_fields_make_equal_values_of_one_class_only() -> None:
    assert Point(x=1) == Point(x=1, y=0)
    assert Point(x=1) != Point(x=2)
    nothing: object = Nothing()
    assert nothing != Tally("nothing")
    assert hash(Nothing()) == hash(Nothing())


def test_what_may_change_changes_and_cannot_be_hashed() -> None:
    tally = Tally("bugs")

    tally.count += 1

    assert (repr(tally), tally) == ("bugs: 1", Tally("bugs", 1))
    with pytest.raises(TypeError):
        hash(tally)


@requirement("memory.never-changes")
def test_what_is_frozen_can_neither_be_changed_nor_lose_a_field() -> None:
    point = Point(x=1)

    with pytest.raises(dataclasses.FrozenInstanceError, match="'x' of Point"):
        setattr(point, "x", 2)  # noqa: B010 - the checkers would refuse the plain form
    with pytest.raises(dataclasses.FrozenInstanceError):
        delattr(point, "x")


def test_a_changed_copy_keeps_the_rest_whoever_makes_it() -> None:
    point = Point(x=1, put="there")

    assert replace(point, x=5) == dataclasses.replace(point, x=5) == Point(x=5, put="there")


def test_the_standard_library_sees_one_of_its_own() -> None:
    fields = {one.name: one for one in dataclasses.fields(Point)}

    assert dataclasses.is_dataclass(Point)
    assert list(fields) == ["x", "y", "put", "notes"]
    assert fields["y"].default == 0
    assert fields["notes"].default_factory is list
    assert fields["x"].default is dataclasses.MISSING


def test_values_say_what_they_hold() -> None:
    assert repr(Point(x=1)) == "Point(x=1, y=0, put='here', notes=[])"
    assert repr(Nothing()) == "Nothing()"


def test_values_survive_copying_and_pickling() -> None:
    point = Point(x=1, notes=["kept"])

    assert copy.deepcopy(point) == pickle.loads(pickle.dumps(point)) == point  # noqa: S301 - our own bytes


def test_there_is_no_room_for_what_is_not_a_field() -> None:
    with pytest.raises(AttributeError):
        setattr(Tally("bugs"), "colour", "red")  # noqa: B010 - as above


@requirement("cli.cold-start-imports-nothing-heavy")
def test_the_domain_is_loaded_without_the_standard_dataclasses() -> None:
    program = (
        "import sys, holdfast.domain.exchange.shapes, holdfast.domain.exchange.bundle_shape\n"
        "sys.exit(bool({'dataclasses', 'inspect'} & set(sys.modules)))"
    )

    found = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", program], check=False
    )

    assert found.returncode == 0


@requirement("house.value-classes-on-every-python")
def test_annotations_that_are_evaluated_late_name_the_fields_too() -> None:
    source = """
from holdfast.domain.values import dataclass

@dataclass(frozen=True, slots=True, kw_only=True)
class Late:
    x: int
    y: tuple[int, ...] = (2,)
"""
    names: dict[str, Any] = {"__name__": "late"}
    # Without the future import of this module: Python 3.14 then evaluates them on demand.
    exec(compile(source, "late.py", "exec", dont_inherit=True), names)  # noqa: S102 - our own text

    late = names["Late"](x=1)

    assert (late.x, late.y) == (1, (2,))
    assert [one.name for one in dataclasses.fields(late)] == ["x", "y"]
    assert copy.copy(late) == late
