"""Trees: manifests, paths that may be written, differences, ignored and secret files."""

from __future__ import annotations

import json

import pytest

from holdfast.domain.workspace_errors import BadManifestError
from holdfast.domain.workspaces.changes import ChangeKind, changes_between, counted
from holdfast.domain.workspaces.ignoring import is_ignored, read_rules
from holdfast.domain.workspaces.safe_paths import beneath, is_like_git, path_problem
from holdfast.domain.workspaces.secret_files import holds_private_key, is_secret_name
from holdfast.domain.workspaces.tree import TreeEntry, manifest_of, read_manifest
from tests.requirements import requirement

HASH = "ab" * 32
FOLDER = TreeEntry("src", "folder", 0o755)
FILE = TreeEntry("src/app.py", "file", 0o644, 3, HASH, 5)
LINK = TreeEntry("link", "link", 0o777, target="/etc/passwd")
ODD = TreeEntry("src/\udcff\n.py", "file", 0o600, 0, HASH, is_sparse=True)


def test_a_manifest_reads_back_exactly() -> None:
    entries = (LINK, FOLDER, FILE, ODD)

    assert read_manifest(manifest_of(entries)) == tuple(sorted(entries))
    assert read_manifest(manifest_of(())) == ()


@requirement("workspace.restore-never-escapes")
@pytest.mark.parametrize(
    "path",
    [
        *("/etc/passwd", "../x", "a/../../x", "a//b", "./a", "", "a/", "a\0b", "a/.."),
        *(".git/hooks/post-checkout", "a/.GIT/config", "a/.git ", "a/.git.", ".g\u200cit/config"),
        *("GIT~1/config", ".git:x/y", "x" * 300, f"{'x/' * 2500}y", ".holdfast-restore-1/x"),
    ],
)
def test_a_path_that_could_lead_outside_is_refused(path: str) -> None:
    entry = TreeEntry(path, "file", 0o644, 0, HASH)

    assert path_problem(path)
    with pytest.raises(BadManifestError, match="Nothing was written"):
        read_manifest(manifest_of([entry]))


def test_only_a_snapshot_of_everything_may_contain_git_itself() -> None:
    entries = (TreeEntry(".git", "folder", 0o755), TreeEntry(".git/HEAD", "file", 0o644, 0, HASH))

    assert read_manifest(manifest_of(entries), keeps_git=True) == entries
    assert not path_problem("a/.gitignore")
    assert is_like_git(".Git")
    with pytest.raises(BadManifestError):
        read_manifest(manifest_of([TreeEntry(".GIT", "folder", 0o755)]), keeps_git=True)


FIELDS = list(FILE)


@pytest.mark.parametrize(
    "manifest",
    [
        *(b"", b"{}", b"\xff", b"x\n", manifest_of([FILE]), manifest_of([FOLDER, FILE])[:-1]),
        manifest_of([FOLDER, FILE]).replace(b"1", b"2", 1),
        manifest_of([FOLDER, FILE]) + b"more",
        manifest_of([FOLDER, FILE, FILE]),
        manifest_of([LINK, TreeEntry("link/x", "file", 0o644, 0, HASH)]),
    ],
)
def test_a_damaged_manifest_is_refused(manifest: bytes) -> None:
    with pytest.raises(BadManifestError):
        read_manifest(manifest)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        *((0, 5), (1, "device"), (2, 0o4755), (2, "7"), (3, -1), (4, "ab"), (5, None), (6, 7)),
        (2, True),
    ],
)
def test_a_wrong_field_is_refused(place: int, value: object) -> None:
    fields: list[object] = [*FIELDS]
    fields[place] = value
    first = manifest_of([]).decode().partition("\n")[0]

    for shape in ([fields], [fields[:4]], 5):
        with pytest.raises(BadManifestError):
            read_manifest(f"{first}\n{json.dumps(shape)}\n".encode())


