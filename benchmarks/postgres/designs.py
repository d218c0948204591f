"""The designs that are compared; each is loaded in a process of its own.

An environment has only the libraries of its own design, so a design is imported by its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Protocol, cast
from uuid import NAMESPACE_OID, uuid5

Vectors = Any
"""An array of numpy, one row for each text."""


class Design(Protocol):
    """A way to keep texts with vectors on a server."""

    def prepare(self, tenants: Sequence[str]) -> None:
        """Create what the design needs before the first row, unless it is there."""

    def add(self, tenant: str, first: int, texts: Sequence[str], vectors: Vectors) -> None:
        """Add a batch durably; the rows are numbered from ``first`` in their tenant."""

    def nearest(self, tenant: str, question: Vectors) -> list[int]:
        """Return the numbers of the ten nearest rows of a tenant."""


class Copying(Design, Protocol):
    """A design whose tables can be filled without its usual way."""

    def copy(self, owner: str, tenant: str, vectors: Vectors) -> None:
        """Copy all vectors of a tenant into the tables of the design."""


DESIGNS = {
    "holdfast": ("ours", "Holdfast"),
    "document": ("plain", "Document"),
    "hnsw": ("plain", "PlainHnsw"),
    "langgraph": ("others", "LangGraph"),
    "mem0": ("others", "Mem0"),
}


def design(name: str, address: str) -> Design:
    """Return a design on the database at an address."""
    module, kind = DESIGNS[name]
    found = getattr(import_module(f"benchmarks.postgres.{module}"), kind)
    return cast("Design", found(address))


def id_of(tenant: str) -> str:
    """Return the id of a tenant, the same in every run."""
    return str(uuid5(NAMESPACE_OID, tenant))
