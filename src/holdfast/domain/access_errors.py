"""Errors about who may do what, and in which space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import NeedsPersonError, NotFoundError
from holdfast.domain.memory.callers import MEANINGS

if TYPE_CHECKING:
    from holdfast.domain.memory.callers import Operation, PrincipalKind


class MayNotError(NeedsPersonError, code="may-not"):
    """The caller is an agent, a tool or a service, and only a person may do that."""

    def __init__(self, *, kind: PrincipalKind, name: str, operation: Operation) -> None:
        who = f"{name} ({kind.value})" if name else kind.value
        super().__init__(
            what=f"The caller {who} may not do this; only a person may {MEANINGS[operation]}.",
        )
        self.kind, self.name, self.operation = kind, name, operation


class NoSuchStoreError(NotFoundError, code="no-such-store"):
    """The space has no store."""

    def __init__(self, space: str, *, tenant: str = "") -> None:
        owner = f" of the tenant {tenant}" if tenant else ""
        super().__init__(f"The space {space}{owner} has no store here.", space=space, tenant=tenant)
