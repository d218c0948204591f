"""Run tool calls: check the arguments, call the tool, and turn errors into results.

It is imported with the first tool call; a greeting does not need it.

Check a tool's arguments against its schema, and describe what does not fit.

The MCP door's advice for an agent by error code: tools and their arguments.

Advice that only a person can follow says so. A code without an entry has its advice in its message.

The tool with which an agent hands in a finished run; candidates are proposed from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from holdfast.domain.errors import BadFieldError, HoldfastError, StoreDamagedError
from holdfast.domain.fields import Fields
from holdfast.domain.remote_errors import WriteWaitsError
from holdfast.domain.text.outside import words_outside
from holdfast.surfaces.mcp.catalogue import TOOLS
from holdfast.surfaces.mcp.tools import TOOL_BY_NAME, in_words, source_of, structured
from holdfast.surfaces.wire.failures import advised, error_json, outward
from holdfast.surfaces.wire.sessions import handed_in_json

if TYPE_CHECKING:
    from holdfast.app import Holdfast
    from holdfast.surfaces.mcp.protocol import Json
    from holdfast.surfaces.wire.failures import Advice, Facts


_MOST_TOLD = 4
_LONGEST_QUOTE = 60
_TYPES: dict[str, tuple[type, str]] = {
    "boolean": (bool, "true or false"),
    "string": (str, "text"),
    "integer": (int, "a whole number"),
    "array": (list, "a list"),
    "object": (dict, "an object"),
}


def without_nothing(arguments: Json) -> Json:
    """Return the arguments without nulls, because many clients send null for 'not given'."""
    return {name: value for name, value in arguments.items() if value is not None}


class Complaint(NamedTuple):
    """The text about all problems of the arguments, and the first argument with its problem."""

    text: str
    argument: str
    problem: str


def complaint(tool: str, arguments: Json, schema: Json) -> Complaint | None:
    """Return what is wrong with the arguments and what each should be; None if they fit."""
    found = list(_object_problems("", arguments, schema))
    if not found:
        return None
    lines = [f"{tool}: {problem}" for _, problem in found[:_MOST_TOLD]]
    properties = cast("dict[str, Json]", schema["properties"])
    for name in dict.fromkeys(_top(where) for where, _ in found[:_MOST_TOLD]):
        if name in properties:
            lines.append(f"{name}: {properties[name]['description']}")
    return Complaint("\n".join(lines), *found[0])


def _problems(where: str, value: object, schema: Json) -> Iterator[tuple[str, str]]:
    if "anyOf" in schema:
        yield from _choice_problems(where, value, cast("list[Json]", schema["anyOf"]))
        return
    if not _is_of_type(value, schema):
        yield where, f"{_named(where)} must be {_wanted(schema)}; it is {_said(value)}."
        return
    if "enum" in schema and value not in (choices := cast("list[str]", schema["enum"])):
        yield where, f"{_named(where)} must be one of {', '.join(choices)}; it is {_said(value)}."
    yield from _size_problems(where, value, schema)
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _problems(f"{where}[{index}]", item, cast("Json", schema["items"]))
    if isinstance(value, dict):
        yield from _object_problems(f"{where}.", value, schema)


def _object_problems(prefix: str, value: Json, schema: Json) -> Iterator[tuple[str, str]]:
    properties = cast("dict[str, Json]", schema["properties"])
    for name in cast("list[str]", schema["required"]):
        if name not in value:
            yield f"{prefix}{name}", f"{_named(f'{prefix}{name}')} is missing."
    for name, item in value.items():
        if name in properties:
            yield from _problems(f"{prefix}{name}", item, properties[name])
        else:
            where = f"{prefix}{_quoted(name)}"
            yield where, f"there is no argument {where}; there are: {', '.join(properties)}."


def _choice_problems(where: str, value: object, choices: list[Json]) -> Iterator[tuple[str, str]]:
    """Yield the problems with the alternative of the value's type; if none fits, name them all."""
    for choice in choices:
        if _is_of_type(value, choice):
            yield from _problems(where, value, choice)
            return
    wanted = " or ".join(_wanted(choice) for choice in choices)
    yield where, f"{_named(where)} must be {wanted}; it is {_said(value)}."


