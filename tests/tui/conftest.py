"""A home and a real repository for every test, as the command line's tests have them."""

from __future__ import annotations

from tests.cli.conftest import (
    empty_home,
    program,
    repository,
    scenes,
    template,
    waiting,
    waiting_template,
)

__all__ = [
    "empty_home",
    "program",
    "repository",
    "scenes",
    "template",
    "waiting",
    "waiting_template",
]
