"""Errors about who may do what, and in which space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import NeedsPersonError, NotFoundError
from holdfast.domain.memory.callers import MEANINGS

if TYPE_CHECKING:
    from holdfast.domain.memory.callers import Operation, PrincipalKind


class MayNotError(NeedsPersonError, code="may-not"):
    """The principal may not do that; only a person may."""

    def __init__(self, *, kind: PrincipalKind, name: str, operation: Operation) -> None:
        who = f"{name} ({kind.value})" if name else kind.value
        super().__init__(
            what=f"A caller known as {who} may not do this;"
            f" only a person may {MEANINGS[operation]}.",
            command="the same call, made by themselves",
        )
        self.kind, self.name, self.operation = kind, name, operation


class NoSuchStoreError(NotFoundError, code="no-such-store"):
    """There is no store of that space."""

    def __init__(self, space: str) -> None:
        super().__init__(f"There is no store of the space {space} here.", space=space)
