"""A tiny embedding model for the tests of the memory service, built once for each test process."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from holdfast.adapters.embedding.model_folder import ModelFolder
from tests.adapters.tiny_model import install_tiny


@cache
def models() -> str:
    """Return a folder with a tiny model under the name of the default one."""
    folder = Path(tempfile.mkdtemp(prefix="hf-models-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    install_tiny(ModelFolder(folder / "models"), folder / "source", name="minilm")
    return str(folder / "models")