def _size_problems(where: str, value: object, schema: Json) -> Iterator[tuple[str, str]]:
    least, most, size, noun = _bounds(value, schema)
    verb, state = ("have", "has") if noun else ("be", "is")
    if least is not None and size < least:
        wanted = _amount(least, noun)
        yield where, f"{_named(where)} must {verb} at least {wanted}; it {state} {_number(size)}."
    if most is not None and size > most:
        wanted = _amount(most, noun)
        yield where, f"{_named(where)} must {verb} at most {wanted}; it {state} {_number(size)}."


def _bounds(value: object, schema: Json) -> tuple[int | None, int | None, float, str]:
    """Return the minimum and the maximum, the value's size, and the unit."""
    match value:
        case str():
            return *_limits(schema, "minLength", "maxLength"), len(value), "character"
        case list():
            return *_limits(schema, "minItems", "maxItems"), len(value), "item"
        case int() | float():
            return *_limits(schema, "minimum", "maximum"), value, ""
        case _:
            return None, None, 0, ""


def _amount(count: int, noun: str) -> str:
    plural = "s" if noun and count != 1 else ""
    return f"{count:,} {noun}{plural}".strip()


def _limits(schema: Json, least: str, most: str) -> tuple[int | None, int | None]:
    return cast("int | None", schema.get(least)), cast("int | None", schema.get(most))


def _is_of_type(value: object, schema: Json) -> bool:
    kind, _ = _TYPES[str(schema["type"])]
    if kind is int and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _wanted(schema: Json) -> str:
    return _TYPES[str(schema["type"])][1]


def _named(where: str) -> str:
    return f"the argument '{where}'"


def _top(where: str) -> str:
    return where.split(".", 1)[0].split("[", 1)[0]


def _said(value: object) -> str:
    """Return a value as a message shows it; only text is quoted, as other values may be huge."""
    match value:
        case str():
            return f"'{_quoted(value)}'"
        case bool():
            return "true" if value else "false"
        case None:
            return "null"
        case int() | float():
            return _number(value)
        case list():
            return "a list"
        case _:
            return "an object"


def _number(value: float) -> str:
    return _quoted(f"{value:,}")


def _quoted(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}…"


HOW_TO_GIVE_EVIDENCE = (
    'Give lines of a file ("src/app.py:10-30"), a URL, "commit:<hash>",'
    ' "command:<line you ran>" or the bundle it came from ("c_…").'
)
_A_PERSON = "Ask a person to do it."


def _ready(facts: Facts) -> str:
    """Return what says why nothing can start, or how to add the first task."""
    return "task.list says why." if facts["held"] else "task.add adds one."


def _ids(facts: Facts) -> str:
    """Return the tool that lists ids of that type."""
    if facts["noun"] == "memory":
        return "memory.list returns the ids of memories."
    if facts["noun"] == "task":
        return "task.list returns the ids of tasks."
    return "Omit the argument 'run' to start a new run." if facts["noun"] == "run" else ""


ADVICE: dict[str, Advice] = {
    "agents-word": HOW_TO_GIVE_EVIDENCE,
    "already-decided": _A_PERSON,
    "blank-evidence": HOW_TO_GIVE_EVIDENCE,
    "bad-store-address": _A_PERSON,
    "incomplete-export": "Tell the person; they can repair the store.",
    "may-not": _A_PERSON,
    "needs-person": _A_PERSON,
    "no-evidence": HOW_TO_GIVE_EVIDENCE,
    "no-open-run": "Omit the argument 'run' to start a new run.",
    "no-repository": "Use the scope 'workspace' or 'global'.",
    "not-authenticated": _A_PERSON,
    "not-migrated": _A_PERSON,
    "not-on-remote": _A_PERSON,
    "no-store": "A person has to create it.",
    "no-such-store": "A person has to create it.",
    "no-such": _ids,
    "only-candidate": "A person can reject it in a review.",
    "run-is-over": "Omit the argument 'run' to start a new run.",
    "secret-refused": "Remove the secret and propose the claim without it.",
    "store-damaged": "Tell the person; they can repair it.",
    "proposed-too-fast": "Propose only what will matter later, and ask the person to review.",
    "too-many-waiting": "Propose nothing more, and ask the person to review what waits.",
    "task-claimed": "Take another task: task.update with the action 'claim' and no id.",
    "task-is-done": "A person can reopen it.",
    "task-lease-lost": "Read it with task.list before you go on.",
    "task-waits": "Take another task, or finish those first.",
    "nothing-ready": _ready,
    "unresolved-conflict": _A_PERSON,
}
"""Advice by code."""


