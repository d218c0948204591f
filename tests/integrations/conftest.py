"""Stores for integrations: a folder, or a server; and a model of the tests' own."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest

from tests.postgres_server import server
from tests.service_model import models
from torture.frameworks.installed import is_installed

NEEDS = {
    "test_agent_framework": "agent_framework",
    "test_anthropic": "anthropic",
    "test_checkpoints": "langgraph",
    "test_graph_store": "langgraph",
    "test_crewai": "crewai",
    "test_google_adk": "google/adk",
    "test_llama_index": "llama_index",
    "test_mem0_alike": "mem0",
    "test_openai_session": "agents",
    "test_pydantic_ai": "pydantic_ai",
}
"""The package that the tests of a module need; without it they are skipped, and say so."""


@pytest.fixture(autouse=True)
def _framework(request: pytest.FixtureRequest) -> None:
    module = request.node.module.__name__.rpartition(".")[2]
    if module in NEEDS and not is_installed(NEEDS[module]):
        pytest.skip("run: make frameworks")


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_MODELS", models())
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("HOLDFAST_STORE", raising=False)


@pytest.fixture(params=["files", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where the stores are: a folder, or a server."""
    return str(tmp_path / "home") if request.param == "files" else server().url()


@pytest.fixture
def tenant() -> str:
    return str(uuid4())
