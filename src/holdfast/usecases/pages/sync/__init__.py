"""Sync: make the pages of a repository and the store agree, without losing anybody's text.

``read`` reads the pages and the store, ``plan`` decides what to do with every entry, ``apply``
changes the store, and ``write`` changes the pages; ``run`` calls them in this order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.pages.waiting_page import IN_WORDS, DecisionWords
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.choices import Origin
    from holdfast.ports.anchors.clone import Clone, RepositorySettings
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.pages.files import Notebook
    from holdfast.ports.pages.session_files import PrivateFiles, SessionFiles
    from holdfast.ports.pages.task_pages import TaskPages
    from holdfast.ports.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Sync:
    """A request to make the pages and the store agree.

    ``voice`` is the origin of uncommitted edits, such as a person or an agent. ``trusted`` are the
    proofs of entries that came with git, as a person was shown them, and ``ignored`` those of
    others' sessions that the person wants to be left alone. Without ``takes_in``, pages are
    written, but their edits wait, because nobody asked to take them in.
    """

    by: str
    voice: Origin
    trusted: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()
    accepts_removals: bool = False
    takes_in: bool = True
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncPorts:
    """The ports that a sync needs."""

    store: Store
    clock: Clock
    surroundings: Surroundings
    notebook: Notebook
    heuristics: Heuristics
    verifier: Verifier | None = None
    settings: RepositorySettings | None = None
    own_clone: Clone | None = None
    task_pages: TaskPages | None = None
    task_clone: Clone | None = None
    session_files: SessionFiles | None = None
    session_clone: Clone | None = None
    private_files: PrivateFiles | None = None
    deciding: DecisionWords = IN_WORDS
