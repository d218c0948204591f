"""Errors of the terminal UI."""

from __future__ import annotations

from holdfast.domain.errors import UnavailableError


class NoUiPackagesError(UnavailableError, code="no-ui-packages"):
    """The packages of the terminal UI are not installed."""

    hint: str = "Install them: pip install 'holdfast[ui]'."
