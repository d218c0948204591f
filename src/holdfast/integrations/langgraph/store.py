"""LangGraph's long-term store."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    PutOp,
    SearchItem,
    SearchOp,
    ensure_embeddings,
    get_text_at_path,
    tokenize_path,
    validate_op_namespace,
)

from holdfast.domain.documents.document import DropDocument, PutDocument
from holdfast.integrations.langgraph.matching import fits, passes
from holdfast.integrations.refusals import refusing
from holdfast.integrations.shelf import DEFAULT, DocumentShelf
from holdfast.integrations.threads import in_thread
from holdfast.integrations.vectors import cosine
from holdfast.integrations.wording import words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from langgraph.store.base import IndexConfig, Op, Result, TTLConfig

    from holdfast.domain.documents.document import FrameworkDocument
    from holdfast.integrations.shelf import Place

COLLECTION = "langgraph-store"
SOURCE = "langgraph"
_WHOLE = "$"

Vectors = dict[str, list[float]]


class HoldfastStore(BaseStore):
    """Items by namespace and key; a query finds them by meaning.

    ``index`` is that of LangGraph: with it, your embeddings rank the answers of ``search``. Without
    it, Holdfast's own model does, or words if no model is installed. ``ttl`` is that of LangGraph
    too; expired items are never returned.

    >>> store = HoldfastStore(user="ada")
    >>> store.put(("notes",), "1", {"text": "Ada drinks green tea."})
    >>> [item.key for item in store.search(("notes",), query="tea")]
    ['1']
    """

    supports_ttl = True

    def __init__(
        self,
        store: Place | DocumentShelf = None,
        *,
        index: IndexConfig | None = None,
        ttl: TTLConfig | None = None,
        tenant: str = DEFAULT,
        user: str = DEFAULT,
    ) -> None:
        self._shelf = DocumentShelf(COLLECTION, store=store, tenant=tenant, user=user)
        self.index_config = index
        self.ttl_config = ttl
        self._fields: list[str] = []
        self.embeddings: Any = None
        if index is not None:
            self._fields = list(index.get("fields") or [_WHOLE])
            self.embeddings = ensure_embeddings(index.get("embed"))

    @property
    def space(self) -> str:
        """The space of the items, for ``holdfast --space``."""
        return self._shelf.space

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do several operations; all reads see what was there before, the last put of a key holds.

        Raises:
            RefusedValueError: A value contains a secret, or is no JSON; nothing is written.
        """
        given = list(ops)
        texts, queries = self._to_embed(given)
        vectors: dict[str, list[float]] = {}
        if texts:
            vectors |= zip(texts, self.embeddings.embed_documents(texts), strict=True)
        asked = {one: self.embeddings.embed_query(one) for one in queries}
        return self._done(given, vectors, asked)

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do several operations in a thread; embeddings are awaited."""
        given = list(ops)
        texts, queries = self._to_embed(given)
        vectors: dict[str, list[float]] = {}
        if texts:
            vectors |= zip(texts, await self.embeddings.aembed_documents(texts), strict=True)
        asked = {one: await self.embeddings.aembed_query(one) for one in queries}
        return await in_thread(self._done, given, vectors, asked)

    def close(self) -> None:
        """Close the store; a second call does nothing."""
        self._shelf.close()

    def _to_embed(self, ops: Sequence[Op]) -> tuple[list[str], list[str]]:
        """Return the texts and the questions that embeddings are needed for, each once."""
        for op in ops:
            validate_op_namespace(op)
        if self.embeddings is None:
            return [], []
        puts = [op for op in ops if isinstance(op, PutOp)]
        texts = [text for op in puts for text in self._texts(op).values()]
        queries = [op.query for op in ops if isinstance(op, SearchOp) and op.query]
        return list(dict.fromkeys(texts)), list(dict.fromkeys(queries))

    def _texts(self, op: PutOp) -> dict[str, str]:
        """Return the texts of a value that are embedded, by their paths."""
        if op.value is None or op.index is False:
            return {}
        found: dict[str, str] = {}
        for path in self._fields if op.index is None else op.index:
            whole = op.index is None and path == _WHOLE  # in an item's own list it is a field
            texts = get_text_at_path(op.value, path if whole else tokenize_path(path))
            many = len(texts) > 1
            found |= {f"{path}.{at}" if many else path: one for at, one in enumerate(texts)}
        return found

    def _done(
        self,
        ops: Sequence[Op],
        vectors: Mapping[str, list[float]],
        asked: Mapping[str, list[float]],
    ) -> list[Result]:
        puts: dict[tuple[tuple[str, ...], str], PutOp] = {}
        read: dict[tuple[tuple[str, ...], str], FrameworkDocument] = {}
        results: list[Result] = []
        for op in ops:
            if isinstance(op, GetOp):
                results.append(self._got(op, read))
            elif isinstance(op, SearchOp):
                results.append(self._searched(op, asked, read))
            elif isinstance(op, ListNamespacesOp):
                results.append(self._listed(op))
            elif isinstance(op, PutOp):
                puts[op.namespace, op.key] = op
                results.append(None)
            else:
                message = f"Unknown operation type: {type(op)}"
                raise ValueError(message)  # noqa: TRY004 - as LangGraph's own stores do
        changes = [self._change(op, vectors) for op in puts.values()]
        changes += [_refreshed(one) for name, one in read.items() if name not in puts]
        with refusing():
            self._shelf.keep(changes)
        return results

    def _got(
        self, op: GetOp, read: dict[tuple[tuple[str, ...], str], FrameworkDocument]
    ) -> Item | None:
        found = self._shelf.get(op.key, *op.namespace)
        if found is None:
            return None
        _note(found, read, refresh=op.refresh_ttl)
        return Item(**_fields(found))

    def _listed(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        known = {one.name.namespace for one in self._shelf.within()}
        found = {one for one in known if fits(one, op.match_conditions or ())}
        cut = {one[: op.max_depth] for one in found} if op.max_depth is not None else found
        return sorted(cut)[op.offset : op.offset + op.limit]

    def _searched(
        self,
        op: SearchOp,
        asked: Mapping[str, list[float]],
        read: dict[tuple[tuple[str, ...], str], FrameworkDocument],
    ) -> list[SearchItem]:
        prefix = tuple(op.namespace_prefix)
        every = [one for one in self._shelf.within(*prefix) if passes(_value(one), op.filter)]
        scores = self._scores(op, every, asked)
        ranked = sorted((one for one in every if one.place in scores), key=_by(scores))
        plain = [one for one in every if one.place not in scores]
        if op.query and (scores or self.embeddings is not None):
            page = ranked[op.offset : op.offset + op.limit]
            page += plain[: op.limit - len(page)]
        else:
            page = every[op.offset : op.offset + op.limit]
        for one in page:
            _note(one, read, refresh=op.refresh_ttl)
        return [SearchItem(**_fields(one), score=scores.get(one.place)) for one in page]

    def _scores(
        self, op: SearchOp, every: Sequence[FrameworkDocument], asked: Mapping[str, list[float]]
    ) -> dict[int, float]:
        """Return how well documents answer a query, by place; those without a text are left out."""
        if not op.query:
            return {}
        if self.embeddings is None:
            found = self._shelf.search(
                op.query, namespace=tuple(op.namespace_prefix), limit=max(1, len(every))
            )
            return {one.document.place: one.score for one in found}
        scores: dict[int, float] = {}
        for one in every:
            vectors = cast("Vectors", _body(one).get("vectors") or {})
            if vectors:
                scores[one.place] = max(cosine(asked[op.query], each) for each in vectors.values())
        return scores

    def _change(self, op: PutOp, vectors: Mapping[str, list[float]]) -> PutDocument | DropDocument:
        name = self._shelf.name(op.key, *op.namespace)
        if op.value is None:
            return DropDocument(name=name, source=SOURCE)
        body: dict[str, object] = {"value": op.value}
        if op.ttl is not None:
            body["ttl"] = op.ttl
        if self.embeddings is not None and (texts := self._texts(op)):
            body["vectors"] = {path: list(vectors[text]) for path, text in texts.items()}
        return PutDocument(
            name=name,
            value=body,
            source=SOURCE,
            text=self._words(op),
            metadata={"namespace": list(op.namespace), "key": op.key},
            expires_at=_after(op.ttl),
        )

    def _words(self, op: PutOp) -> str:
        """Return what the memory of an item says: the indexed parts of its value."""
        if op.index is False or op.value is None:
            return ""
        fields = list(op.index or self._fields)
        if not fields or _WHOLE in fields:
            return words_of(op.value)
        texts = [get_text_at_path(op.value, tokenize_path(path)) for path in fields]
        return "\n".join(text for each in texts for text in each)


def _by(scores: Mapping[int, float]) -> Any:  # noqa: ANN401 - a key for sorted
    return lambda one: -scores[one.place]


def _after(minutes: float | None) -> datetime | None:
    return None if minutes is None else datetime.now(UTC) + timedelta(minutes=minutes)


def _body(document: FrameworkDocument) -> dict[str, Any]:
    return cast("dict[str, Any]", document.value)


def _value(document: FrameworkDocument) -> dict[str, Any]:
    return cast("dict[str, Any]", _body(document)["value"])


def _fields(document: FrameworkDocument) -> dict[str, Any]:
    return {
        "namespace": document.name.namespace,
        "key": document.name.key,
        "value": _value(document),
        "created_at": document.created_at,
        "updated_at": document.updated_at,
    }


def _note(
    document: FrameworkDocument,
    read: dict[tuple[tuple[str, ...], str], FrameworkDocument],
    *,
    refresh: bool,
) -> None:
    """Note a document whose time begins anew because it was read."""
    if refresh and _body(document).get("ttl") is not None:
        read[document.name.namespace, document.name.key] = document


def _refreshed(document: FrameworkDocument) -> PutDocument:
    return PutDocument(
        name=document.name,
        value=document.value,
        source=SOURCE,
        carried_by=document.memory_id,
        expires_at=_after(cast("float", _body(document)["ttl"])),
    )
