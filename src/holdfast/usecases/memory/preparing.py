"""Prepare a claim: screen every text of the request, and gather its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING

from holdfast.domain.checks.check import with_checks
from holdfast.domain.choices import Kind, Origin, Scope
from holdfast.domain.errors import BadFieldError, NoRepositoryError
from holdfast.domain.gates.hidden import hidden_in
from holdfast.domain.ids import MemoryId, sortable
from holdfast.domain.memory.decision import AUTHOR
from holdfast.domain.memory.lifetime import end_of_lifetime
from holdfast.domain.memory.memory import Memory
from holdfast.domain.values import dataclass, field, replace
from holdfast.usecases.anchors.gather import Gathered, Grounds, gather, identified, lineage_trust
from holdfast.usecases.memory.distilling import distilled
from holdfast.usecases.naming import bundle_id
from holdfast.usecases.screening import (
    Screened,
    SecretPolicy,
    clean_metadata,
    screen,
    screened,
    screened_checks,
)

if TYPE_CHECKING:
    from holdfast.domain.gates.hidden import Removed
    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.memory.place import Place
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store

REMOVED = "removed"
"""The metadata name under which a candidate lists the hidden characters removed from it."""

_CHECK_ANYWHERE = (
    "reads the files of a repository, and this folder is in none. Say it inside a repository, or"
    " state the scope global: then it applies in every repository."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remember:
    """A request to remember a claim.

    ``by`` is the person who decides, if the request changes a known memory. ``stated`` names the
    fields that the request gives itself; the others hold defaults, which change nothing.
    ``most_waiting`` limits the candidates of its source that wait for a person, and ``most_hourly``
    those that came within an hour; 0 is no limit. ``author`` is the person who wrote the claim, if
    several people share the store.
    The text, evidence and metadata of what is ``sensitive`` are encrypted.
    """

    claim: str
    grounds: Grounds = field(default_factory=Grounds)
    kind: Kind = Kind.FACT
    scope: Scope | None = None
    key: str | None = None
    label: str | None = None
    tags: tuple[str, ...] = ()
    keep_for: timedelta | None = None
    importance: float = 0.5
    weight: float = 1.0
    pinned: bool = False
    metadata: Mapping[str, object] = field(default_factory=dict)
    checks: tuple[str, ...] = ()
    origin: Origin
    source: str = ""
    secrets: SecretPolicy = SecretPolicy.REFUSE
    by: str = ""
    author: str = ""
    stated: frozenset[str] = frozenset()
    most_waiting: int = 0
    most_hourly: int = 0
    sensitive: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedClaim:
    """A request whose texts were screened, with its evidence and its place."""

    wish: Remember
    screened: Screened
    gathered: Gathered
    place: Place
    branch_point: BranchPoint | None


def identified_all(prepared: list[PreparedClaim], verifier: Verifier | None) -> list[PreparedClaim]:
    """Resolve the commits of all requests to full ids, in one query."""
    whole = Gathered(evidence=tuple(one for item in prepared for one in item.gathered.evidence))
    named = iter(identified(whole, verifier=verifier).evidence)
    return [
        replace(
            item,
            gathered=replace(
                item.gathered, evidence=tuple(islice(named, len(item.gathered.evidence)))
            ),
        )
        for item in prepared
    ]


def worded(wish: Remember, *, store: Store, clock: Clock) -> Remember:
    """Give a request without a claim the content of its bundle as the claim."""
    bundle = wish.grounds.from_bundle
    if wish.claim.strip() or bundle is None:
        return wish
    with store.reading() as tx:
        found = tx.bundles.get(bundle_id(tx, bundle))
        return replace(wish, claim=distilled(found, at=clock.now(), tx=tx))


def prepare(
    wish: Remember, place: Place, *, surroundings: Surroundings, clock: Clock
) -> PreparedClaim:
    """Return the request with every text screened, and its evidence.

    Raises:
        NoRepositoryError: It is for a repository, and there is none.
    """
    scope = wish.scope or (Scope.REPO if place.repo else Scope.GLOBAL)
    if scope is Scope.REPO and place.repo is None:
        raise NoRepositoryError
    if wish.checks and wish.scope is None and place.repo is None:
        raise BadFieldError(field="check", problem=_CHECK_ANYWHERE)
    names = wish.secrets.for_names
    return PreparedClaim(
        wish=replace(
            wish,
            scope=scope,
            key=None if wish.key is None else screened(wish.key, what="key", secrets=names),
            label=None if wish.label is None else screened(wish.label, what="label", secrets=names),
            tags=tuple(
                dict.fromkeys(screened(tag, what="tag", secrets=names) for tag in wish.tags)
            ),
            source=screened(wish.source, what="source", secrets=names),
            by=screened(wish.by, what="name"),
            metadata=_with_author(
                with_checks(
                    clean_metadata(wish.metadata, secrets=wish.secrets),
                    screened_checks(wish.checks, secrets=wish.secrets),
                ),
                screened(wish.author, what="name"),
            ),
        ),
        screened=replace(
            screen(wish.claim, what="claim", secrets=wish.secrets), removed=_removed_from(wish)
        ),
        gathered=gather(wish.grounds, surroundings=surroundings, clock=clock, secrets=wish.secrets),
        place=place,
        branch_point=surroundings.branch_point() if scope is Scope.REPO else None,
    )


def _removed_from(wish: Remember) -> tuple[Removed, ...]:
    """Return the hidden characters of every text that somebody wrote for the request."""
    texts = (wish.claim, wish.key, wish.label, *wish.tags, *wish.checks, wish.grounds.because)
    return hidden_in(*texts)


def memory_of(prepared: PreparedClaim, *, clock: Clock) -> Memory:
    """Return the memory that a request would become."""
    wish, now, place = prepared.wish, clock.now(), prepared.place
    scope = wish.scope or Scope.GLOBAL
    return Memory(
        id=MemoryId(sortable("m", at=now, entropy=clock.entropy())),
        claim=prepared.screened.text.strip("\n"),
        kind=wish.kind,
        scope=scope,
        created_at=now,
        evidence=prepared.gathered.evidence,
        origin=wish.origin,
        trust=lineage_trust(wish.origin, prepared.gathered),
        source=wish.source,
        space=place.space,
        workspace=place.workspace,
        repo=place.repo if scope is Scope.REPO else None,
        branch=place.branch if scope is Scope.REPO else None,
        key=wish.key,
        weight=wish.weight,
        importance=wish.importance,
        tags=wish.tags,
        expires_at=end_of_lifetime(wish.keep_for, since=now),
        metadata=_with_removed(prepared),
        branch_point=prepared.branch_point,
    )


def _with_author(metadata: Mapping[str, object], author: str) -> Mapping[str, object]:
    return {**metadata, AUTHOR: author} if author else metadata


def _with_removed(prepared: PreparedClaim) -> Mapping[str, object]:
    """Return the metadata; for a proposal it lists removed hidden characters for the reviewer."""
    wish, removed = prepared.wish, prepared.screened.removed
    if wish.origin is Origin.HUMAN or not removed:
        return wish.metadata
    told = ", ".join(f"{one.count} × U+{one.code_point:04X} {one.name}" for one in removed[:8])
    return {**wish.metadata, REMOVED: told}
