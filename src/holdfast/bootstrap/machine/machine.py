"""The parts of this machine that a door needs: it opens the memory and manages files around it.

The parts need no open store, or only files beside it. Each public method declares its operation, as
the methods of the application do, and imports what it needs when it is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.performing import performs
from holdfast.bootstrap.plugs.addresses import (
    ServerPlace,
    remote_address,
    server_address,
    tenant_name,
)
from holdfast.domain.memory.callers import Operation
from holdfast.domain.memory.place import DEFAULT_SPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from holdfast.app import Holdfast
    from holdfast.bootstrap.machine.beside_store import FilesBesideStore
    from holdfast.bootstrap.machine.copies import Copies
    from holdfast.bootstrap.machine.database import Database, Tenants
    from holdfast.bootstrap.machine.installed import CodingTools, Configuration, GitHooks
    from holdfast.bootstrap.machine.installed_models import Models
    from holdfast.bootstrap.machine.measuring import Measuring
    from holdfast.bootstrap.machine.project import ProjectFiles
    from holdfast.bootstrap.machine.remotes import Remotes
    from holdfast.bootstrap.machine.sources import Sources
    from holdfast.bootstrap.opening.background import CatchUp
    from holdfast.bootstrap.opening.wiring import CodeReading
    from holdfast.domain.code.code import Indexed
    from holdfast.domain.memory.callers import Principal
    from holdfast.domain.pages.syncing import Synced
    from holdfast.ports.judge import Judge
    from holdfast.ports.recall.models import TokenCounter
    from holdfast.usecases.pages.sync import Sync


class Machine:
    """This installation, as one principal uses it from one folder.

    ``home`` is the folder of the principal's space; None is the usual one. ``at`` names the
    database server of the store, if it is on one.
    """

    def __init__(
        self,
        *,
        principal: Principal,
        home: Path | None,
        folder: Callable[[], Path],
        at: ServerPlace | None = None,
    ) -> None:
        self.principal = principal
        self.home = home
        self.at = at or ServerPlace()
        self._folder = folder

    @property
    def folder(self) -> Path:
        """The principal's folder."""
        return self._folder()

    @performs(Operation.READ)
    def is_on_server(self) -> bool:
        """Whether the store is on a server: one of Holdfast, or one of Postgres."""
        return bool(remote_address(self.at.address) or server_address(self.at.address))

    @performs(Operation.READ)
    def is_remote(self) -> bool:
        """Whether the memory is behind a Holdfast server, which needs no care from here."""
        return bool(remote_address(self.at.address))

    @performs(Operation.READ)
    def tenant(self) -> str:
        """Return the name of the tenant on the database server; empty for a store in a file."""
        if remote_address(self.at.address) or not self.is_on_server():
            return ""
        return tenant_name(self.at.tenant)

    @property
    def settings(self) -> Configuration:
        """The settings of the space."""
        from holdfast.bootstrap.machine.installed import Configuration

        return Configuration(self)

    @property
    def models(self) -> Models:
        """The embedding models."""
        from holdfast.bootstrap.machine.installed_models import Models

        return Models(self)

    @property
    def tools(self) -> CodingTools:
        """The connected coding tools."""
        from holdfast.bootstrap.machine.installed import CodingTools

        return CodingTools(self)

    @property
    def hooks(self) -> GitHooks:
        """Git's hooks of the repository."""
        from holdfast.bootstrap.machine.installed import GitHooks

        return GitHooks(self)

    @property
    def project(self) -> ProjectFiles:
        """The pages and files of the repository, without an open store."""
        from holdfast.bootstrap.machine.project import ProjectFiles

        return ProjectFiles(self)

    @property
    def sources(self) -> Sources:
        """Transcripts of tools, and other tools' notes."""
        from holdfast.bootstrap.machine.sources import Sources

        return Sources(self)

    @property
    def beside_store(self) -> FilesBesideStore:
        """The files beside the store."""
        from holdfast.bootstrap.machine.beside_store import FilesBesideStore

        return FilesBesideStore(self)

    @property
    def database(self) -> Database:
        """The database server of the store."""
        from holdfast.bootstrap.machine.database import Database

        return Database(self)

    @property
    def remotes(self) -> Remotes:
        """The servers that this machine knows."""
        from holdfast.bootstrap.machine.remotes import Remotes

        return Remotes(self)

    @property
    def copies(self) -> Copies:
        """Exact copies of the whole store."""
        from holdfast.bootstrap.machine.copies import Copies

        return Copies(self)

    @property
    def tenants(self) -> Tenants:
        """The tenants of the database server."""
        from holdfast.bootstrap.machine.database import Tenants

        return Tenants(self)

    @property
    def measuring(self) -> Measuring:
        """Evaluations of recall."""
        from holdfast.bootstrap.machine.measuring import Measuring

        return Measuring(self)

    @performs(Operation.READ)
    def has_store(self) -> bool:
        """Return whether there is a store, or was one whose file is lost."""
        from holdfast.bootstrap.opening.wiring import has_store

        return has_store(self.home, address=self.at.address)

    @performs(Operation.READ)
    def store_file(self) -> Path:
        """Return the file of the store."""
        from holdfast.bootstrap.opening.wiring import store_path

        return store_path(self.home)

    @performs(Operation.READ)
    def location(self) -> str:
        """Return where the store is: its file, or its server, tenant and space."""
        if remote := remote_address(self.at.address):
            return remote.partition("#")[0]
        address = server_address(self.at.address)
        if not address:
            return str(self.store_file())
        from holdfast.bootstrap.plugs.server import shown_address

        return f"{shown_address(address)}, tenant {self.tenant()}, space {self.principal.space}"

    @performs(Operation.READ)
    def open(self, *, tokens: str = "estimate", reading: CodeReading | None = None) -> Holdfast:
        """Open the memory of the principal's space; create its store if there is none.

        Raises:
            SecretRefusedError: The name of a new space looks like a secret.
        """
        from holdfast.bootstrap.opening.wiring import CodeReading, open_holdfast

        if self.principal.space != DEFAULT_SPACE and not self.has_store():
            from holdfast.usecases.screening import screened

            # It names a folder, and is in every row.
            screened(self.principal.space, what="name of the space")
        return open_holdfast(
            principal=self.principal,
            home=self.home,
            folder=self.folder,
            tokens=tokens,
            reading=reading or CodeReading(),
            at=self.at,
        )

    @performs(Operation.READ)
    def look_again(self, holdfast: Holdfast, *, reading: CodeReading) -> Holdfast:
        """Return an open memory with the current checkout, because the branch may have changed."""
        from holdfast.bootstrap.plugs.folder_ports import look_around
        from holdfast.domain.values import replace

        around = look_around(
            space=self.principal.space,
            home=self.home,
            folder=self.folder,
            reading=reading,
            at=self.at,
        )
        return replace(holdfast, surroundings=around.surroundings, verifier=around.verifier)

    @performs(Operation.MAINTAIN)
    def catch_up_beside(self) -> CatchUp:
        """Start to embed, in the background, memories without a vector."""
        from holdfast.bootstrap.opening.background import CatchUp

        started = CatchUp(principal=self.principal, home=self.home, folder=self.folder, at=self.at)
        started.start()
        return started

    @performs(Operation.READ)
    def counter(self, name: str) -> TokenCounter:
        """Return the token counter of that name."""
        from holdfast.bootstrap.opening.wiring import token_counter

        return token_counter(name)

    @performs(Operation.READ)
    def judge(self) -> Judge | None:
        """Return the judge of conflicts that is set; None if none is."""
        from holdfast.bootstrap.opening.judging import judge

        return judge(self.home)

    @performs(Operation.PROPOSE)
    def follow_pages(self, wish: Sync, *, every: float) -> Iterator[Synced]:
        """Sync after every change of pages, branch or store; yield each result, without end."""
        from holdfast.bootstrap.hooks.following import syncs

        return syncs(
            wish, principal=self.principal, folder=self.folder, home=self.home, every=every
        )

    @performs(Operation.MAINTAIN)
    def follow_code(self, look: Callable[[], Indexed], *, every: float) -> Iterator[Indexed]:
        """Read code again after every change; yield each result, without end."""
        from holdfast.bootstrap.plugs.code import changes

        return changes(look, every=every)
