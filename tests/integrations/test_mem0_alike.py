"""The client with mem0's methods, beside mem0's own."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from tests.requirements import requirement
from torture.frameworks.mem0_client import compare_mem0_client


@requirement("frameworks.mem0")
@pytest.mark.filterwarnings("ignore")
def test_random_calls_are_answered_as_by_mem0(tmp_path: Path) -> None:
    logging.disable(logging.WARNING)
    try:
        found = compare_mem0_client(250, seed=4, folder=tmp_path)
    finally:
        logging.disable(logging.NOTSET)

    assert (found.differences, found.operations) == ([], 250)
