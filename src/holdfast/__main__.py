"""``python -m holdfast`` is ``holdfast``."""

from __future__ import annotations

from holdfast.surfaces.cli.main import main

main()
