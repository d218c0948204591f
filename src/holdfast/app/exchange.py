"""Exchange: export and import everything of a space as JSON lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.part_ports import view_ports
from holdfast.app.performing import Part, performs
from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from holdfast.usecases.exchange.exchange import Brought
    from holdfast.usecases.screening import SecretPolicy


class Exchange(Part):
    """Exports and imports of a space."""

    @performs(Operation.EXPORT)
    def export(self, *, here_only: bool = False) -> Generator[str, None, None]:
        """Return everything, or only what reaches this checkout, as JSON lines."""
        from holdfast.usecases.exchange.export import export_here, export_lines

        holdfast = self._holdfast
        if here_only:
            return export_here(store=holdfast.store, ports=view_ports(holdfast))
        return export_lines(store=holdfast.store)

    @performs(Operation.RESTORE)
    def bring_in(
        self,
        lines: Iterable[str],
        *,
        secrets: SecretPolicy | None = None,
        tell: Callable[[Brought], None] = lambda _: None,
    ) -> Brought:
        """Import an export; a memory that already exists stays unchanged."""
        from holdfast.usecases.exchange.exchange import bring_in
        from holdfast.usecases.screening import SecretPolicy

        return bring_in(
            lines,
            store=self._holdfast.store,
            clock=self._holdfast.clock,
            secrets=secrets or SecretPolicy.REFUSE,
            tell=tell,
        )
