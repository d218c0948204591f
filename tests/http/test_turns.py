"""Requests of one process compute one after another, but nobody waits for a slow one."""

from __future__ import annotations

from threading import Event, Thread

import pytest

from holdfast.bootstrap.service.turns import Turns
from tests.patience import PATIENCE


def test_a_request_waits_until_the_one_before_has_ended() -> None:
    turns, has_begun, done = Turns(slow=PATIENCE), Event(), list[str]()

    def second() -> None:
        has_begun.set()
        with turns.taken():
            done.append("second")

    with turns.taken():
        beside = Thread(target=second)
        beside.start()
        has_begun.wait(PATIENCE)
        done.append("first")
    beside.join(PATIENCE)

    assert done == ["first", "second"]


def test_a_request_goes_on_beside_a_slow_one_and_leaves_it_the_turn() -> None:
    turns, done = Turns(slow=0.0), list[str]()

    with turns.taken():
        with turns.taken():
            done.append("beside")
        with turns.taken():
            done.append("beside again")

    assert done == ["beside", "beside again"]


def test_a_request_that_failed_gives_its_turn_back() -> None:
    turns, done = Turns(slow=PATIENCE), list[str]()

    with pytest.raises(LookupError), turns.taken():
        raise LookupError
    with turns.taken():
        done.append("next")

    assert done == ["next"]
