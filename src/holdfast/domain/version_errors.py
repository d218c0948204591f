"""Errors about versions: the schema of a store, and the SQLite library."""

from __future__ import annotations

from holdfast.domain.errors import UnavailableError


class NewerStoreError(UnavailableError, code="newer-store"):
    """The store was written by a newer version of Holdfast."""

    def __init__(self, path: str, theirs: int, ours: int) -> None:
        super().__init__(
            f"The store {path} has schema version {theirs}; this version of Holdfast supports"
            f" versions up to {ours}. Nothing was changed; upgrade Holdfast.",
            path=path,
            theirs=theirs,
            ours=ours,
        )


class StoreUpgradedError(UnavailableError, code="store-upgraded"):
    """The store was upgraded, and this program does not write to a newer schema."""

    hint: str = "Nothing was changed; upgrade Holdfast, or restart this program if that was done."


class OldLibraryError(UnavailableError, code="old-library"):
    """The SQLite library is too old to keep data safe."""

    def __init__(self, found: str, needed: str) -> None:
        super().__init__(
            f"SQLite {found} can corrupt a shared store; {needed} or newer is needed."
            " Upgrade the package apsw.",
            found=found,
            needed=needed,
        )
