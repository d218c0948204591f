"""A memory of its own for every test of the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.scene import Reader, WebScene, a_scene


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[WebScene]:
    with a_scene(tmp_path) as made:
        yield made


@pytest.fixture
def reader(scene: WebScene) -> Iterator[Reader]:
    with scene.browser() as opened:
        yield opened
