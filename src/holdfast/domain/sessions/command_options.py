"""Read the words of a command in one form, so that two spellings of it can be compared.

``git push origin main -f`` and ``git push --force origin main`` have the same words and the same
options. The table has the short and long forms of well-known programs; the options of any other
program are compared as they are written, and short ones letter by letter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.sessions.option_table import Options, known_options
from holdfast.domain.sessions.program_name import name_and_version, program_name
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ALIASES = {"pip3": "pip", "tofu": "terraform"}
_COMPOSE = "docker-compose"
_SAME_WORDS = {
    "npm": {"i": "install", "add": "install", "in": "install", "un": "uninstall", "t": "test",
            "rm": "uninstall", "remove": "uninstall", "run-script": "run"},
    "pnpm": {"i": "install", "rm": "remove", "un": "remove", "uninstall": "remove"},
    "docker": {"image rm": "rmi", "container rm": "rm", "container run": "run",
               "container exec": "exec", "image build": "build", "image push": "push"},
}  # fmt: skip
_WHOLE_WORDS = frozenset({
    *("find", "go", "java", "javac", "terraform", "ffmpeg", "convert", "magick", "openssl", "gcc"),
    *("clang", "xcodebuild", "packer", "nomad", "consul", "dig", "ld", "msbuild", "mvn"),
})  # fmt: skip
"""Programs whose options with one dash are words, not letters."""
_LONGEST_CLUSTER = 5
_FORCED = "+"


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """A command in one form: its program, its words, and its options with their values."""

    program: str
    version: str = ""
    """The version in the name of the program, as in ``python3.11``."""
    words: tuple[str, ...]
    options: frozenset[tuple[str, str | None]]

    def has(self, option: tuple[str, str | None]) -> bool:
        """Tell whether the command has an option; a wanted value must be the same."""
        name, value = option
        return option in self.options or (
            value is None and any(one == name for one, _ in self.options)
        )


def invocation(words: Sequence[str], *, valued: frozenset[str] = frozenset()) -> Invocation:
    """Return a command in one form; ``valued`` are further long options with a value."""
    program, version = _named(words[0])
    rest = list(words[1:])
    if program == _COMPOSE:
        program, rest = "docker", ["compose", *rest]
    known = known_options(program) | {name: ((name,), True) for name in valued}
    given, options = _read(program, rest, known)
    for count in (1, 2):
        # The options of a subcommand show which words are values, and so what comes next.
        known |= known_options(" ".join((program, *given[:count])))
        given, options = _read(program, rest, known)
    if program == "git" and given[:1] == ["push"]:
        # A reference after a plus sign is pushed by force.
        if any(word.startswith(_FORCED) for word in given[1:]):
            options.add(("--force", None))
        given = [word.removeprefix(_FORCED) for word in given]
    return Invocation(
        program=program,
        version=version,
        words=tuple(_named_alike(program, given)),
        options=frozenset(options),
    )


def program_names(word: str) -> tuple[str, ...]:
    """Return the names under which a claim may speak of a program."""
    name, usual = program_name(word), _named(word)[0]
    others = [one for one, meant in _ALIASES.items() if meant == usual]
    if usual == "docker":
        others.append(_COMPOSE)
    named = "docker" if usual == _COMPOSE else usual
    return tuple(dict.fromkeys((name, *others, named)))


def _named(word: str) -> tuple[str, str]:
    """Return the usual name of a program, and the version if a rule may mean only that one."""
    name = program_name(word)
    return (_ALIASES[name], "") if name in _ALIASES else name_and_version(word)


def _named_alike(program: str, words: list[str]) -> list[str]:
    """Return the words of a command with the usual name of its subcommand."""
    same = _SAME_WORDS.get(program, {})
    for count in (2, 1):
        if (usual := same.get(" ".join(words[:count]))) is not None:
            return [usual, *words[count:]]
    return words


def _read(
    program: str, rest: Sequence[str], known: Options
) -> tuple[list[str], set[tuple[str, str | None]]]:
    words: list[str] = []
    options: set[tuple[str, str | None]] = set()
    queue = list(rest)
    while queue:
        word = queue.pop(0)
        if word == "--":
            return words + queue, options
        if not word.startswith("-") or word == "-":
            words.append(word)
            continue
        for name, value in _split(program, word, known):
            meant, takes_value = known.get(name, ((name,), False))
            is_next = takes_value and value is None and bool(queue)
            held = queue.pop(0) if is_next else value
            options.update((one, held) for one in meant)
    return words, options


def _split(program: str, word: str, known: Options) -> Iterator[tuple[str, str | None]]:
    """Yield the options of one word: ``-rf`` is two, ``-nprod`` may be one with its value."""
    name, equals, value = word.partition("=")
    single = f"-{word.lstrip('-')}" if program in _WHOLE_WORDS else ""
    if single:
        name, equals, value = single.partition("=")
    if word in known or name in known or single or word.startswith("--"):
        yield (word, None) if word in known else (name, value if equals else None)
        return
    letters = word[1:]
    is_cluster = letters.isalnum() and any(f"-{letter}" in known for letter in letters)
    if not letters.isalpha() and not is_cluster and f"-{letters[0]}" not in known:
        yield name, value if equals else None
        return
    if len(letters) > _LONGEST_CLUSTER and not known:
        yield word, None
        return
    for place, letter in enumerate(letters):
        option = f"-{letter}"
        if known.get(option, ((), False))[1]:
            yield option, letters[place + 1 :].removeprefix("=") or None
            return
        yield option, None
