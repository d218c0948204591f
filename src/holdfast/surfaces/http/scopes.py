"""The scopes of routes, checked before the fields of a request are checked.

The application checks every call again, against its exact operation: a dry run only reads, and a
claim that is accepted at once is a decision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from holdfast.surfaces.http.table import Route

_NEEDS: dict[Operation, tuple[str, ...]] = {
    Operation.PROPOSE: (
        *("post-memories", "post-memories-batch", "post-memories-id-withdraw"),
        *("post-memories-id-propose-forgetting", "post-runs-id-propose"),
    ),
    Operation.RECORD: (
        *("put-bundles-id-feedback", "post-sessions", "post-sessions-id-turns"),
        *("post-sessions-id-end", "post-runs", "post-runs-id-notes", "post-runs-id-finish"),
        *("post-tasks", "patch-tasks-id", "post-tasks-claims", "post-tasks-id-claim"),
        *("post-tasks-id-start", "post-tasks-id-release", "post-tasks-id-done"),
        *("post-tasks-id-block", "post-tasks-id-unblock"),
    ),
    Operation.DECIDE: (
        *("post-links", "delete-links", "post-candidates-approve", "post-candidates-reject"),
        *("post-memories-id-edit", "post-conflicts-resolve", "post-decisions-undo"),
        *("post-sources-revert", "post-tasks-id-reopen"),
    ),
    Operation.FORGET: ("delete-memories-id", "delete-tasks-id", "post-agents-id-delete"),
    Operation.PIN: (
        *("put-memories-id-pin", "delete-memories-id-pin"),
        *("put-spans-id-pin", "delete-spans-id-pin"),
    ),
    Operation.CONFIGURE: ("post-weights-learn",),
    Operation.RESTORE: ("post-import", "post-tasks-import"),
    Operation.EXPORT: ("get-export", "get-agents-id-export"),
    Operation.MAINTAIN: ("get-doctor", "get-health"),
    Operation.OVERSEE: ("get-agents-id", "get-agents-id-cycles", "get-agents-id-resume"),
    Operation.SERVE: (
        *("post-stores", "post-stores-id-memories", "post-stores-id-search"),
        *("post-relationships", "get-relationships-id"),
    ),
}
SCOPES = {name: operation for operation, names in _NEEDS.items() for name in names}
"""The operation of each route that does more than read."""
_ALSO = {
    **dict.fromkeys(
        ("post-memories", "post-memories-batch", "post-tasks-id-release", "post-tasks-id-done"),
        (Operation.DECIDE,),
    ),
    "post-sources-revert": (Operation.FORGET,),
}
"""Operations with which a route can be used in some cases without its own one."""


def operations_of(route: Route, *, rehearses: bool) -> tuple[Operation, ...]:
    """Return the operations of which a caller needs one; ``rehearses`` names a dry run."""
    if rehearses:
        return (Operation.READ,)
    return (SCOPES.get(route.name, Operation.READ), *_ALSO.get(route.name, ()))
