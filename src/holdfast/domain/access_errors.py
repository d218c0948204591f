"""Errors about who may do what, and in which space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import NeedsPersonError, NotFoundError
from holdfast.domain.memory.callers import MEANINGS, Permission, PrincipalKind, answer

if TYPE_CHECKING:
    from holdfast.domain.memory.callers import Operation


class MayNotError(NeedsPersonError, code="may-not"):
    """The kind of the caller may not do that; or a token lacks the scope for it.

    ``scope`` is the scope that the caller's token lacks; empty if the kind of the caller decides.
    ``why`` replaces the reason, where neither of the two is it.
    """

    def __init__(
        self, *, kind: PrincipalKind, name: str, operation: Operation, why: str = ""
    ) -> None:
        who = f"{name} ({kind.value})" if name else kind.value
        is_narrow = not why and answer(kind, operation) is Permission.ALLOWED
        scope = operation.value if is_narrow else ""
        reason = why or f"only {_who_may(operation)} may {MEANINGS[operation]}"
        if scope:
            reason = f"the token lacks the scope '{scope}' ({MEANINGS[operation]})"
        super().__init__(what=f"The caller {who} may not do this; {reason}.")
        self.kind, self.name, self.operation, self.scope = kind, name, operation, scope


def _who_may(operation: Operation) -> str:
    """Return the kinds of callers that the table allows an operation."""
    kinds = [kind for kind in PrincipalKind if answer(kind, operation) is Permission.ALLOWED]
    return " or ".join(f"a {kind.value}" for kind in kinds)


class NoSuchStoreError(NotFoundError, code="no-such-store"):
    """The space has no store."""

    def __init__(self, space: str, *, tenant: str = "") -> None:
        owner = f" of the tenant {tenant}" if tenant else ""
        super().__init__(f"The space {space}{owner} has no store here.", space=space, tenant=tenant)
