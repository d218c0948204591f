"""The result of a copy: which rows an interrupted run had written before."""

from __future__ import annotations

from holdfast.domain.exchange.copies import StoreCopy, TableCopy


def table(name: str, *, rows: int, written: int) -> TableCopy:
    return TableCopy(
        table=name, rows=rows, digest="d", target_rows=rows, target_digest="d", written=written
    )


def test_rows_from_before_are_those_of_an_earlier_run_and_no_counters() -> None:
    memories, counters = table("memory", rows=5, written=2), table("counter", rows=1, written=0)

    assert StoreCopy(tables=(memories, counters)).rows_from_before == 3
    assert StoreCopy(tables=(table("memory", rows=5, written=5), counters)).rows_from_before == 0
