"""Every port can be imported, and says what it is for."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages

import holdfast.ports


def test_every_port_has_a_description() -> None:
    found = [one.name for one in walk_packages(holdfast.ports.__path__, "holdfast.ports.")]
    assert len(found) > 20
    assert [name for name in found if not import_module(name).__doc__] == []
