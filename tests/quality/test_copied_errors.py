"""An error reaches the caller of a process pool as it was raised."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest

from holdfast.bootstrap.remote.refusals import refusal
from holdfast.domain.errors import HoldfastError
from holdfast.surfaces.python.advice import advise
from holdfast.surfaces.wire.failures import FAMILIES
from tests.quality.error_samples import error_classes, sample
from tests.requirements import requirement


def _pickled(error: HoldfastError) -> HoldfastError:
    made: HoldfastError = pickle.loads(pickle.dumps(error))  # noqa: S301 - bytes of this test
    return made


@requirement("errors.cross-processes")
@pytest.mark.parametrize("copied", [_pickled, copy.copy, copy.deepcopy])
def test_every_error_can_be_pickled_and_copied(
    copied: Callable[[HoldfastError], HoldfastError],
) -> None:
    for leaf in (*FAMILIES, *error_classes()):
        error = sample(leaf)
        advise(error)

        again = copied(error)

        assert type(again) is leaf
        assert (str(again), again.args) == (str(error), error.args), leaf.__name__
        assert vars(again) == vars(error), leaf.__name__


@requirement("errors.cross-processes")
@pytest.mark.parametrize("status", [422, 503])
def test_an_error_of_a_server_that_is_unknown_here_can_be_pickled(status: int) -> None:
    problem = {"code": "quota-spent", "family": "conflict", "detail": "All is spent.", "facts": {}}
    error = refusal(status, {**problem, "facts": {"most": 3}, "advice": "Wait."})

    again = _pickled(error)

    assert (str(again), again.code, vars(again)) == (str(error), error.code, vars(error))
    assert [one.__name__ for one in type(again).__mro__] == [
        one.__name__ for one in type(error).__mro__
    ]
