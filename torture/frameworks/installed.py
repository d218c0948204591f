"""The packages of the frameworks, from an environment of their own.

`make test` installs it; without it, the tests of the integrations are skipped.
"""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

ENVIRONMENT = Path(__file__).parents[2] / ".peers" / "frameworks"
os.environ.setdefault("MEM0_TELEMETRY", "False")
os.environ.setdefault("ANONYMIZED_TELEMETRY", "False")
os.environ.setdefault("OTEL_SDK_DISABLED", "true")


def is_installed(package: str) -> bool:
    """Return whether a framework can be imported, here or from its environment."""
    with suppress(ModuleNotFoundError):
        if find_spec(package.replace("/", ".")) is not None:
            return True
    folder = site_packages() / package
    return (ENVIRONMENT / ".ready").exists() and folder.exists()


def site_packages() -> Path:
    """Return the folder of the packages in the environment."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return ENVIRONMENT / "lib" / version / "site-packages"


def install(*modules: str) -> None:
    """Let this process import frameworks; its own packages come first."""
    folder = str(site_packages())
    if folder not in sys.path:
        sys.path.append(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for module in modules:
            import_module(module)  # its first import may warn about other packages
