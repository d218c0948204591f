"""Evidence: check it against the repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.part_ports import here, ids_here, repository_ports
from holdfast.app.performing import Part, performs
from holdfast.domain.memory.callers import Operation, Permission, answer
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.anchor import Sighting
    from holdfast.domain.memory.evidence import FilePlace, Span
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.rendering import Quote
    from holdfast.usecases.anchors.blame import Governing
    from holdfast.usecases.anchors.branch_difference import BranchDifference
    from holdfast.usecases.anchors.verify import CheckedMemory, Verification, Verify

_USUAL_MAIN = "main"


class EvidenceChecks(Part):
    """Checks of evidence, and the history of the repository that they depend on."""

    @performs(Operation.MAINTAIN)
    def verify(self, wish: Verify) -> Verification:
        """Check the evidence of memories against the repository."""
        from holdfast.usecases.anchors.verify import verify

        named = replace(wish, references=ids_here(self._holdfast, wish.references))
        ports, keys = repository_ports(self._holdfast), self._holdfast.keys
        kind = self._holdfast.principal.kind
        if keys is not None and answer(kind, Operation.REVEAL) is Permission.ALLOWED:
            ports = replace(ports, cipher=keys.cipher)
        return verify(named, ports=ports)

    @performs(Operation.READ)
    def checks_of(self, records: Sequence[MemoryRecord]) -> Sequence[CheckedMemory]:
        """Check the evidence of memories that are already loaded."""
        from holdfast.usecases.anchors.verify import checks_of

        return checks_of(records, ports=repository_ports(self._holdfast))

    @performs(Operation.READ)
    def quotes(self, checked: CheckedMemory) -> tuple[Quote, ...]:
        """Return the lines that a checked memory cites, at their current places."""
        from holdfast.usecases.anchors.quoting import quotes_of

        surroundings = self._holdfast.surroundings
        return quotes_of(checked.record, checked.evidence, surroundings=surroundings)

    @performs(Operation.READ)
    def sight(self, span: Span) -> Sighting:
        """Return the current state of a place in a file."""
        return here(self._holdfast.verifier).examine([span])[span.id]

    @performs(Operation.READ)
    def blame(self, place: FilePlace) -> Sequence[Governing]:
        """Return the memories that govern a line of a file."""
        from holdfast.usecases.anchors.blame import blame

        return blame(place, ports=repository_ports(self._holdfast))

    @performs(Operation.READ)
    def difference(self, base: str, tip: str) -> BranchDifference:
        """Return the knowledge that a branch adds, changes, contradicts and puts in doubt."""
        from holdfast.usecases.anchors.branch_difference import difference

        return difference(base, tip, ports=repository_ports(self._holdfast))

    @performs(Operation.READ)
    def difference_of(self, range_words: str | None = None) -> BranchDifference:
        """Return the same for a range as people write it: ``main..feature``.

        Without a range, the checkout is compared with the main branch.
        """
        from holdfast.usecases.anchors.branch_difference import read_range

        if range_words is None:
            main = self._holdfast.surroundings.main_branch()
            return self.difference(main or _USUAL_MAIN, "HEAD")
        return self.difference(*read_range(range_words))

    @performs(Operation.MAINTAIN)
    def note_rewrites(self, pairs: Sequence[tuple[str, str]]) -> int:
        """Record which commits replaced others, as git reports it."""
        from holdfast.usecases.anchors.blame import note_rewrites

        return note_rewrites(pairs, ports=repository_ports(self._holdfast))

    @performs(Operation.MAINTAIN)
    def note_head(self) -> bool:
        """Record the commit of the branch that is checked out."""
        from holdfast.usecases.anchors.blame import note_head

        return note_head(ports=repository_ports(self._holdfast))
