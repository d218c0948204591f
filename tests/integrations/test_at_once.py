"""Several writers at once: nothing is lost, and nothing is given twice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from holdfast.integrations.item_log import ItemLog
from holdfast.integrations.memory_files import FILES, MemoryFiles
from holdfast.integrations.shelf import DocumentShelf
from tests.requirements import requirement

WRITERS, EACH = 3, 4
PATH = "/memories/log.md"


@requirement("frameworks.at-once")
def test_no_edit_of_a_file_is_lost(place: str, tenant: str) -> None:
    with DocumentShelf(FILES, store=place, tenant=tenant) as shelf:
        MemoryFiles(shelf).create(PATH, "first\n")

        def edit(writer: int) -> None:
            for number in range(EACH):
                MemoryFiles(shelf).insert(PATH, 0, f"{writer}.{number}")

        with ThreadPoolExecutor(WRITERS) as threads:
            list(threads.map(edit, range(WRITERS)))
        text = MemoryFiles(shelf).view(PATH)

    lines = [line.partition("\t")[2] for line in text.splitlines()[1:-1]]
    expected = [f"{writer}.{number}" for writer in range(WRITERS) for number in range(EACH)]
    assert sorted(lines) == [*expected, "first"]


@requirement("frameworks.at-once")
def test_no_item_is_popped_twice(place: str, tenant: str) -> None:
    with DocumentShelf("test", store=place, tenant=tenant) as shelf:
        log = ItemLog(shelf, "test", "session")
        log.add([(number, "", {}) for number in range(WRITERS * EACH)])

        def pop(_: int) -> list[object]:
            return [log.pop() for _ in range(EACH)]

        with ThreadPoolExecutor(WRITERS) as threads:
            popped = [one for each in threads.map(pop, range(WRITERS)) for one in each]
        left = log.items()

    assert sorted(popped, key=str) == sorted(range(WRITERS * EACH), key=str)
    assert left == []
