"""Reading on in transcripts, from where they were read last."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta

from holdfast.domain.memory.entry import Flaw
from holdfast.domain.refusals import UnreadableSourceError
from holdfast.domain.sessions.transcript import Bookmark, Transcript
from holdfast.ports.sessions.transcripts import Tell
from holdfast.usecases.sessions.sessions import ReadTranscripts, TranscriptPart, read_on
from tests.builders import NOON
from tests.requirements import requirement
from tests.unit.test_bookmark import a_talk


@dataclass
class PlainReader:
    """A tool whose transcripts are held in memory; a file that is not there cannot be read."""

    files: dict[str, list[Transcript]]
    flaws: list[Flaw] = field(default_factory=list)
    tool: str = "claude"

    def read(self, path: str) -> Transcript:
        return self.files[path][-1]

    def conversations(self, path: str, *, tell: Tell) -> Iterable[Transcript]:
        for flaw in self.flaws:
            tell(flaw)
        if path not in self.files:
            raise UnreadableSourceError(path, "it is gone.")
        return self.files[path]


@dataclass
class PlainBookmarks:
    """Bookmarks without a disk."""

    marks: dict[str, Bookmark] = field(default_factory=dict)
    unchanged: set[str] = field(default_factory=set)

    def of(self, path: str) -> Bookmark | None:
        return self.marks.get(path)

    def is_unchanged(self, path: str) -> bool:
        return path in self.unchanged

    def put(self, path: str, bookmark: Bookmark) -> None:
        self.marks[path] = bookmark


def heard(
    wish: ReadTranscripts, reader: PlainReader, marks: PlainBookmarks
) -> list[TranscriptPart]:
    return list(read_on(wish, reader=reader, bookmarks=marks))


@requirement("transcripts.read-once")
def test_what_was_read_is_not_heard_again() -> None:
    reader, marks = PlainReader(files={"f": [a_talk("a", "b")]}), PlainBookmarks()
    wish = ReadTranscripts(files=("f",))

    (first,) = heard(wish, reader, marks)
    assert first.bookmark is not None
    marks.put("f", first.bookmark)
    (second,) = heard(wish, reader, marks)
    reader.files["f"] = [a_talk("a", "b", "c")]
    (third,) = heard(wish, reader, marks)
    (again,) = heard(ReadTranscripts(files=("f",), again=True), reader, marks)

    assert len(first.new[0].turns) == 2
    assert (second.new, second.passed) == ((), 1)
    assert [turn.name for turn in third.new[0].turns] == ["a", "b", "c"]
    assert len(again.new) == 1


def test_a_file_that_did_not_grow_is_not_opened() -> None:
    marks = PlainBookmarks(marks={"f": Bookmark()}, unchanged={"f"})

    (found,) = heard(ReadTranscripts(files=("f",)), PlainReader(files={}), marks)

    assert (found.passed, found.flaws) == (1, ())


def test_conversations_of_other_places_and_older_ones_are_passed() -> None:
    talks = [
        a_talk("a", folder="/home/ada/shop/src"),
        a_talk("a", folder="/home/ada/other"),
        a_talk("a"),
    ]
    wish = ReadTranscripts(files=("f",), folder="/home/ada/shop")
    late = ReadTranscripts(files=("f",), since=NOON + timedelta(days=1))
    reader = PlainReader(files={"f": talks})

    (here,) = heard(wish, reader, PlainBookmarks())
    (none,) = heard(late, reader, PlainBookmarks())

    assert [talk.folder for talk in here.new] == ["/home/ada/shop/src", ""]
    assert (none.new, none.passed) == ((), 3)


def test_a_file_that_cannot_be_read_is_told_and_the_others_go_on() -> None:
    flaw = Flaw(path="f", line=3, problem="Broken.")
    reader = PlainReader(files={"g": [a_talk("a")]}, flaws=[flaw])

    bad, good = heard(ReadTranscripts(files=("f", "g")), reader, PlainBookmarks())

    assert [one.problem for one in bad.flaws] == [
        "Broken.",
        "f cannot be read: it is gone. Nothing was imported from it.",
    ]
    assert bad.bookmark is None
    assert len(good.new) == 1
