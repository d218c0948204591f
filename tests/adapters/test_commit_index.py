"""Commits as evidence: read from real repositories, and found again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from holdfast.adapters.code.history import commits
from holdfast.adapters.code.history.commits import CommitIndex
from holdfast.adapters.code.index.refresh_lock import RefreshLock
from holdfast.adapters.git.reading.log import GitLog
from holdfast.bootstrap.plugs.code import history_index
from holdfast.domain.choices import PassageKind
from holdfast.domain.code.commits import CommitsFound, CommitsRead, Touched
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.lookup_errors import NoHistoryError, NothingCommittedError
from holdfast.domain.recall.bundle import Passage
from holdfast.ports.recall.code import HistoryIndex
from tests.adapters.histories import Scene, lines
from tests.adapters.test_code_meaning import TopicModel
from tests.requirements import requirement


class Index:
    """An index over a scene, with its database beside the repository."""

    def __init__(self, scene: Scene) -> None:
        self.database = scene.folder.parent / "history" / "commits.db"
        self.kept = CommitIndex(GitLog(scene.folder), lambda: self.database)
        self.steps: list[tuple[int, int]] = []

    def refresh(self, since: datetime | None = None) -> int:
        return self.read(since).total

    def read(self, since: datetime | None = None) -> CommitsRead:
        return self.kept.refresh(lambda done, total: self.steps.append((done, total)), since=since)

    def titles(self, question: str) -> list[str]:
        return [passage.title for passage in self.search(question, limit=5)]

    def first(self, question: str) -> Passage:
        return self.search(question, limit=1)[0]

    def search(self, question: str, *, limit: int) -> Sequence[Passage]:
        """Return what is found, where commits were read."""
        return self.answer(question, limit=limit).passages

    def answer(self, question: str, *, limit: int = 5, at: str | None = None) -> CommitsFound:
        """Return what is found and how much was searched, where commits were read."""
        found = self.kept.search(question, limit=limit, at=at)
        assert found is not None
        return found


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    made = Scene(tmp_path / "app")
    made.commit("Say hello", app_py=lines(*range(1, 31)))
    changed = lines(*range(1, 31)).replace("line 12\n", "line twelve\nand more\n")
    made.commit(
        "Retry thrice before giving up\n\nThe payment gateway drops one call in fifty.",
        app_py=changed,
        lib__retryPolicy_py="retries = 3\n",
    )
    made.commit("Mend a typo", readme="read me\n")
    return made


@pytest.fixture
def index(scene: Scene) -> Index:
    made = Index(scene)
    made.refresh()
    return made


@requirement("history.found-not-remembered")
def test_a_question_finds_the_commit_that_decided_it(scene: Scene, index: Index) -> None:
    found = index.first("why do we retry when the payment gateway drops a call?")

    assert found.kind is PassageKind.HISTORY
    assert found.reference == scene.head("HEAD~1")[:12]
    assert found.title == "Retry thrice before giving up"
    assert found.text == (
        "2025-10-09 Retry thrice before giving up\nThe payment gateway drops one call in fifty."
    )
    assert found.beside == ("app.py", "lib/retryPolicy.py")
    assert found.score == pytest.approx(sum(reason.amount for reason in found.reasons))
    assert "gateway" in found.reasons[0].note


@requirement("recall.as-of-history")
def test_as_of_a_commit_only_those_that_lead_to_it_are_found(scene: Scene, index: Index) -> None:
    scene.git("checkout", "-q", "-b", "aside", "HEAD~2")
    scene.commit("Retry the gateway aside", aside_py="aside\n")
    index.refresh()
    scene.git("checkout", "-q", "main")

    def titles(question: str, at: str) -> list[str]:
        found = index.answer(question, at=scene.head(at))
        return [passage.title for passage in found.passages]

    assert titles("retry the gateway", "main~2") == []
    assert titles("retry the gateway", "main~1") == ["Retry thrice before giving up"]
    assert titles("retry the gateway", "aside") == ["Retry the gateway aside"]
    assert titles("app.py", "main~2") == ["Say hello"]
    assert index.titles("retry the gateway") == ["Retry thrice before giving up"]


def test_words_inside_identifiers_and_paths_are_found(index: Index) -> None:
    assert index.titles("policy") == ["Retry thrice before giving up"]
    assert index.titles("retryPolicy") == ["Retry thrice before giving up"]


def test_a_named_file_and_line_speak_for_the_commits_that_wrote_them(index: Index) -> None:
    found = {one.title: one for one in index.search("app.py:13", limit=5)}
    legs = {title: [reason.leg for reason in one.reasons] for title, one in found.items()}

    assert "lines" in legs["Retry thrice before giving up"]
    assert legs["Say hello"].count("path") == 1
    assert "Mend a typo" not in legs
    assert index.titles("nowhere/app.py:13") != []


@requirement("recall.query-is-never-syntax")
@pytest.mark.parametrize(
    "question",
    [
        "",
        "   ",
        '"',
        "retry AND (",
        "subject:retry",
        "* OR NEAR(",
        "\0",
        "🌊",
        "why is it so",
        "x" * 90_000,
    ],
)
def test_any_question_gets_an_answer(index: Index, question: str) -> None:
    found = index.search(question, limit=3)

    assert len(found) <= 3
    assert index.search("retry", limit=0) == ()


@requirement("history.says-how-it-is-read")
def test_where_nothing_was_read_there_is_no_answer(scene: Scene) -> None:
    assert Index(scene).kept.search("retry", limit=5) is None


@requirement("code.answers-before-all-is-read")
def test_nobody_waits_long_for_another_process_that_reads_commits(
    scene: Scene, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commits, "PATIENCE_SECONDS", 0.0)
    scene.commit("Retry once more")

    with RefreshLock(index.database).taken(within_seconds=0):
        meanwhile = index.answer("retry")

    assert [one.title for one in meanwhile.passages] == ["Retry thrice before giving up"]
    assert (meanwhile.commits, meanwhile.unread) == (3, 1)
    assert len(index.titles("retry")) == 2


def test_progress_ends_with_all_of_them(index: Index) -> None:
    assert index.steps == [(0, 3), (3, 3)]
    assert index.refresh() == 3
    assert index.steps[2:] == [(0, 0)]


@requirement("history.says-what-is-new")
def test_reading_again_tells_what_is_new_and_what_is_known(scene: Scene) -> None:
    index = Index(scene)

    first, again = index.read(), index.read()
    scene.commit("Cache the tariff table", tariff_py="x\n")
    later = index.read()

    assert [(one.total, one.new, one.known) for one in (first, again, later)] == [
        (3, 3, 0),
        (3, 0, 3),
        (4, 1, 3),
    ]


@requirement("history.matches-the-checkout")
def test_new_commits_are_found_without_asking_for_it(scene: Scene, index: Index) -> None:
    scene.commit("Cache the tariff table", tariff_py="x\n")

    assert index.titles("tariff") == ["Cache the tariff table"]
    assert index.refresh() == 4


@requirement("history.matches-the-checkout")
def test_only_commits_that_lead_to_the_checkout_are_found(scene: Scene, index: Index) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    scene.commit("Cache the tariff table", tariff_py="x\n")
    assert index.titles("tariff") == ["Cache the tariff table"]

    scene.git("checkout", "-q", "main")
    assert index.titles("tariff") == []
    assert index.refresh() == 3

    scene.git("checkout", "-q", "feature")
    assert index.titles("tariff") == ["Cache the tariff table"]


@requirement("history.matches-the-checkout")
def test_a_commit_that_was_rewritten_away_leaves_no_words(scene: Scene, index: Index) -> None:
    scene.commit("Zanzibar is the new codename", a="a\n")
    assert index.titles("zanzibar") == ["Zanzibar is the new codename"]

    scene.git("commit", "-q", "--amend", "-m", "Use the new codename")
    scene.git("reflog", "expire", "--expire=now", "--all")
    scene.git("gc", "-q", "--prune=now")

    assert index.titles("zanzibar") == []
    assert index.titles("codename") == ["Use the new codename"]
    scene.git("checkout", "-q", "--detach", "HEAD~1")
    assert index.refresh() == 3


def test_commits_before_a_moment_are_left_out_until_an_earlier_one_is_named(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "app")
    scene.commit("Early", a="a\n")
    scene.wait(minutes=60)
    scene.commit("Late", b="b\n")
    index = Index(scene)

    moment = datetime(2025, 10, 9, 9, 30, tzinfo=UTC)

    assert index.refresh(since=moment) == 1
    assert index.titles("early") == []
    assert index.read() == CommitsRead(total=1, new=0, since=moment)
    assert index.refresh(since=datetime(1800, 1, 1, tzinfo=UTC)) == 2
    assert index.titles("early") == ["Early"]
    assert index.read() == CommitsRead(total=2, new=0)


@requirement("history.limit-is-kept")
def test_the_limit_outlives_the_database_and_applies_to_every_branch(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "app")
    scene.commit("Say hello", a="a\n")
    scene.git("branch", "old")
    scene.commit("Start", b="b\n")
    scene.wait(minutes=60)
    scene.commit("Late", b="c\n")
    scene.git("checkout", "-q", "old")
    index = Index(scene)
    moment = datetime(2025, 10, 9, 9, 30, tzinfo=UTC)
    assert index.refresh(since=moment) == 0
    index.kept.close()
    index.database.unlink()

    scene.git("checkout", "-q", "main")

    assert index.titles("start late hello") == ["Late"]
    assert index.read() == CommitsRead(total=1, new=0, since=moment)
    assert titles(index.answer("start late hello", at=scene.head("old"))) == []
    assert titles(index.answer("start late hello", at=scene.head("HEAD~1"))) == []
    scene.git("checkout", "-q", "old")
    assert index.answer("hello") == CommitsFound()


@requirement("gate.secret-refused")
def test_secrets_and_hidden_characters_in_messages_are_not_kept(scene: Scene, index: Index) -> None:
    secret = "ghp_" + "".join(reversed("A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"))
    scene.commit(f"Rotate the key\n\nThe old one was {secret}, hidden\u200btoo.", a="a\n")

    found = index.first("rotate the key")

    assert secret not in found.text
    assert "[secret removed" in found.text
    assert "hiddentoo" in found.text
    index.kept.close()
    kept = b"".join(path.read_bytes() for path in index.database.parent.iterdir())
    assert secret.encode() not in kept


def test_a_merge_has_its_message_and_no_files(scene: Scene, index: Index) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    scene.commit("Add the tariff", tariff_py="x\n")
    scene.git("checkout", "-q", "main")
    scene.commit("Go on", b="b\n")
    scene.git("merge", "-q", "--no-ff", "-m", "Merge the quokka work", "feature")

    found = index.first("quokka")

    assert (found.title, found.beside) == ("Merge the quokka work", ())


@requirement("store.derived-damage-noticed")
def test_a_damaged_or_foreign_database_is_filled_again_by_the_next_question(
    scene: Scene, index: Index
) -> None:
    index.kept.close()
    index.database.write_bytes(b"rubbish" * 1_000)

    assert index.titles("retry") == ["Retry thrice before giving up"]
    assert index.refresh() == 3
    assert index.titles("retry") == ["Retry thrice before giving up"]


def test_without_a_place_for_it_the_index_lives_in_memory(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    index = CommitIndex(GitLog(scene.folder), lambda: tmp_path / "file" / "commits.db")

    assert index.refresh(lambda *_: None).total == 3
    found = index.search("payment", limit=5)
    assert found is not None
    assert [one.title for one in found.passages] == ["Retry thrice before giving up"]


def test_an_interrupted_reading_goes_on(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdfast.adapters.code.history.commits._AT_ONCE", 1)
    index = Index(scene)

    def stop(done: int, _total: int) -> None:
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index.kept.refresh(stop)

    assert index.refresh() == 3
    assert index.steps == [(0, 2), (1, 2), (2, 2)]


@requirement("history.says-how-much-is-read")
def test_of_very_many_new_commits_a_search_reads_the_newest_first(
    scene: Scene, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commits, "MOST_ON_THE_WAY", 1)
    scene.commit("Add the quokka", a="a\n")
    scene.commit("Feed the quokka", a="b\n")

    first, second = index.answer("quokka"), index.answer("quokka")

    assert titles(first) == ["Feed the quokka"]
    assert (first.commits, first.unread) == (4, 1)
    assert set(titles(second)) == {"Add the quokka", "Feed the quokka"}
    assert (second.commits, second.unread) == (5, 0)


@requirement("history.says-how-much-is-read")
def test_a_removed_database_is_read_again_newest_first(
    scene: Scene, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commits, "MOST_ON_THE_WAY", 1)
    index.kept.close()
    index.database.unlink()

    counts = [(one.commits, one.unread) for one in (index.answer("typo") for _ in range(4))]

    assert counts == [(1, 2), (2, 1), (3, 0), (3, 0)]
    assert index.titles("typo") == ["Mend a typo"]


def add_two_on_a_branch(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    scene.commit("Add the quokka", a="a\n")
    scene.commit("Feed the quokka", a="b\n")


@requirement("history.matches-the-checkout")
def test_what_was_read_in_part_is_not_found_from_another_branch(
    scene: Scene, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commits, "MOST_ON_THE_WAY", 1)
    add_two_on_a_branch(scene)
    assert index.titles("quokka") == ["Feed the quokka"]

    scene.git("checkout", "-q", "main")

    assert index.titles("quokka") == []
    assert index.answer("quokka").unread == 0


@requirement("history.says-how-much-is-read")
def test_as_of_a_commit_on_another_branch_its_commits_are_read_too(
    scene: Scene, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commits, "MOST_ON_THE_WAY", 1)
    add_two_on_a_branch(scene)
    there = scene.head()
    scene.git("checkout", "-q", "main")

    first, second = (index.answer("quokka", at=there) for _ in range(2))

    assert (titles(first), first.unread) == (["Feed the quokka"], 1)
    assert set(titles(second)) == {"Add the quokka", "Feed the quokka"}
    assert second.unread == 0
    assert index.titles("quokka") == []


def test_outside_a_repository_and_before_the_first_commit_it_says_so(tmp_path: Path) -> None:
    nowhere: HistoryIndex = CommitIndex(GitLog(tmp_path), lambda: tmp_path / "x.db")
    with pytest.raises(NoHistoryError):
        nowhere.refresh(lambda *_: None)

    empty: HistoryIndex = Index(Scene(tmp_path / "empty")).kept
    with pytest.raises(NothingCommittedError):
        empty.search("anything", limit=3)


def test_a_repository_git_cannot_read_is_told_in_gits_words(scene: Scene) -> None:
    for one in (scene.folder / ".git" / "objects").rglob("*"):
        if one.is_file():
            one.unlink()

    with pytest.raises(OutsideUnavailableError, match="git reported an error"):
        Index(scene).refresh()
    with pytest.raises(OutsideUnavailableError, match="git reported an error"):
        GitLog(scene.folder).stories([scene.git("rev-parse", "HEAD")])


def test_the_index_of_a_folder_is_kept_with_the_store(scene: Scene, tmp_path: Path) -> None:
    index = history_index(home=tmp_path / "home", folder=scene.folder)

    assert index.refresh(lambda *_: None).total == 3
    index.close()
    assert list((tmp_path / "home" / "cache").rglob("*.db"))


def test_stories_tell_files_and_lines_whatever_their_names(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "app")
    scene.commit("Start", app_py="a\nb\nc\nd\n")
    odd = 'with space and "quotes" é.txt'
    (scene.folder / odd).write_text("++ looks like a header\n-- b/app.py\n@@ -1 +1 @@\n")
    (scene.folder / "picture").write_bytes(b"\0\1")
    scene.commit("Change\n\ndiff --git a/x b/x\n@@ -1 +1 @@", app_py="a\nB\nC\nd\ne\n")
    scene.git("mv", "app.py", "moved.py")
    scene.commit("Move")
    scene.commit("Cut", moved_py="a\nd\ne\n")
    names = [scene.head(f"HEAD~{back}") for back in (2, 1, 0)]

    change, move, cut = GitLog(scene.folder).stories(names)

    assert [one.id for one in (change, move, cut)] == names
    assert set(change.touched) == {
        Touched(path="app.py", lines=((2, 3), (5, 5))),
        Touched(path=odd, lines=((1, 3),)),
        Touched(path="picture"),
    }
    assert (change.subject, change.body) == ("Change", "diff --git a/x b/x\n@@ -1 +1 @@")
    assert move.touched == (Touched(path="moved.py"),)
    assert cut.touched == (Touched(path="moved.py", lines=((1, 1),)),)


def test_the_settings_of_whoever_asks_change_nothing(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [scene.head()]
    plain = GitLog(scene.folder).stories(names)
    settings = {"diff.noprefix": "true", "log.showSignature": "true", "color.ui": "always"}
    settings |= {"diff.external": "false", "log.decorate": "full", "diff.renames": "false"}
    monkeypatch.setenv("GIT_CONFIG_COUNT", str(len(settings)))
    for place, (name, value) in enumerate(settings.items()):
        monkeypatch.setenv(f"GIT_CONFIG_KEY_{place}", name)
        monkeypatch.setenv(f"GIT_CONFIG_VALUE_{place}", value)

    assert GitLog(scene.folder).stories(names) == plain
    assert GitLog(scene.folder).stories([]) == ()


@requirement("history.partial-clone-is-read")
@pytest.mark.parametrize(("lacking", "touched"), [("blob:none", ["app.py"]), ("tree:0", [])])
def test_a_partial_clone_tells_what_it_has(
    tmp_path: Path, lacking: str, touched: list[str]
) -> None:
    scene = Scene(tmp_path / "app")
    scene.commit("Say one", app_py="one\n")
    scene.commit("Say two", app_py="two\n")
    scene.git("config", "uploadpack.allowFilter", "true")
    there = tmp_path / "partial"
    origin = f"file://{scene.folder}"
    scene.git("clone", "-q", f"--filter={lacking}", "--no-checkout", origin, str(there))
    log = GitLog(there)

    stories = log.stories(log.leading_to(log.head(), most=5))

    assert [story.message for story in stories] == ["Say two", "Say one"]
    assert [one.path for one in stories[0].touched] == touched


@requirement("store.derived-damage-noticed")
def test_any_flipped_bit_of_the_file_is_noticed_and_changes_no_answer(
    scene: Scene, index: Index
) -> None:
    questions = ("retry payment gateway", "app.py:13", "typo")
    expected = [index.search(question, limit=5) for question in questions]
    index.kept.close()
    whole = index.database.read_bytes()
    answers = []

    for number in range(60):
        hurt = bytearray(whole)
        hurt[number * len(hurt) // 60 + number] ^= 1 << number % 8
        index.database.write_bytes(hurt)
        again = Index(scene)
        answers.append([again.search(question, limit=5) for question in questions])
        again.kept.close()

    assert all(given == expected for given in answers)


def titles(answer: CommitsFound | None) -> list[str]:
    return [one.title for one in answer.passages] if answer else []


@requirement("history.by-meaning")
def test_the_best_commits_are_ordered_by_their_meaning_too(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "app")
    scene.commit("Keep a password from the logs", app_py="a = 1\n")
    scene.commit("Fix the logs\n\nThe logs of the logs were late.", app_py="a = 2\n")
    question, model = "how are credentials protected in the logs", TopicModel()
    plain = Index(scene)
    plain.refresh()
    by_words = plain.titles(question)
    index = CommitIndex(GitLog(scene.folder), lambda: plain.database, lambda: model)

    answer = index.search(question, limit=5)

    assert answer is not None
    found = answer.passages
    assert by_words[0] == "Fix the logs"
    assert found[0].title == "Keep a password from the logs"
    assert found[0].likeness > 0.5
    assert found[0].reasons[-1].leg == "meaning"
    assert found[0].score == pytest.approx(sum(one.amount for one in found[0].reasons))
    assert titles(index.search(question, limit=0)) == []
    long = f"{question} {'and the logs ' * 20}"
    assert titles(index.search(long, limit=5)) == plain.titles(long)
    model.is_broken = True
    assert titles(index.search(question, limit=5)) == by_words
    index.close()
