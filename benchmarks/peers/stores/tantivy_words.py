"""The word search of two combined stores: a tantivy index with each text's group."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.peers.peer import POOL, Asked, Batch

tantivy = import_module("tantivy")
_HEAP = 128 * 1024 * 1024


class TantivyWords:
    """Texts with their number and group."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        shape = tantivy.SchemaBuilder()
        shape.add_unsigned_field("id", stored=True, indexed=True)
        shape.add_text_field("text", stored=True, tokenizer_name="en_stem")
        shape.add_text_field("kind", tokenizer_name="raw", index_option="basic")
        self._index = tantivy.Index(shape.build(), path=str(folder))
        self._writer: Any = None

    def add(self, batch: Batch) -> None:
        """Add the texts; they are committed together at the end."""
        if self._writer is None:
            self._writer = self._index.writer(_HEAP)
        for number, text, group in batch.rows():
            document = tantivy.Document(text=text, kind=group)
            document.add_unsigned("id", number)
            self._writer.add_document(document)

    def finish(self) -> None:
        """Commit, and wait for the merges."""
        self._writer.commit()
        self._writer.wait_merging_threads()
        self._index.reload()

    def best(self, asked: Asked) -> list[int]:
        """Return the best by words, within the group if there is one."""
        query, _ = self._index.parse_query_lenient(asked.text, ["text"])
        if asked.group:
            query = tantivy.Query.boolean_query(
                [(tantivy.Occur.Must, query), (tantivy.Occur.Must, self._of(asked.group))]
            )
        searcher = self._index.searcher()
        hits = searcher.search(query, limit=POOL).hits
        return [searcher.doc(place).get_first("id") for _, place in hits]

    def _of(self, group: str) -> Any:  # noqa: ANN401 - a type of a library that is not installed here
        return tantivy.Query.term_query(self._index.schema, "kind", group)
