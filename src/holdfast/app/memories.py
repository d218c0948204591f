"""Memories: keep, list, explain, pin, link and forget them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.part_ports import hide_notes, id_here, ids_here, oversees, view_ports
from holdfast.app.performing import REHEARSAL, Part, performs, when
from holdfast.domain.choices import EvidenceType, Origin
from holdfast.domain.errors import BadFieldError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.callers import Operation
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.ids import SpanId
    from holdfast.domain.memory.evidence import Evidence, Span
    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.bundle import Bundle
    from holdfast.domain.sessions.run import Run
    from holdfast.usecases.memory.browse import Browse, MemoryListing, Provenance, SessionPage
    from holdfast.usecases.memory.forget import Forget, Forgotten
    from holdfast.usecases.memory.placing import Placing
    from holdfast.usecases.memory.remember import Remember, Remembered

_ALLOWS_SECRETS = "allow"


def _accepts(wish: Remember) -> bool:
    """Return whether a request is a decision: it is a person's own word, or it allows a secret."""
    return wish.origin is Origin.HUMAN or wish.secrets == _ALLOWS_SECRETS


_OWN_WORD = "as a person's word, or with a secret"
_DECIDES = when(_accepts, Operation.DECIDE, _OWN_WORD)
_ANY_DECIDES = when(lambda wishes: any(map(_accepts, wishes)), Operation.DECIDE, _OWN_WORD)


