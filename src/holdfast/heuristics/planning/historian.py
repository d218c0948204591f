"""Reads commits and conversations: a summary, signs of finished tasks, and claims to propose."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from holdfast.domain.sessions.session import MOST_PROPOSED
from holdfast.domain.sessions.transcript import Speaker, Transcript, Turn
from holdfast.domain.text.counting import counted
from holdfast.heuristics.planning.lasting import STANDS, is_lasting
from holdfast.heuristics.planning.titles import SAME, content, spelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.domain.sessions.session import Proposal

_MOST_CLAIMS = 20
_MOST_OF_COMMIT = 2
_MOST_READ = 20
_MOST_SIGNS = 50
_MOST_BODIES = 2_000
_SHOWN_SUBJECTS = 5
_SHOWN_TOPICS = 5
_FEWEST_WORDS = 2
_LONGEST_QUOTE = 1_000
_TASK = re.compile(
    r"\b(?:done|closes?|closed|fix(?:es|ed)?|finish(?:es|ed)?)\W+(t_\w{4,})", re.IGNORECASE
)
# A line end inside a paragraph of a message is where an editor wrapped it.
_WRAPPED = re.compile(r"(?<=[^\s])\n(?=[^\s*+>#|\d-])(?![A-Z][\w-]*: )")
# What git and code hosts write for a merge says nothing about the work.
_MERGE = re.compile(
    r"Merge (?:pull request #|branch |branches |remote-tracking |tag |commit |changes from )"
)
# A code host appends the number of the pull request to a subject.
_NUMBER = re.compile(r"(?: \(#\d+\))+$")
_COMMIT = -1
_SPEAKERS = {one.value: one for one in Speaker}


def history(inputs: Mapping[str, object]) -> dict[str, object]:
    """Return the summary, the signs and the claims of what was read."""
    commits = [_object(one) for one in _items(inputs.get("commits"))]
    talks = [_object(one) for one in _items(inputs.get("transcripts"))]
    tasks = [_object(one) for one in _items(inputs.get("tasks"))]
    claims = [*_from_talks(talks), *_from_commits(commits)]
    claims.sort(key=lambda one: -float(str(one["confidence"])))
    return {
        "summary": [*_told(commits), *_heard(talks)],
        "done": _signs(commits, tasks),
        "claims": claims[:_MOST_CLAIMS],
        "notes": [],
    }


def _told(commits: Sequence[Mapping[str, object]]) -> list[str]:
    """Return lines about commits, which come newest first."""
    if not commits:
        return []
    days = [str(one.get("at", ""))[:10] for one in commits]
    topics = _topics(_subject(one) for one in commits)
    span = days[0] if min(days) == max(days) else f"{min(days)} to {max(days)}"
    about = f"; most about {', '.join(topics)}" if topics else ""
    return [
        f"{counted(len(commits), 'commit')}, {span}{about}",
        *(f"{str(one.get('id', ''))[:12]} {_subject(one)}" for one in commits[:_SHOWN_SUBJECTS]),
    ]


def _topics(subjects: Iterable[str]) -> list[str]:
    """Return what most commits are about, in the spelling that they use most."""
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for subject in subjects:
        if not _MERGE.match(subject):
            for stemmed, word in spelled(subject).items():
                forms[stemmed][word] += word.isalpha()
    ranked = sorted(forms.values(), key=lambda one: -one.total())[:_SHOWN_TOPICS]
    return [one.most_common(1)[0][0] for one in ranked if one.total() > 1]


def _heard(talks: Sequence[Mapping[str, object]]) -> list[str]:
    tools = Counter(str(one.get("tool", "")) for one in talks)
    turns = sum(len(_items(one.get("turns"))) for one in talks)
    if not talks:
        return []
    told = ", ".join(f"{tool} {many}".strip() for tool, many in sorted(tools.items()))
    return [f"conversations: {told}; {counted(turns, 'turn')}"]


def _signs(
    commits: Sequence[Mapping[str, object]], tasks: Sequence[Mapping[str, object]]
) -> list[dict[str, object]]:
    """Return the commits that say that a task is done, the newest of each task."""
    words = {str(task.get("id")): content(str(task.get("title", ""))) for task in tasks}
    by_word: dict[str, list[str]] = defaultdict(list)
    for name, stems in words.items():
        for word in stems:
            by_word[word].append(name)
    found: dict[str, dict[str, object]] = {}
    for commit in commits:
        subject = _subject(commit)
        named = {match[1] for match in _TASK.finditer(str(commit.get("message", "")))}
        for name in (*sorted(named & words.keys()), *_same(content(subject), by_word, words)):
            found.setdefault(
                name, {"task": name, "commit": str(commit.get("id", "")), "says": subject}
            )
        if len(found) >= _MOST_SIGNS:
            break
    return list(found.values())


def _same(
    said: frozenset[str], by_word: Mapping[str, list[str]], words: Mapping[str, frozenset[str]]
) -> list[str]:
    shared = Counter(name for word in said for name in by_word.get(word, ()))
    return sorted(
        name
        for name, many in shared.items()
        if many >= _FEWEST_WORDS and many / len(said | words[name]) >= SAME
    )


def _from_commits(commits: Sequence[Mapping[str, object]]) -> Iterable[dict[str, object]]:
    """Return what holds after a commit; a merge repeats what the merged commits say.

    A commit that was picked onto another branch says the same: the oldest one is the evidence.
    """
    found: dict[str, dict[str, object]] = {}
    read = 0
    for commit in commits:
        subject, _, body = str(commit.get("message", "")).partition("\n")
        text = f"{_NUMBER.sub('', subject.strip())}\n\n{_WRAPPED.sub(' ', body.strip())}".strip()
        if _MERGE.match(subject) or not STANDS.search(text):
            continue
        read += 1
        if read > _MOST_BODIES:
            break
        turn = Turn(number=1, speaker=Speaker.USER, text=text)
        talk = Transcript(tool="git", session=str(commit.get("id", "")), turns=(turn,))
        told = _extracted(talk, limit=_MOST_READ)
        lasting = [one for one in told if is_lasting(one.quote, rule=one.rule)]
        for one in lasting[:_MOST_OF_COMMIT]:
            name = " ".join(_NUMBER.sub("", one.claim).casefold().rstrip(".").split())
            found[name] = _claim(one, source=_COMMIT, commit=str(commit.get("id", "")))
    return found.values()


def _from_talks(talks: Sequence[Mapping[str, object]]) -> Iterable[dict[str, object]]:
    for place, talk in enumerate(talks):
        turns = tuple(_turn(_object(one)) for one in _items(talk.get("turns")))
        read = Transcript(
            tool=str(talk.get("tool", "")), session=str(talk.get("session", "")), turns=turns
        )
        for one in _extracted(read, limit=MOST_PROPOSED):
            yield _claim(one, source=place, commit="")


def _extracted(talk: Transcript, *, limit: int) -> Sequence[Proposal]:
    # The patterns take a tenth of a second to load; most runs have nothing new to read.
    from holdfast.heuristics.extraction.extracting import extract

    return extract(talk, limit=limit)


def _turn(shape: Mapping[str, object]) -> Turn:
    number = shape.get("number")
    return Turn(
        number=number if isinstance(number, int) else 0,
        speaker=_SPEAKERS.get(str(shape.get("speaker")), Speaker.TOOL),
        text=str(shape.get("text", "")),
    )


def _claim(one: Proposal, *, source: int, commit: str) -> dict[str, object]:
    return {
        "claim": one.claim,
        "kind": one.kind.value,
        "quote": one.quote[:_LONGEST_QUOTE],
        "source": source,
        "turn": one.turn,
        "commit": commit,
        "rule": one.rule,
        "confidence": round(one.confidence, 2),
    }


def _subject(commit: Mapping[str, object]) -> str:
    return str(commit.get("message", "")).partition("\n")[0].strip()


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else []
