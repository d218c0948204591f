"""Snapshots of a real folder through the application: take, compare, restore, cite, collect."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import apsw
import pytest

from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.adapters.workspaces.contents import PackedContents
from holdfast.adapters.workspaces.folder import DiskFolder
from holdfast.adapters.workspaces.packs import read_index
from holdfast.app import Holdfast
from holdfast.app.attachments import KeptFolder
from holdfast.domain.choices import EvidenceType, Origin
from holdfast.domain.errors import NoSuchError, SecretRefusedError
from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.domain.memory.anchor import Sighting, Verdict
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.values import replace
from holdfast.domain.workspace_errors import (
    ArtifactUnknownError,
    BadManifestError,
    CannotKeepError,
    ContentDamagedError,
    NoSnapshotsError,
    NoSuchPathError,
    NothingKeptError,
    NoWorkspacesError,
    SnapshotCitedError,
    SnapshotElsewhereError,
    TreeTooLargeError,
    WouldReplaceError,
)
from holdfast.domain.workspaces.snapshot import (
    CycleMoment,
    Limits,
    SnapshotId,
    SnapshotKind,
    TreeRules,
)
from holdfast.domain.workspaces.tree import TreeEntry, manifest_of
from holdfast.usecases.agents.cycling import FinishCycle, ProposeAction
from holdfast.usecases.agents.opening import OpenAgent
from holdfast.usecases.anchors.artifacts import ArtifactReader
from holdfast.usecases.anchors.checking import check_evidence, cited
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember
from holdfast.usecases.workspaces.restore_plan import RestoreSnapshot
from holdfast.usecases.workspaces.snapshot import TakeSnapshot
from tests.builders import FixedClock
from tests.contract.test_spaces import Attached
from tests.requirements import requirement
from tests.usecases.plain_verifier import PlainVerifier


class OnDisk(Attached):
    """The real folder of a test, and content beside it."""

    def __init__(self, base: Path, host: str = "") -> None:
        super().__init__()
        self.base = base
        self.host = host

    def workspace(self, folder: Path | None) -> KeptFolder:
        kept = DiskFolder(folder or self.base / "work", state=self.base / "seen", host=self.host)
        return KeptFolder(folder=kept, contents=PackedContents(self.base / "packs"))


class Serving(Attached):
    """A machine that serves others."""

    def workspace(self, folder: Path | None) -> KeptFolder:
        raise NoWorkspacesError


@pytest.fixture
def kept(holdfast: Holdfast, tmp_path: Path) -> Holdfast:
    (tmp_path / "work" / "src").mkdir(parents=True)
    (tmp_path / "work" / "src" / "app.py").write_text("one\ntwo\n", encoding="utf-8")
    (tmp_path / "work" / "report.md").write_text("done\n", encoding="utf-8")
    return replace(holdfast, attachments=OnDisk(tmp_path))


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return tmp_path / "work"


def taken(app: Holdfast, note: str = "", **rules: Any) -> str:
    wish = TakeSnapshot(note=note, rules=TreeRules(**rules))
    return str(app.workspaces.snapshot(wish).snapshot.id)


def restored(app: Holdfast, name: str, **options: Any) -> object:
    return app.workspaces.restore(RestoreSnapshot(reference=name, **options))


def a_claim(*given: Evidence) -> Remember:
    grounds = Grounds(given=given)
    return Remember(claim="The report is done.", grounds=grounds, origin=Origin.HUMAN, source="t")


def paths(app: Holdfast, name: str) -> list[str]:
    return [one.path for one in app.workspaces.show(name).entries]


def test_an_unchanged_folder_has_one_snapshot_unless_a_note_asks_for_another(
    kept: Holdfast,
) -> None:
    first = kept.workspaces.snapshot(TakeSnapshot())
    second = kept.workspaces.snapshot(TakeSnapshot())
    noted = kept.workspaces.snapshot(TakeSnapshot(note="before the rewrite", agent="bot"))

    assert (first.is_new, second.is_new, noted.is_new) == (True, False, True)
    assert second.snapshot == first.snapshot
    assert noted.snapshot.manifest == first.snapshot.manifest
    assert noted.workspace.agent == "bot"
    assert kept.workspaces.snapshot(TakeSnapshot()).workspace.agent == "bot"
    listed = kept.workspaces.list()
    assert [one.note for one in listed.snapshots] == ["before the rewrite", ""]
    assert kept.workspaces.list(everywhere=True).snapshots == listed.snapshots


def test_a_folder_without_snapshots_lists_none(kept: Holdfast, tmp_path: Path) -> None:
    taken(kept)

    assert kept.workspaces.list(folder=tmp_path).snapshots == ()
    with pytest.raises(NoSnapshotsError, match="Nobody took a snapshot of"):
        kept.workspaces.show("latest", folder=tmp_path)
    with pytest.raises(NoSuchError, match="No snapshot has the id m_1"):
        kept.workspaces.show("m_1")


def test_the_rows_of_files_follow_the_newest_snapshot(kept: Holdfast, work: Path) -> None:
    first = taken(kept)
    (work / "report.md").unlink()
    (work / "link").symlink_to("src")
    (work / "src" / "app.py").chmod(0o600)
    second = taken(kept)

    with kept.store.reading() as tx:
        (workspace,) = tx.diary.workspaces.every()
        files = tx.diary.workspaces.files(workspace.id)
    assert [(one.path, one.kind, one.snapshot) for one in files] == [
        ("link", "link", second),
        ("src", "folder", first),
        ("src/app.py", "file", second),
    ]


def test_a_note_with_a_secret_is_refused(kept: Holdfast) -> None:
    with pytest.raises(SecretRefusedError):
        taken(kept, "the key is AKIA" + "IOSFODNN7EXAMPLQ")

    assert kept.workspaces.list().snapshots == ()


@requirement("workspace.limits-hold")
def test_a_folder_beyond_the_limits_adds_nothing(kept: Holdfast, tmp_path: Path) -> None:
    with pytest.raises(TreeTooLargeError):
        taken(kept, limits=Limits(entries=1))

    assert kept.workspaces.list().snapshots == ()
    assert not list((tmp_path / "packs").glob("*.pack"))


def test_many_omissions_are_counted_and_the_first_named(kept: Holdfast, work: Path) -> None:
    for number in range(203):
        (work / f"{number}.pem").touch()

    snapshot = kept.workspaces.snapshot(TakeSnapshot()).snapshot

    assert (len(snapshot.omitted), snapshot.more_omitted) == (200, 3)


def test_a_difference_names_paths_and_lines(kept: Holdfast, work: Path) -> None:
    first = taken(kept)
    (work / "src" / "app.py").write_text("one\n2\n", encoding="utf-8")
    (work / "report.md").rename(work / "src" / "report.md")
    (work / "image").write_bytes(b"\0png")
    (work / "latin").write_bytes(b"caf\xe9")
    (work / "large").write_bytes(b"x" * 2_000_000)
    (work / "link").symlink_to("x")

    now = kept.workspaces.diff(first, with_text=True)
    second = taken(kept)
    between = kept.workspaces.diff(first, second, with_text=True)
    part = kept.workspaces.diff(first, second, path="src/")

    assert [(one.kind.value, one.path) for one in now.changes] == [
        *(("added", "image"), ("added", "large"), ("added", "latin"), ("added", "link")),
        *(("changed", "src/app.py"), ("renamed", "src/report.md")),
    ]
    assert now.patch == (
        *("--- a/src/app.py", "+++ b/src/app.py", "@@ -1,2 +1,2 @@", " one", "-two", "+2"),
    )
    assert between.patch == now.patch
    assert between.changes == now.changes
    assert [one.path for one in part.changes] == ["src/app.py", "src/report.md"]
    with pytest.raises(NoSuchPathError, match="has no path none"):
        kept.workspaces.diff(first, path="none")


@requirement("workspace.restore-keeps-what-it-replaces")
def test_a_restore_replaces_nothing_unless_it_may_and_keeps_what_it_replaces(
    kept: Holdfast, work: Path
) -> None:
    name = taken(kept)
    (work / "src" / "app.py").write_text("edited\n", encoding="utf-8")
    (work / "report.md").chmod(0o600)
    (work / "extra").write_text("extra\n", encoding="utf-8")

    rehearsed = kept.workspaces.restore(RestoreSnapshot(reference=name, dry_run=True))
    with pytest.raises(WouldReplaceError, match="would replace report.md, src/app.py"):
        restored(kept, name)
    assert (work / "src" / "app.py").read_text(encoding="utf-8") == "edited\n"
    done = kept.workspaces.restore(
        RestoreSnapshot(reference=name, replaces=True, removes=True, with_times=True)
    )

    assert [(one.kind.value, one.path) for one in rehearsed.steps] == [
        ("mode", "report.md"),
        ("replace", "src/app.py"),
    ]
    assert [(one.kind.value, one.path) for one in done.steps] == [
        *(("mode", "report.md"), ("replace", "src/app.py"), ("remove", "extra"))
    ]
    assert kept.workspaces.diff(name).changes == ()
    assert not (work / "extra").exists()
    assert done.displaced is not None
    assert done.displaced.kind is SnapshotKind.DISPLACED
    assert paths(kept, done.displaced.id) == ["extra", "report.md", "src", "src/app.py"]
    undone = kept.workspaces.restore(RestoreSnapshot(reference=done.displaced.id, replaces=True))
    assert (work / "extra").read_text(encoding="utf-8") == "extra\n"
    assert (work / "src" / "app.py").read_text(encoding="utf-8") == "edited\n"
    assert undone.unchanged == 1
    assert kept.workspaces.show("latest").snapshot.id == name


def test_one_path_is_restored_with_the_folders_that_lead_to_it(
    kept: Holdfast, tmp_path: Path
) -> None:
    name = taken(kept)

    done = kept.workspaces.restore(
        RestoreSnapshot(reference=name, paths=("src/app.py",)), into=tmp_path / "out"
    )

    assert [one.path for one in done.steps] == ["src", "src/app.py"]
    assert not (tmp_path / "out" / "report.md").exists()
    with pytest.raises(NoSuchPathError):
        restored(kept, name, paths=("sr",))
    again = kept.workspaces.restore(RestoreSnapshot(reference=name), into=tmp_path / "out")
    assert [one.path for one in again.steps] == ["report.md"]


def test_only_the_chosen_folder_loses_what_the_snapshot_has_not(kept: Holdfast, work: Path) -> None:
    name = taken(kept)
    (work / "src" / "extra").touch()
    (work / "other").touch()

    restored(kept, name, paths=("src",), replaces=True, removes=True)

    assert not (work / "src" / "extra").exists()
    assert (work / "other").exists()
    (work / "src" / "app.py").unlink()
    (work / "src").rmdir()
    assert restored(kept, name, removes=True, dry_run=True)


@requirement("workspace.restore-keeps-what-it-replaces")
def test_what_cannot_be_kept_is_not_replaced(kept: Holdfast, work: Path) -> None:
    name = taken(kept)
    (work / "report.md").unlink()
    os.mkfifo(work / "report.md")

    with pytest.raises(CannotKeepError, match="report.md would be replaced"):
        restored(kept, name, replaces=True)

    assert (work / "report.md").is_fifo()


@requirement("workspace.restore-never-escapes")
def test_a_manifest_that_somebody_forged_is_not_restored(kept: Holdfast, tmp_path: Path) -> None:
    name = taken(kept)
    contents = PackedContents(tmp_path / "packs")
    with contents.using(), contents.adding() as writer:
        file = writer.add([b"x"])
        forged = writer.add([manifest_of([TreeEntry("../escaped", "file", 0o644, 1, file)])])
        writer.finish()
    with kept.store.writing(kept.now()) as tx:
        snapshots = tx.diary.workspaces.snapshots
        snapshots.add(replace(snapshots.get(SnapshotId(name)), manifest=forged))

    with pytest.raises(BadManifestError, match="has the part '..'"):
        restored(kept, name)

    assert not (tmp_path / "escaped").exists()


@requirement("workspace.artifacts-are-evidence")
@requirement("workspace.cited-is-kept")
def test_a_file_of_a_snapshot_is_evidence_and_keeps_the_snapshot(
    kept: Holdfast, work: Path
) -> None:
    name = taken(kept)
    given = Evidence(
        type=EvidenceType.ARTIFACT, reference="latest/report.md", facts={"sha256": "forged"}
    )
    record = kept.memories.remember(a_claim(given)).record
    (work / "report.md").write_text("changed\n", encoding="utf-8")
    taken(kept)

    (evidence,) = record.evidence
    assert evidence.reference == f"{name}/report.md"
    entry = next(one for one in kept.workspaces.show(name).entries if one.path == "report.md")
    assert evidence.facts == {"sha256": entry.hash, "size": "5"}
    with pytest.raises(SnapshotCitedError, match=record.memory.id):
        kept.workspaces.delete(name)
    kept.workspaces.gc()
    assert paths(kept, name) == ["report.md", "src", "src/app.py"]


@pytest.mark.parametrize(
    ("reference", "why"),
    [
        *(("report.md", "artifact:SNAPSHOT/PATH"), ("latest/none", "no file of that path")),
        *(("latest/src", "no file of that path"), ("v_9zz/x", "No snapshot has the id")),
    ],
)
def test_evidence_that_names_no_file_of_a_snapshot_is_refused(
    kept: Holdfast, reference: str, why: str
) -> None:
    taken(kept)
    said = Evidence(type=EvidenceType.STATEMENT, reference="I saw it.")
    wrong = Evidence(type=EvidenceType.ARTIFACT, reference=reference)

    with pytest.raises(ArtifactUnknownError, match=why):
        kept.memories.remember(a_claim(said, wrong))


def judged(
    app: Holdfast, one: MemoryRecord, contents: PackedContents | None
) -> list[tuple[str, str]]:
    """Return the verdicts about the evidence of a memory, where this content can be read."""
    with app.store.reading() as tx:
        asked = cited([one], repo=None, tx=tx)
    verifier = PlainVerifier(kept=contents)
    found = check_evidence(asked, repo=None, at=app.now(), verifier=verifier)
    seen = [each.sighting for each in found.by_memory[one.memory.id]]
    return [(each.verdict.value, each.how) for each in seen]


def cites(app: Holdfast, name: str, path: str) -> MemoryRecord:
    given = Evidence(type=EvidenceType.ARTIFACT, reference=f"{name}/{path}")
    return app.memories.remember(a_claim(given)).record


@requirement("workspace.no-false-fresh")
def test_a_cited_file_is_fresh_only_while_its_content_can_be_read(
    kept: Holdfast, work: Path, tmp_path: Path
) -> None:
    (work / "large").write_bytes(os.urandom(900_000))
    name = taken(kept)
    record = cites(kept, name, "large")
    contents = PackedContents(tmp_path / "packs")
    (pack,) = (tmp_path / "packs").glob("*.pack")
    whole = pack.read_bytes()

    assert judged(kept, record, contents)[0][0] == "fresh"
    assert "not stored on this machine" in judged(kept, record, None)[0][1]
    empty = PackedContents(tmp_path / "elsewhere")
    assert judged(kept, record, empty)[0][0] == "unverifiable"

    for at in range(2_000, 900_000, 99_991):
        pack.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        ((verdict, why),) = judged(kept, record, contents)
        assert (verdict, "missing or damaged" in why) == ("orphaned", True)
    pack.write_bytes(whole[: len(whole) // 2])
    assert judged(kept, record, contents)[0][0] == "unverifiable"
    pack.unlink()
    pack.mkdir()
    ((verdict, why),) = judged(kept, record, contents)
    assert (verdict, "was not read" in why) == ("unverifiable", True)


@requirement("workspace.no-false-fresh")
def test_a_hash_that_the_snapshot_does_not_have_is_never_fresh(
    kept: Holdfast, work: Path, tmp_path: Path
) -> None:
    name = taken(kept)
    right = cites(kept, name, "report.md")
    (proof,) = right.memory.evidence
    other = sha256((work / "src" / "app.py").read_bytes()).hexdigest()
    forged = replace(proof, facts={**proof.facts, "sha256": other})
    wrong = replace(right, memory=replace(right.memory, evidence=(forged, proof)))
    contents = PackedContents(tmp_path / "packs")

    assert [verdict for verdict, _ in judged(kept, wrong, contents)] == ["orphaned", "fresh"]


@requirement("workspace.no-false-fresh")
def test_a_damaged_list_of_files_or_row_is_never_fresh(kept: Holdfast, tmp_path: Path) -> None:
    name = taken(kept)
    record = cites(kept, name, "report.md")
    contents = PackedContents(tmp_path / "packs")
    with kept.store.reading() as tx:
        snapshot = tx.diary.workspaces.snapshots.get(SnapshotId(name))
    (pack,) = (tmp_path / "packs").glob("*.pack")
    place = dict(read_index(pack))[bytes.fromhex(snapshot.manifest)].offset
    broken = bytearray(pack.read_bytes())
    broken[place] ^= 1
    pack.write_bytes(broken)

    assert judged(kept, record, contents) == [
        ("orphaned", "the stored list of files of the snapshot is damaged")
    ]
    row = ArtifactReader({name: None}, contents).checked(record.memory.evidence[0])
    assert row.sighting.verdict is Verdict.UNVERIFIABLE


@requirement("workspace.no-false-fresh")
def test_a_snapshot_whose_row_was_changed_on_the_disk_proves_nothing(
    kept: Holdfast, tmp_path: Path
) -> None:
    stored = replace(kept, store=SqliteStore.open(tmp_path / "memory.db"))
    record = cites(stored, taken(stored), "report.md")
    contents = PackedContents(tmp_path / "packs")
    assert judged(stored, record, contents)[0][0] == "fresh"

    database = apsw.Connection(str(tmp_path / "memory.db"))
    database.execute("UPDATE workspace_snapshot SET taken_at = 1")
    database.close()

    assert judged(stored, record, contents) == [
        ("unverifiable", "the row of the snapshot is damaged")
    ]
    stored.close()


@requirement("workspace.damage-is-healed")
def test_a_new_snapshot_repairs_what_a_check_found_damaged(
    kept: Holdfast, work: Path, tmp_path: Path
) -> None:
    (work / "large").write_bytes(os.urandom(900_000))
    name = taken(kept)
    record = cites(kept, name, "large")
    contents = PackedContents(tmp_path / "packs")
    (pack,) = (tmp_path / "packs").glob("*.pack")
    broken = bytearray(pack.read_bytes())
    broken[9] ^= 1
    broken[400_000] ^= 1
    pack.write_bytes(broken)
    assert len(check(kept)) == 1

    assert taken(kept) == name

    assert check(kept) == []
    assert judged(kept, record, contents)[0][0] == "fresh"
    kept.workspaces.restore(RestoreSnapshot(reference=name), into=tmp_path / "out")
    assert (tmp_path / "out" / "large").read_bytes() == (work / "large").read_bytes()

    for one in (tmp_path / "packs").glob("*.pack"):
        one.unlink()
    assert taken(kept) == name
    assert check(kept) == []


@requirement("workspace.artifacts-are-evidence")
@pytest.mark.parametrize("has_verifier", [True, False])
def test_the_verdict_about_an_artifact_follows_its_snapshot(
    kept: Holdfast, tmp_path: Path, *, has_verifier: bool
) -> None:
    name = taken(kept)
    given = Evidence(type=EvidenceType.ARTIFACT, reference=f"{name}/report.md")
    said = Evidence(type=EvidenceType.STATEMENT, reference="I saw it.")
    record = kept.memories.remember(a_claim(given, said)).record
    bare = replace(record, memory=replace(record.memory, evidence=(given, said)))

    def verdicts(one: MemoryRecord) -> list[Verdict]:
        with kept.store.reading() as tx:
            asked = cited([one], repo=None, tx=tx)
        plain = PlainVerifier(kept=PackedContents(tmp_path / "packs"))
        verifier = plain if has_verifier else None
        found = check_evidence(asked, repo=None, at=kept.now(), verifier=verifier)
        return [each.sighting.verdict for each in found.by_memory[one.memory.id]]

    assert verdicts(record) == [Verdict.FRESH if has_verifier else Verdict.UNVERIFIABLE]
    assert verdicts(bare) == [Verdict.UNVERIFIABLE]
    with kept.store.writing(kept.now()) as tx:
        tx.diary.workspaces.snapshots.remove(SnapshotId(name))
    assert verdicts(record) == [Verdict.ORPHANED]


def test_deleted_snapshots_lose_their_content_at_the_next_collection(
    kept: Holdfast, work: Path, tmp_path: Path
) -> None:
    (work / "large").write_bytes(os.urandom(1_000_000))
    name = taken(kept)
    (work / "large").unlink()
    other = taken(kept)
    taken(kept, "the same again")

    kept.workspaces.delete(name)
    rehearsed = kept.workspaces.gc(dry_run=True)
    done = kept.workspaces.gc()

    assert rehearsed.freed == done.freed > 900_000
    assert done.snapshots == 2
    assert sum(one.stat().st_size for one in (tmp_path / "packs").iterdir()) < 10_000
    kept.workspaces.restore(RestoreSnapshot(reference=other), into=tmp_path / "out")
    with pytest.raises(NoSuchError):
        kept.workspaces.show(name)


def test_content_that_was_collected_is_read_again_for_the_next_snapshot(
    kept: Holdfast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.adapters.workspaces.seen_files.RACY_NS", -(10**12))
    name = taken(kept)
    kept.workspaces.delete(name)
    kept.workspaces.gc()

    again = taken(kept)

    kept.workspaces.restore(RestoreSnapshot(reference=again), into=tmp_path / "out")
    assert (tmp_path / "out" / "report.md").read_text(encoding="utf-8") == "done\n"


@requirement("workspace.damage-is-reported")
def test_a_check_names_the_snapshots_whose_content_is_damaged(
    kept: Holdfast, work: Path, tmp_path: Path
) -> None:
    assert check(kept) == []
    names = [taken(kept, f"note {number}") for number in range(7)]
    (work / "more").write_bytes(os.urandom(300_000))
    last = taken(kept)
    assert check(kept) == []
    packs = sorted((tmp_path / "packs").glob("*.pack"), key=lambda one: one.stat().st_mtime_ns)

    packs[-1].write_bytes(packs[-1].read_bytes().replace(b"HFPACK1", b"BROKEN1"))
    (broken,) = check(kept)
    assert last in broken
    for pack in packs:
        pack.unlink(missing_ok=True)
    (all_broken,) = check(kept)

    assert "Content of 8 snapshots is missing or damaged" in all_broken
    assert "and 3 more" in all_broken
    assert names[0] in all_broken
    with pytest.raises(ContentDamagedError):
        kept.workspaces.gc()


def check(app: Holdfast) -> list[str]:
    found = app.upkeep.check(lambda *_: None)
    return [one.message for one in found if one.check == "snapshots"]


def test_the_content_of_other_machines_is_not_missed_here(kept: Holdfast, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "work").mkdir(parents=True)
    there = replace(kept, attachments=OnDisk(elsewhere, host="mars"))
    name = taken(there)
    here = replace(kept, attachments=OnDisk(tmp_path, host="pluto"))
    taken(here)

    assert here.workspaces.gc().snapshots == 1
    assert check(here) == []
    with pytest.raises(ContentDamagedError, match="not stored on this machine"):
        here.workspaces.show(name)


def test_a_machine_that_serves_others_keeps_no_folders(holdfast: Holdfast) -> None:
    serving = replace(holdfast, attachments=Serving())

    assert check(serving) == check(holdfast) == []
    with pytest.raises(NoWorkspacesError):
        serving.workspaces.list()
    with pytest.raises(NoHistoryError):
        replace(holdfast, attachments=None).workspaces.list()


def test_names_that_are_no_text_are_kept_exactly(kept: Holdfast, work: Path) -> None:
    odd = os.fsdecode(b"odd-\xff")
    (work / odd).write_bytes(b"x")
    (work / f"{odd}.pem").write_bytes(b"x")

    name = taken(kept)

    assert odd in paths(kept, name)
    with kept.store.reading() as tx:
        (workspace,) = tx.diary.workspaces.every()
        assert "odd-\\udcff" in [one.path for one in tx.diary.workspaces.files(workspace.id)]
        (omitted,) = tx.diary.workspaces.snapshots.get(SnapshotId(name)).omitted
    assert omitted.path == "odd-\\udcff.pem"


def test_a_snapshot_of_another_machine_is_restored_only_into_a_named_folder(
    kept: Holdfast, tmp_path: Path
) -> None:
    there = replace(kept, attachments=OnDisk(tmp_path, host="there"))
    name = taken(there)

    with pytest.raises(SnapshotElsewhereError, match="on the machine there"):
        restored(kept, name)

    done = kept.workspaces.restore(RestoreSnapshot(reference=name), into=tmp_path / "out")
    assert done.into == str(tmp_path / "out")
    assert kept.workspaces.delete(name, dry_run=True).id == name
    assert kept.workspaces.show(name).snapshot.id == name


@requirement("workspace.artifacts-are-evidence")
def test_a_brief_check_neither_waits_nor_reads_large_files(
    kept: Holdfast, work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = taken(kept)
    contents = PackedContents(tmp_path / "packs")
    given = Evidence(type=EvidenceType.ARTIFACT, reference=f"{name}/report.md")
    (evidence,) = kept.memories.remember(a_claim(given)).record.memory.evidence
    snapshots = {name: kept.workspaces.show(name).snapshot}

    def brief() -> Sighting:
        return ArtifactReader(snapshots, contents, is_brief=True).checked(evidence).sighting

    assert brief().verdict is Verdict.FRESH
    with PackedContents(tmp_path / "packs")._locked(shared=False):
        busy = brief()
    assert busy.verdict is Verdict.UNVERIFIABLE
    assert "was not read" in busy.how
    monkeypatch.setattr("holdfast.usecases.anchors.artifacts._BRIEF_BYTES", 5)
    reader = ArtifactReader(snapshots, contents, is_brief=True)
    twice = [reader.checked(evidence).sighting.verdict for _ in range(2)]
    assert twice == [Verdict.FRESH, Verdict.FRESH]
    monkeypatch.setattr("holdfast.usecases.anchors.artifacts._BRIEF_BYTES", 4)
    assert brief().how == "it is too large to check here; 'verify' reads it"
    whole = ArtifactReader(snapshots, contents).checked(evidence).sighting
    assert whole.verdict is Verdict.FRESH


@requirement("agent.workspace-restored")
def test_what_a_tool_left_counts_even_if_the_clock_is_set_back_meanwhile(
    kept: Holdfast, work: Path, clock: FixedClock
) -> None:
    opening = kept.agents.open(OpenAgent(name="bot"))
    index = kept.agents.begin_cycle(opening).index
    kept.agents.propose(opening, index, ProposeAction(tool="write"))
    kept.agents.track(opening, index, CycleMoment.BEFORE)
    (work / "report.md").write_text("by the tool\n", encoding="utf-8")
    clock.advance(hours=-1)
    after = kept.agents.track(opening, index, CycleMoment.AFTER).snapshot
    kept.agents.finish(opening, index, FinishCycle(summary="written"))

    assert kept.agents.last_kept("bot").id == after.id


@requirement("agent.workspace-restored")
def test_an_agent_whose_cycles_kept_nothing_is_told_so(kept: Holdfast) -> None:
    kept.agents.open(OpenAgent(name="bot"))

    with pytest.raises(NothingKeptError, match="No complete cycle of bot kept a snapshot"):
        kept.agents.last_kept("bot")
