"""The tables of the comparison, and their section of the benchmarks page."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from benchmarks.peers.processes import ROOT
from benchmarks.postgres.runner import ADDED, COPIED, LATE

BEGIN, END = "<!-- postgres -->", "<!-- /postgres -->"
_PAGE = ROOT / "docs" / "benchmarks.md"
_TITLES = {
    "holdfast": "Holdfast",
    "document": "the usual service design, ivfflat",
    "hnsw": "the same table, HNSW",
    "langgraph": "LangGraph PostgresStore",
    "mem0": "mem0 on pgvector, HNSW",
}


def tables(results: Mapping[str, Any]) -> str:
    """Return the results as Markdown."""
    designs = results["designs"]
    lines = _filled(results)
    lines += ["Recall@10 against an exact scan, and server CPU per question, by tenant:", ""]
    lines += _recall(designs)
    lines += _unfiltered(designs)
    for name, how in (("recall", "by words"), ("hybrid", "by words and meaning")):
        if recalled := designs.get("holdfast", {}).get(name):
            told = (
                f"A whole recall of Holdfast {how} in the largest tenant:"
                f" {recalled['server_ms']:.1f} ms of server CPU and {recalled['client_ms']:.1f} ms"
                f" of client CPU; the answer is kept durably."
            )
            lines += ["", told]
    if bare := designs.get("holdfast", {}).get("bare"):
        cpu = bare["client_ms"] + bare["server_ms"]
        told = (
            f"Inserts of Holdfast without vectors: {bare['client_ms']:.2f} ms of client CPU and"
            f" {bare['server_ms']:.2f} ms of server CPU for each row, which is"
            f" {2_000 / cpu:,.0f} rows a second of 2 cores."
        )
        lines += ["", told]
    return "\n".join(lines)


def _filled(results: Mapping[str, Any]) -> list[str]:
    """Return how the rows came into the tables; a copy says nothing about inserts."""
    rows, how, designs = results["rows"], results.get("filled", ADDED), results["designs"]
    if how == COPIED:
        told = f"{rows:,} rows, copied into the tables; the HNSW indexes were built at the end."
        return [told, ""]
    late = "; the HNSW indexes were built at the end" if how == LATE else ""
    lines = [
        f"Inserts of {rows:,} rows in batches of 500, vectors given, per row{late}:",
        "",
        "| design | rows/s of CPU | client CPU ms | server CPU ms | rows/s of wall time |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, figures in designs.items():
        if (spent := figures.get("insert")) is None:
            continue
        cpu = spent["client_ms"] + spent["server_ms"]
        lines.append(
            f"| {_TITLES[name]} | {1_000 / cpu:,.0f} | {spent['client_ms']:.2f} |"
            f" {spent['server_ms']:.2f} | {1_000 / spent['wall_ms']:,.0f} |"
        )
    return [*lines, ""]


def _recall(designs: Mapping[str, Any]) -> list[str]:
    sizes = next(iter(designs.values()))["tenants"]
    heads = [f"{name}: {one['rows']:,} rows" for name, one in sizes.items()]
    lines = [f"| design | {' | '.join(heads)} |", "|---|" + "--:|" * len(heads)]
    for name, figures in designs.items():
        cells = [
            f"{one['recall']:.2f}, {one['server_ms']:.1f} ms" for one in figures["tenants"].values()
        ]
        lines.append(f"| {_TITLES[name]} | {' | '.join(cells)} |")
    return lines


def _unfiltered(designs: Mapping[str, Any]) -> list[str]:
    """Return how the times of Holdfast compare with a search that filters nothing.

    A short run on a fast machine may take less than the clock can tell: then nothing is compared.
    """
    plain = designs.get("hnsw", {}).get("unfiltered", {}).get("server_ms")
    if not plain or "holdfast" not in designs:
        return []
    times = [f"{one['server_ms'] / plain:.1f}" for one in designs["holdfast"]["tenants"].values()]
    told = (
        f"HNSW without any filter, over all tenants, takes {plain:.1f} ms of server CPU;"
        f" the searches of Holdfast take {', '.join(times[:-1])} and {times[-1]} times as long."
    )
    return ["", told]


def into_page(results: Mapping[str, Any]) -> None:
    """Put the tables between the marks of the page."""
    page = _PAGE.read_text(encoding="utf-8")
    if BEGIN not in page or END not in page:
        sys.exit(f"{_PAGE} has no marks {BEGIN} and {END}")
    before, rest = page.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    _PAGE.write_text(f"{before}{BEGIN}\n{tables(results)}\n{END}{after}", encoding="utf-8")