class MemoriesPart(Part):
    """The memories of a space, as seen from a place."""

    @performs(Operation.PROPOSE, _DECIDES)
    def remember(self, wish: Remember) -> Remembered:
        """Keep a claim with its evidence."""
        return self.remember_all([wish])[0]

    @performs(Operation.PROPOSE, _ANY_DECIDES)
    def remember_all(self, wishes: Sequence[Remember]) -> Sequence[Remembered]:
        """Keep many claims in one durable step.

        Raises:
            BadFieldError: A claim names a more trusted origin than the caller has.
        """
        from holdfast.usecases.memory.remember import remember_all

        for wish in wishes:
            self._refuse_higher_origin(wish.origin)
        holdfast = self._holdfast
        if any(wish.checks for wish in wishes) and holdfast.attachments is not None:
            from holdfast.usecases.checks.accepting import refuse_odd_patterns

            patterns = holdfast.attachments.checks(holdfast).patterns
            refuse_odd_patterns([text for wish in wishes for text in wish.checks], patterns)
        return remember_all(
            [self._derived(wish) for wish in wishes],
            store=holdfast.store,
            clock=holdfast.clock,
            surroundings=holdfast.surroundings,
            verifier=holdfast.verifier,
            heuristics=holdfast.heuristics,
            keys=holdfast.keys,
        )

    def _refuse_higher_origin(self, origin: Origin) -> None:
        own = self.principal.origin
        if self.principal.at_most(origin) is not origin:
            problem = (
                f"is '{origin.value}', but claims of this caller have the origin '{own.value}'."
                " A caller may lower its origin, but not raise it."
            )
            raise BadFieldError(field="origin", problem=problem)

    def _derived(self, wish: Remember) -> Remember:
        """Return a request with the caller's limit, whose parents are ids; a label may name one."""
        grounds = wish.grounds
        if grounds.derived_from:
            grounds = replace(grounds, derived_from=ids_here(self._holdfast, grounds.derived_from))
        if any(one.type is EvidenceType.ARTIFACT for one in grounds.given):
            grounds = replace(grounds, given=self._with_artifacts(grounds.given))
        limits = self._holdfast.waiting_limit, self._holdfast.hourly_limit
        return replace(wish, grounds=grounds, most_waiting=limits[0], most_hourly=limits[1])

    def _with_artifacts(self, given: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
        """Return evidence in which files of snapshots have their hashes."""
        from holdfast.app.work.workspaces import workspace_ports
        from holdfast.usecases.workspaces.cite import with_artifacts

        return with_artifacts(given, ports=workspace_ports(self._holdfast))

    @performs(Operation.READ)
    def browse(self, wish: Browse) -> MemoryListing:
        """List memories."""
        from holdfast.usecases.memory.browse import browse

        holdfast = self._holdfast
        if not oversees(holdfast):
            from holdfast.usecases.agents.privacy import NO_RECORDS, without_notes

            public = without_notes(wish)
            if public is None:
                return NO_RECORDS
            wish = public
        if wish.as_of is not None:
            from holdfast.usecases.recall.past import browse_then

            return browse_then(
                wish, store=holdfast.store, clock=holdfast.clock, ports=view_ports(holdfast)
            )
        return browse(wish, store=holdfast.store, ports=view_ports(holdfast))

    @performs(Operation.READ)
    def show(self, reference: str) -> MemoryRecord | Bundle | Span | Run | SessionPage:
        """Show the memory, bundle, span, run or session with that id."""
        from holdfast.usecases.memory.browse import one_thing

        holdfast = self._holdfast
        name = id_here(holdfast, reference)
        return one_thing(name, store=holdfast.store, ports=view_ports(holdfast))

    @performs(Operation.READ)
    def spans(self, names: Sequence[SpanId]) -> Mapping[SpanId, Span]:
        """Return several places in files by their ids; those that do not exist are left out."""
        with self._holdfast.store.reading() as tx:
            return tx.anchors.spans.read(names)

    @performs(Operation.READ)
    def explain(self, reference: str) -> Provenance:
        """Return where a memory comes from."""
        from holdfast.usecases.memory.browse import provenance

        holdfast = self._holdfast
        name = id_here(holdfast, reference)
        found = provenance(name, store=holdfast.store, ports=view_ports(holdfast))
        if oversees(holdfast):
            return found
        from holdfast.usecases.agents.privacy import public_chain

        return public_chain(found)

    @performs(Operation.READ)
    def explain_in_bundle(self, bundle: str, memory: str) -> Placing:
        """Return why a bundle contains a memory or left it out."""
        from holdfast.usecases.memory.placing import placing

        hide_notes(self._holdfast, bundle)
        return placing(bundle, id_here(self._holdfast, memory), store=self._holdfast.store)

    @performs(Operation.READ)
    def related(self, reference: str, *, limit: int = 20) -> Sequence[tuple[Link, MemoryRecord]]:
        """Return the memories that are linked with a memory."""
        from holdfast.usecases.memory.browse import related

        holdfast = self._holdfast
        name = id_here(holdfast, reference)
        found = related(name, limit=limit, store=holdfast.store, ports=view_ports(holdfast))
        if oversees(holdfast):
            return found
        from holdfast.usecases.agents.privacy import public_links

        return public_links(found)

    @performs(Operation.FORGET, REHEARSAL)
    def forget(self, wish: Forget) -> Forgotten:
        """Remove a memory so that no byte of it stays, in the store or in files written from it."""
        from holdfast.usecases.memory.forget import forget_everywhere

        holdfast = self._holdfast
        return forget_everywhere(
            replace(wish, reference=id_here(holdfast, wish.reference)),
            origin=Origin.HUMAN,  # only a person may forget; a dry run removes nothing
            store=holdfast.store,
            clock=holdfast.clock,
            traces_of=holdfast.traces_of,
        )

    @performs(Operation.PROPOSE)
    def withdraw(self, wish: Forget) -> Forgotten:
        """Remove a candidate of the same source that nobody decided about; other memories stay.

        Raises:
            NeedsPersonError: A person decided about it, or another source proposed it.
        """
        from holdfast.usecases.memory.forget import forget_everywhere

        holdfast = self._holdfast
        return forget_everywhere(
            replace(wish, reference=id_here(holdfast, wish.reference)),
            origin=self.principal.origin,
            store=holdfast.store,
            clock=holdfast.clock,
            traces_of=holdfast.traces_of,
        )

    @performs(Operation.PROPOSE)
    def propose_forgetting(self, wish: Forget) -> MemoryRecord:
        """Propose to a person that a memory be forgotten."""
        from holdfast.usecases.memory.forget import propose_forgetting

        holdfast = self._holdfast
        return propose_forgetting(
            replace(wish, reference=id_here(holdfast, wish.reference)),
            origin=self.principal.origin,
            store=holdfast.store,
            clock=holdfast.clock,
        )

    @performs(Operation.PIN)
    def pin(self, reference: str, *, pinned: bool = True, label: str | None = None) -> MemoryRecord:
        """Pin a memory, or unpin it."""
        from holdfast.usecases.review.curate import set_pin

        holdfast = self._holdfast
        return set_pin(
            id_here(holdfast, reference),
            pinned=pinned,
            label=label,
            store=holdfast.store,
            clock=holdfast.clock,
        )

    @performs(Operation.PIN)
    def pin_span(self, reference: str, *, pinned: bool = True, label: str | None = None) -> Span:
        """Pin a place in a file, or unpin it."""
        from holdfast.usecases.review.curate import set_span_pin

        holdfast = self._holdfast
        return set_span_pin(
            reference, pinned=pinned, label=label, store=holdfast.store, clock=holdfast.clock
        )

    @performs(Operation.DECIDE)
    def link(self, link: Link) -> Link:
        """Link two memories."""
        from holdfast.usecases.review.curate import connect

        return connect(self._here(link), store=self._holdfast.store, clock=self._holdfast.clock)

    @performs(Operation.DECIDE)
    def unlink(self, link: Link) -> bool:
        """Remove a link; return whether it existed."""
        from holdfast.usecases.review.curate import disconnect

        return disconnect(self._here(link), store=self._holdfast.store, clock=self._holdfast.clock)

    def _here(self, link: Link) -> Link:
        """Return a link between ids, where a label of this repository may stand for an id."""
        src, dst = ids_here(self._holdfast, (link.src, link.dst))
        return replace(link, src=MemoryId(src), dst=MemoryId(dst))
