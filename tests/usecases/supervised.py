"""A supervised memory without a disk: rules in this process, and sources that a test writes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from holdfast.app import Holdfast
from holdfast.domain.checks.change import CommandEnd
from holdfast.domain.choices import Origin
from holdfast.domain.code.commits import CommitRecord
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.domain.memory.callers import Operation
from holdfast.domain.roles.checkout import CheckoutState
from holdfast.domain.roles.precedence import RULES
from holdfast.domain.roles.step import StepWork
from holdfast.domain.sessions.transcript import Speaker, Transcript, Turn, turn_name
from holdfast.heuristics.planning.specialists import rules_answer
from holdfast.ports.roles.specialists import NewTranscript, SpecialistEnd
from holdfast.usecases.roles.role_ports import (
    RoleCaller,
    RolePorts,
    RoleSettings,
    RoleSources,
)
from tests.builders import NOON
from tests.usecases.test_runs import TwoCommits

Answer = Callable[[Mapping[str, object]], object]


@dataclass
class PlainSpecialists:
    """The rules, and the answers that a test gives by name; ``takes`` moves the clock on."""

    choice: dict[StepWork, str] = field(default_factory=dict)
    answers: dict[str, Answer | str] = field(default_factory=dict)
    takes: Callable[[float], None] = lambda _: None
    asked: list[tuple[str, StepWork, float]] = field(default_factory=list)

    def chosen(self, work: StepWork) -> str:
        return self.choice.get(work, RULES)

    def ask(
        self, name: str, work: StepWork, inputs: Mapping[str, object], *, seconds: float
    ) -> SpecialistEnd:
        self.asked.append((name, work, seconds))
        self.takes(seconds)
        given = self.answers.get(name)
        if isinstance(given, str):
            return SpecialistEnd(None, given)
        if given is not None:
            return SpecialistEnd(given(inputs))
        return SpecialistEnd(rules_answer(work, inputs))


@dataclass
class PlainWatch:
    """A checkout that changes when a test says so: after each look the next state counts."""

    states: list[CheckoutState] = field(
        default_factory=lambda: [CheckoutState(branch="main", head="1" * 40)]
    )
    forked: list[tuple[CheckoutState, CheckoutState]] = field(default_factory=list)
    done: str = "the caches were forked"

    def look(self, since: CheckoutState | None = None) -> CheckoutState:
        del since
        return self.states.pop(0) if len(self.states) > 1 else self.states[0]

    def fork(self, before: CheckoutState, now: CheckoutState) -> str:
        self.forked.append((before, now))
        return self.done


@dataclass
class PlainCommits:
    """A history that a test writes, newest first."""

    messages_by_id: dict[str, str] = field(default_factory=dict)
    is_here: bool = True
    is_broken: bool = False
    kept: set[str] = field(default_factory=set)
    gone_names: set[str] = field(default_factory=set)

    def head(self) -> str:
        if not self.is_here:
            raise NoHistoryError
        if self.is_broken:
            raise OutsideUnavailableError(who="git", words="it did not answer")
        return next(iter(self.messages_by_id))

    def leading_to(self, head: str, *, most: int, since: int = 0) -> Sequence[str]:
        del since
        names = list(self.messages_by_id)
        return names[names.index(head) :][:most] if head in names else []

    def between(self, old: str, new: str) -> tuple[Collection[str], Sequence[str]] | None:
        names = list(self.messages_by_id)
        if old not in names:
            return None
        return (), names[names.index(new) : names.index(old)]

    def mentions(self, name: str) -> bool:
        if self.is_broken:
            raise OutsideUnavailableError(who="git", words="it did not answer")
        return name not in self.gone_names

    def messages(self, commits: Sequence[str]) -> Sequence[CommitRecord]:
        if self.is_broken:
            raise OutsideUnavailableError(who="git", words="it did not answer")
        return [
            CommitRecord(id=name, at=NOON, message=self.messages_by_id[name]) for name in commits
        ]


def a_talk(*texts: str, session: str = "s1") -> Transcript:
    """A conversation in which a person says these texts."""
    turns = tuple(
        Turn(number=number, speaker=Speaker.USER, text=text)
        for number, text in enumerate(texts, start=1)
    )
    return Transcript(tool="claude", session=session, turns=turns, source="/talk.jsonl")


def _after(talk: Transcript, name: str | None) -> Transcript:
    """What comes after a turn."""
    names = [turn_name(one) for one in talk.turns]
    begin = 0 if name is None else names.index(name) + 1
    return replace(talk, turns=talk.turns[begin:])


@dataclass
class PlainShelf:
    """Transcripts that a test puts there."""

    talks: list[Transcript] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    marked: list[tuple[str, str, str]] = field(default_factory=list)

    def new(self, *, most: int) -> tuple[Sequence[NewTranscript], Sequence[str]]:
        read = {session: turn for _, session, turn in self.marked}
        rest = [_after(one, read.get(one.session)) for one in self.talks]
        fresh = [NewTranscript("/talk.jsonl", one) for one in rest if one.turns]
        return fresh[:most], self.problems

    def again(self, tool: str, path: str, session: str) -> Transcript | None:
        assert (tool, path) == ("claude", "/talk.jsonl")
        return next((one for one in self.talks if one.session == session), None)

    def mark(self, path: str, session: str, turn: str) -> None:
        self.marked.append((path, session, turn))


@dataclass
class PlainCommands:
    """Commands that a test allows; ``ends`` says how each one ends."""

    texts: dict[str, str] = field(default_factory=dict)
    ends: dict[str, CommandEnd] = field(default_factory=dict)
    ran: list[tuple[str, float]] = field(default_factory=list)
    then: Callable[[], None] = lambda: None

    def allowed(self) -> Mapping[str, str]:
        return self.texts

    def refusal(self, name: str) -> str:
        return "" if name in self.texts else "nobody allowed it"

    def files(self, name: str) -> Sequence[str]:
        assert name in self.texts
        return ()

    def run(self, name: str, *, seconds: float) -> CommandEnd:
        self.ran.append((name, seconds))
        self.then()
        return self.ends.get(name, CommandEnd(exit_code=0, output="fine", is_offline=True))

    def allow(self, name: str, command: str, *, by: str) -> None:
        assert by
        self.texts[name] = command

    def disallow(self, name: str) -> bool:
        return self.texts.pop(name, None) is not None


@dataclass
class PlainWorkers:
    """Processes by name; those in ``dead`` ended."""

    name: str = "here:1:1"
    dead: set[str] = field(default_factory=set)

    def own_name(self) -> str:
        return self.name

    def lives(self, name: str) -> bool:
        return name not in self.dead


@dataclass
class Scene:
    """Everything around a supervised run."""

    holdfast: Holdfast
    specialists: PlainSpecialists = field(default_factory=PlainSpecialists)
    watch: PlainWatch = field(default_factory=PlainWatch)
    commits: PlainCommits = field(
        default_factory=lambda: PlainCommits({"a" * 40: "Start the project"})
    )
    shelf: PlainShelf = field(default_factory=PlainShelf)
    commands: PlainCommands = field(default_factory=PlainCommands)
    workers: PlainWorkers = field(default_factory=PlainWorkers)
    settings: RoleSettings = field(default_factory=RoleSettings)
    reader: TwoCommits = field(default_factory=TwoCommits)
    indexed: list[float] = field(default_factory=list)
    index_note: str = ""

    def index(self, many: float) -> str:
        """Note how long commits may be indexed."""
        self.indexed.append(many)
        return self.index_note

    def ports(self, caller: RoleCaller | None = None) -> RolePorts:
        """Return the ports of this scene, for a person if nobody else is named."""
        holdfast, may = self.holdfast, self.holdfast.principal.may
        usual = RoleCaller(
            name="ada",
            decides=Operation.DECIDE in may,
            runs=Operation.TRUST in may,
            origin=Origin.TOOL,
            most_waiting=50,
        )
        return RolePorts(
            store=holdfast.store,
            clock=holdfast.clock,
            surroundings=holdfast.surroundings,
            verifier=holdfast.verifier,
            heuristics=holdfast.heuristics,
            commit_reader=self.reader,
            specialists=self.specialists,
            watch=self.watch,
            workers=self.workers,
            sources=RoleSources(
                commits=self.commits, shelf=self.shelf, commands=self.commands, index=self.index
            ),
            caller=caller or usual,
            settings=self.settings,
        )


def seconds(many: float) -> timedelta:
    """Return a length of time."""
    return timedelta(seconds=many)