def test_a_link_without_a_target_is_refused() -> None:
    with pytest.raises(BadManifestError, match="no target"):
        read_manifest(manifest_of([TreeEntry("l", "link", 0o777)]))


@requirement("workspace.renames-are-seen")
def test_differences_name_what_was_added_changed_renamed_and_removed() -> None:
    old = [
        FOLDER,
        FILE,
        TreeEntry("gone", "file", 0o644, 1, "11" * 32),
        TreeEntry("mode", "file", 0o644, 1, "22" * 32),
        TreeEntry("same", "file", 0o644, 1, "33" * 32, 1),
        TreeEntry("empty", "file", 0o644, 0, "44" * 32),
        TreeEntry("a/first", "file", 0o644, 9, "55" * 32),
        TreeEntry("b/named", "file", 0o644, 9, "55" * 32),
        TreeEntry("sym", "link", 0o777, target="x"),
    ]
    new = [
        FOLDER,
        FILE._replace(hash="66" * 32),
        TreeEntry("mode", "file", 0o755, 1, "22" * 32),
        TreeEntry("same", "file", 0o644, 1, "33" * 32, 2),
        TreeEntry("void", "file", 0o644, 0, "44" * 32),
        TreeEntry("c/named", "file", 0o644, 9, "55" * 32),
        TreeEntry("c/other", "file", 0o644, 9, "55" * 32),
        TreeEntry("c/third", "file", 0o644, 9, "55" * 32),
        TreeEntry("sym2", "link", 0o777, target="x"),
    ]

    found = changes_between(old, new)

    assert [(one.kind.value, one.was, one.path) for one in found] == [
        ("renamed", "b/named", "c/named"),
        ("renamed", "a/first", "c/other"),
        ("added", None, "c/third"),
        ("removed", None, "empty"),
        ("removed", None, "gone"),
        ("mode", None, "mode"),
        ("changed", None, "src/app.py"),
        ("renamed", "sym", "sym2"),
        ("added", None, "void"),
    ]
    assert counted(found)[ChangeKind.RENAMED] == 3


def test_a_path_is_beneath_itself_and_its_folders() -> None:
    assert beneath("a/b", "a")
    assert beneath("a", "a")
    assert not beneath("ab", "a")


def test_the_nearest_rules_count_first() -> None:
    above, near = read_rules("*.log\n"), read_rules("!x.log\n", folder="d/")

    assert is_ignored((above,), "d/x.log", "x.log")
    assert not is_ignored((near, above), "d/x.log", "x.log")
    assert is_ignored((near, above), "d/y.log", "y.log")
    assert is_ignored((read_rules("d/*.log\n")._replace(way="d/"),), "y.log", "y.log")
    assert read_rules("# nothing\n\n").groups == ()


@requirement("workspace.secrets-left-out")
@pytest.mark.parametrize(
    ("name", "is_secret"),
    [
        *((".env", True), (".env.local", True), (".env.example", False), ("id_rsa", True)),
        *(("id_rsa.pub", False), ("server.pem", True), ("Secrets.yaml", True), ("app.py", False)),
        *(("credentials", True), ("client_secret_1.json", True), (".npmrc", True)),
        *(("www.example.com.key", True), ("tls-default.p12", True), ("a.sample.pem", True)),
        *((".envrc", True), (".envrc.example", False), ("tls.key.sample", False)),
        *((".env.example.com", True), ("prod-default.env", True), ("prod.sample.env", False)),
        *(("environment.md", False), ("prod.env", True), ("service-account.json", True)),
    ],
)
def test_names_of_files_with_secrets_are_known(name: str, *, is_secret: bool) -> None:
    assert is_secret_name(name) is is_secret


def test_a_private_key_is_known_by_its_first_line() -> None:
    key = b"-----BEGIN OPENSSH PRIVATE " + b"KEY-----\nabc"

    assert holds_private_key(key)
    assert holds_private_key(b"\n" + key)
    assert not holds_private_key(b"text = '''" + key)
    assert not holds_private_key(b"")
