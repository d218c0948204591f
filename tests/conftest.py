"""What every test run shares."""

from __future__ import annotations

import gc
import os
import signal
from unittest import mock

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from holdfast.domain.memory.recognising import AGENTS, ORIGIN_VARIABLE
from tests.ordering import dealt
from torture.patience import set_busy_timeout

# `make test` asks for the same examples every time, so that it fails for a reason and not by
# chance; whoever runs pytest by hand looks for new ones. Examples that never change need not be
# many. No example is judged by its time: to draw the first one of a process, Hypothesis reads the
# literals of all imported modules, and beside other programs that takes longer than it allows.
UNTIMED = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("searching", UNTIMED)
settings.register_profile("steady", UNTIMED, derandomize=True, max_examples=50)
PROFILE = os.environ.get("HOLDFAST_TEST_PROFILE", "searching")
settings.load_profile(PROFILE)
if PROFILE == "steady":
    # Hypothesis also draws literals of all modules that are imported by then, so the examples of a
    # test would depend on the tests that ran before it. To read 2,000 modules takes seconds, too.
    mock.patch.object(providers, "_get_local_constants", Constants).start()

# The tests speak as a person, also where an agent runs them.
for name in (*AGENTS, ORIGIN_VARIABLE):
    os.environ.pop(name, None)

set_busy_timeout()

# So many new objects between two garbage collections; Python's own number is 700.
COLLECTED_AFTER = 10_000

# What a collection of tests makes stays, so garbage collection would find nothing meanwhile.
gc.disable()

# A shell starts what runs in its background deaf to interrupts, and children inherit that;
# the tests that interrupt a command need it to listen.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the workers of a parallel run begin with the long tests."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers > 1:
        items[:] = dealt(items, lambda item: item.nodeid, workers)


def pytest_collection_finish() -> None:
    """Leave the collected tests to no garbage collection, and begin with it for what they make.

    They live as long as the process, and each full collection would walk through all of them.
    What tests leave behind is collected rarely: it is little, and to look for it every 700 objects
    takes a twentieth of the time of a test that starts no process.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECTED_AFTER)
    gc.enable()
