"""Methods that keep, show, list, link and forget memories."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypedDict, cast
from warnings import warn

from holdfast.domain.choices import Origin, Status, choose
from holdfast.domain.errors import InvalidError
from holdfast.domain.memory.selection import Cursor
from holdfast.domain.values import replace
from holdfast.surfaces.python.advice import with_advice
from holdfast.surfaces.python.answers import Answer
from holdfast.surfaces.python.door import Door
from holdfast.surfaces.python.evidence import span
from holdfast.surfaces.python.expecting import (
    NUMBER,
    TEXT,
    TRUTH,
    WHOLE,
    expect,
    expect_claims,
    expect_given,
    expect_options,
    name_of,
)
from holdfast.surfaces.python.findings import Explanation, ForgottenMemory
from holdfast.surfaces.python.memories import HasId, KeptMemory, ListPart, Memory
from holdfast.surfaces.wire.requests import read_browse, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import timedelta
    from os import PathLike
    from typing import Unpack

    from holdfast.domain.memory.callers import Principal
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.link import Link
    from holdfast.usecases.memory.remember import Remember

_LISTS = frozenset(
    {
        *("evidence", "tags", "derived_from", "include", "kinds", "scopes", "statuses", "origins"),
        *("checks", "namespaces", "causes"),
    }
)
_STANDING = (Status.ACCEPTED.value, Status.CANDIDATE.value)


class RememberOptions(TypedDict, total=False):
    """The options of ``remember`` and ``remember_all``.

    >>> options: holdfast.RememberOptions = {"kind": "rule", "because": "We decided it."}
    >>> print(hf.remember("Tokens rotate.", **options).kind)
    rule
    """

    kind: str
    scope: str
    key: str
    label: str
    tags: Sequence[str]
    evidence: Sequence[str | Evidence | PathLike[str]]
    because: str
    from_bundle: str | Answer
    derived_from: Sequence[str | HasId]
    ttl: str | timedelta
    importance: float
    weight: float
    pinned: bool
    sensitive: bool
    metadata: Mapping[str, object]
    checks: Sequence[str]
    origin: str
    source: str


class ListOptions(TypedDict, total=False):
    """The options of ``list``.

    >>> options: holdfast.ListOptions = {"kinds": ["rule"]}
    >>> hf.list(**options)
    ()
    """

    kinds: Sequence[str]
    scopes: Sequence[str]
    statuses: Sequence[str]
    origins: Sequence[str]
    tags: Sequence[str]
    key: str
    source: str
    pinned: bool
    expired: bool
    branch: str
    oldest_first: bool


@with_advice
class MemoryMethods(Door):
    """The methods about memories."""

    def remember(self, claim: str, **options: Unpack[RememberOptions]) -> KeptMemory:
        """Keep a claim with its evidence, and return the memory.

        A piece of evidence is one of ``holdfast.span``, ``url``, ``commit``, ``command`` and
        ``statement``, or a text as the command line reads it: ``path``, ``path:line``,
        ``path:from-to``, ``https://…``, ``commit:…``, ``command:…``. The evidence of another memory
        or of a hit can be passed on. A claim needs evidence, or ``because`` with a reason in words.

        >>> memory = hf.remember(
        ...     "Refresh tokens rotate on every use.",
        ...     kind="gotcha",
        ...     tags=["auth"],
        ...     ttl="30d",
        ...     evidence=[holdfast.span("src/auth/tokens.py", 41, 58)],
        ... )
        >>> print(memory.kind, memory.status, memory.evidence[0])
        gotcha accepted src/auth/tokens.py:41-58
        """
        expect("remember", TEXT, claim=claim)
        wish = as_wish(claim, options, self.app.principal, by=self._person())
        return _told(KeptMemory(self.app.memories.remember(wish)))

    def remember_all(
        self, claims: Iterable[str], **options: Unpack[RememberOptions]
    ) -> Sequence[KeptMemory]:
        """Keep many claims in one durable step, all with the same options; all or none.

        If a claim is refused, ``facts["index"]`` of the error is its place in the list.

        >>> kept = hf.remember_all(["The cart holds 50 items.", "Carts expire."], because="Docs.")
        >>> [memory.text for memory in kept]
        ['The cart holds 50 items.', 'Carts expire.']
        """
        by, principal = self._person(), self.app.principal
        texts = expect_claims(claims)
        # The options are read once: they are the same for all claims.
        wish = as_wish("", options, principal, by=by)
        wishes = [replace(wish, claim=text) for text in texts]
        try:
            kept = self.app.memories.remember_all(wishes)
        except InvalidError as error:
            if len(wishes) == 1:
                vars(error)["index"] = 0
            raise
        return [_told(KeptMemory(one)) for one in kept]

    def span(
        self, path: str | PathLike[str], first: int | None = None, last: int | None = None
    ) -> Evidence:
        """Return lines of a file as evidence, the same as ``holdfast.span``.

        >>> print(hf.span("src/auth/tokens.py", 41, 58))
        src/auth/tokens.py:41-58
        """
        return span(path, first, last)

    def get(self, memory: str | HasId, /) -> Memory:
        """Return a memory by its id, the start of its id, its label or its key.

        >>> kept = hf.remember("Tokens rotate hourly.", key="rotation", because="We decided it.")
        >>> hf.get("rotation") == hf.get(kept.id)
        True
        """
        reference = name_of("get", memory=memory)
        return Memory(self.app.memories.explain(reference).record)

    def list(
        self,
        query: str = "",
        *,
        limit: int = 50,
        cursor: str | None = None,
        **options: Unpack[ListOptions],
    ) -> ListPart[Memory]:
        """Return memories, newest first, or best first when words are given.

        These are the accepted memories and the candidates that reach this place, unless
        ``statuses`` names others. ``limit`` is at most 1,000; if there are more, ``next`` of the
        returned value is the ``cursor`` with which the same call goes on.

        >>> _ = hf.remember_all(["Tokens rotate.", "Carts expire."], because="We decided it.")
        >>> [memory.text for memory in hf.list()]
        ['Carts expire.', 'Tokens rotate.']
        >>> [memory.text for memory in hf.list("tokens", kinds=["fact"])]
        ['Tokens rotate.']
        """
        expect("list", TEXT, query=query)
        expect("list", WHOLE, limit=limit)
        expect_given("list", TEXT, cursor=cursor)
        expect_options("list", options, ListOptions)
        place, now = self.app.place(), self.app.now()
        request = {"statuses": list(_STANDING), **as_request(options), "q": query, "limit": limit}
        wish = read_browse(request, place=place, now=now, noun="list")
        if cursor is not None:
            wish = replace(wish, page=replace(wish.page, beyond=Cursor(cursor)))
        found = self.app.memories.browse(wish)
        return ListPart(map(Memory, found.records), following=found.beyond, total=found.total)

    def explain(self, memory: str | HasId, /) -> Explanation:
        """Return where a memory comes from: its evidence, its parents, and its history.

        >>> memory = hf.remember("Tokens rotate.", evidence=["src/auth/tokens.py:3"])
        >>> [span.reference for span in hf.explain(memory).spans]
        ['src/auth/tokens.py:3']
        """
        return Explanation(self.app.memories.explain(name_of("explain", memory=memory)))

    def related(self, memory: str | HasId, /, *, limit: int = 20) -> Sequence[tuple[str, Memory]]:
        """Return the memories that are linked with a memory, each with the kind of the link.

        >>> one, other = hf.remember_all(["Tokens rotate.", "Keys rotate."], because="Docs.")
        >>> _ = hf.link(one, other, kind="supports")
        >>> [(kind, memory.text) for kind, memory in hf.related(one)]
        [('supports', 'Keys rotate.')]
        """
        reference = name_of("related", memory=memory)
        expect("related", WHOLE, limit=limit)
        found = self.app.memories.related(reference, limit=limit)
        return tuple((link.kind, Memory(record)) for link, record in found)

    def link(
        self, src: str | HasId, dst: str | HasId, /, *, kind: str = "related", score: float = 1.0
    ) -> Link:
        """Link two memories; only a person may.

        >>> one, other = hf.remember_all(["Tokens rotate.", "Keys rotate."], because="Docs.")
        >>> hf.link(one, other, kind="depends-on").kind
        'depends-on'
        """
        from holdfast.domain.ids import MemoryId
        from holdfast.domain.memory.link import Link

        ends = name_of("link", src=src), name_of("link", dst=dst)
        expect("link", TEXT, kind=kind)
        expect("link", NUMBER, score=score)
        return self.app.memories.link(
            Link(src=MemoryId(ends[0]), dst=MemoryId(ends[1]), kind=kind, score=score)
        )

    def pin(self, memory: str | HasId, /, *, label: str | None = None) -> Memory:
        """Pin a memory, so that it never expires and is always considered; only a person may.

        >>> memory = hf.remember("Tokens rotate.", because="We decided it.")
        >>> hf.pin(memory, label="DEC-001").pinned, hf.get("DEC-001").text
        (True, 'Tokens rotate.')
        """
        expect_given("pin", TEXT, label=label)
        reference = name_of("pin", memory=memory)
        return Memory(self.app.memories.pin(reference, pinned=True, label=label))

    def unpin(self, memory: str | HasId, /) -> Memory:
        """Let a pinned memory expire and rank like any other again; only a person may.

        >>> memory = hf.remember("Tokens rotate.", because="We decided it.", pinned=True)
        >>> hf.unpin(memory).pinned
        False
        """
        return Memory(self.app.memories.pin(name_of("unpin", memory=memory), pinned=False))

    def forget(
        self, memory: str | HasId, /, *, reason: str = "", dry_run: bool = False
    ) -> ForgottenMemory:
        """Remove a memory so that no byte of it stays; only a person may. It cannot be undone.

        ``remaining`` names the places that only a person can clean, such as the history of git.

        >>> memory = hf.remember("The zebra sleeps.", because="I saw it.")
        >>> hf.forget(memory, dry_run=True).is_dry_run, len(hf.list())
        (True, 1)
        >>> _ = hf.forget(memory, reason="asked to")
        >>> hf.list()
        ()
        """
        from holdfast.usecases.memory.forget import Forget

        reference = name_of("forget", memory=memory)
        expect("forget", TEXT, reason=reason)
        expect("forget", TRUTH, dry_run=dry_run)
        by = self._person()
        wish = Forget(reference=reference, by=by, reason=reason, dry_run=dry_run)
        gone = self.app.memories.forget(wish)
        if gone.traces and not dry_run and self._machine is not None:
            files = self._machine.beside_store
            left = files.write_again([gone], holdfast=self.app, by=by)
            gone = replace(gone, traces=(*gone.traces, *left))
        return ForgottenMemory(gone)

    def reveal(self, memory: str | HasId, /) -> Memory:
        """Return a sensitive memory with its text, if its key is here; only a person may.

        >>> key = hf.keys.create()
        >>> memory = hf.remember("The vault is in Bern.", because="I saw it.", sensitive=True)
        >>> "Bern" in memory.text, hf.reveal(memory).text
        (False, 'The vault is in Bern.')
        """
        reference = name_of("reveal", memory=memory)
        record = self.app.memories.explain(reference).record
        return Memory(self.app.encryption.reveal(record))

    def protect(self, memory: str | HasId, /) -> ForgottenMemory:
        """Make a memory sensitive, and forget the plain one everywhere; only a person may.

        The sensitive memory has another id, and the same key, tags, pin, label and links. Its
        earlier wordings become sensitive too. ``repeated`` names what else says nearly the same
        words in clear, such as a candidate of an agent; protect or forget it.

        >>> key = hf.keys.create()
        >>> memory = hf.remember("The vault is in Bern.", key="vault", because="I saw it.")
        >>> gone = hf.protect(memory)
        >>> gone.remaining, gone.repeated
        ((), ())
        >>> hf.get("vault").is_sensitive
        True
        """
        from holdfast.usecases.memory.protecting import Protect

        by = self._person()
        wish = Protect(reference=name_of("protect", memory=memory), by=by)
        done = self.app.encryption.protect(wish)
        gone = done.forgotten
        if gone.traces and self._machine is not None:
            files = self._machine.beside_store
            left = files.write_again([gone], holdfast=self.app, by=by)
            gone = replace(gone, traces=(*gone.traces, *left))
        return ForgottenMemory(gone, tuple(one.place for one in done.repeated))

    def propose_forgetting(self, memory: str | HasId, /, *, reason: str = "") -> Memory:
        """Propose to a person that a memory be forgotten; it stays until they forget it.

        >>> memory = hf.remember("The zebra sleeps.", because="I saw it.")
        >>> print(hf.propose_forgetting(memory, reason="out of date").status)
        candidate
        """
        from holdfast.usecases.memory.forget import Forget

        reference = name_of("propose_forgetting", memory=memory)
        expect("propose_forgetting", TEXT, reason=reason)
        by = self.app.principal.source(None, door="python")
        wish = Forget(reference=reference, by=by, reason=reason)
        return Memory(self.app.memories.propose_forgetting(wish))


def as_wish(
    claim: str, options: RememberOptions, principal: Principal, *, by: str = ""
) -> Remember:
    """Build the principal's request from keywords; the option ``origin`` overrides their origin."""
    from holdfast.surfaces.wire.requests import read_remember
    from holdfast.usecases.memory.remember import Remember

    expect_options("remember", options, RememberOptions)
    request = {"claim": claim, **as_request(options)}
    origin = choose(Origin, str(request.pop("origin", principal.origin.value)), what="origin")
    source = principal.source(options.get("source"), door="python")
    defaults = Remember(claim="", origin=origin, by=by)
    return replace(read_remember(request, defaults, noun="remember"), source=source)


def _told(kept: KeptMemory) -> KeptMemory:
    """Warn about options that were not applied, because only a person may set them."""
    if kept.not_applied:
        names = ", ".join(kept.not_applied)
        warn(f"Not applied, because only a person may: {names}.", RuntimeWarning, stacklevel=4)
    return kept


def as_request(options: Mapping[str, object]) -> dict[str, object]:
    """Return keywords as the fields of a request; None means that the keyword was not given.

    Where a list is expected, a single text becomes a list of one, not a list of its letters.
    """
    request = said(**options)
    for name in _LISTS & set(request):
        given = request[name]
        several = isinstance(given, list | tuple | set | frozenset)
        items = cast("Sequence[object]", given) if several else [given]
        request[name] = [_plain(item) for item in items]
    return {name: _plain(value) for name, value in request.items()}


def _plain(value: object) -> object:
    """Return a value as a request names it: an object by its id, a path as text."""
    if isinstance(value, Answer):
        return value.bundle_id
    if isinstance(value, HasId):
        return value.id
    return os.fspath(value) if isinstance(value, os.PathLike) else value