def advice(error: HoldfastError) -> str:
    """Return what an agent can do about an error; empty if the message already says it."""
    return advised(error, ADVICE)


def worded(error: HoldfastError) -> str:
    """Return the message of an error with the advice for an agent."""
    return words_outside(f"{error} {advice(error)}", most=_LONGEST_ERROR)


_SCHEMAS = {str(tool["name"]): cast("Json", tool["inputSchema"]) for tool in TOOLS}
ERROR_KEY = "holdfast/error"
"""The key in ``_meta`` of a result for the code and the facts of an error."""
_HANDING_IN, _ABOUT_TASKS, _ABOUT_SESSIONS = "run.finish", "task.", "session."
_LONGEST_ERROR = 4_000
_RETRY = "This may be temporary: try the same call again."


class MemoryOpener(Protocol):
    """Opens the memory and keeps it open."""

    def here(self) -> Holdfast:
        """Return the memory as seen from the current folder and branch."""
        ...

    def release(self) -> None:
        """Close the memory; the next call opens it again."""
        ...


class ToolCalls:
    """Runs tool calls, one after the other."""

    def __init__(self, engine: MemoryOpener) -> None:
        self._engine = engine
        self._warned: set[str] = set()

    def call(self, name: str, arguments: Json, *, client: str) -> Json:
        """Return the result of a tool; an error is a result too."""
        given = without_nothing(arguments)
        if wrong := complaint(name, given, _SCHEMAS[name]):
            return _misused(wrong)
        try:
            return self._warning(self._carry_out(name, given, source_of(client)))
        except HoldfastError as error:
            return self._refused(error)

    def _carry_out(self, name: str, given: Json, source: str) -> Json:
        app = self._engine.here()
        if name.startswith(_ABOUT_TASKS):
            from holdfast.surfaces.mcp.task_tools import TASK_TOOLS

            return structured(TASK_TOOLS[name](app, given, source))
        if name.startswith(_ABOUT_SESSIONS):
            from holdfast.surfaces.mcp.session_tools import SESSION_TOOLS

            return structured(SESSION_TOOLS[name](app, given, source))
        if name != _HANDING_IN:
            return TOOL_BY_NAME[name](app, given, source)

        return structured(finish_run(app, given, source))

    def _warning(self, result: Json) -> Json:
        """Add the problems of the store to a result, each once per session."""
        said = [one for one in self._engine.here().warnings if one not in self._warned]
        self._warned.update(said)
        parts = [{"type": "text", "text": f"warning: {words_outside(one)}"} for one in said]
        return {**result, "content": [*cast("list[Json]", result["content"]), *parts]}

    def close(self) -> None:
        """Close the memory."""
        self._engine.release()

    def _refused(self, error: HoldfastError) -> Json:
        words = worded(error)
        if outward(error).retry:
            self._engine.release()
            if not isinstance(error, StoreDamagedError | WriteWaitsError):
                words = f"{words}\n{_RETRY}"
        # Programs tell errors apart by the code; agents read the text.
        return {**_failed(words), "_meta": {ERROR_KEY: error_json(error, advice(error))}}


def _misused(wrong: Complaint) -> Json:
    """Return the result for arguments that do not fit the schema, with the object of an error."""
    error = BadFieldError(field=wrong.argument, problem=wrong.problem)
    shape = {**error_json(error, advice(error)), "message": wrong.problem}
    return {**_failed(wrong.text), "_meta": {ERROR_KEY: shape}}


def _failed(text: str) -> Json:
    return {**in_words(text), "isError": True}


def finish_run(app: Holdfast, given: Json, source: str) -> Json:
    """Keep a summary as a run and propose candidates from it; a person's open run stays open."""
    runs = app.runs
    fields = Fields(given, noun="run.finish")
    name = fields.maybe_text("run")
    if name is None:
        goal = fields.maybe_text("goal") or ""
        name = runs.start(tool=source, user=source, goal=goal).id
    run = runs.finish(fields.text("summary"), reference=name)
    runs.write_page(run)
    proposed = app.intake.propose_run(run)
    ids = [kept.record.memory.id for kept in proposed.added if kept.record is not None]
    return handed_in_json(run, candidates=ids)
