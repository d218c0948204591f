"""The families of errors, their exit codes, and every error in them."""

from __future__ import annotations

from docs.generator.error_examples import EXAMPLES
from docs.generator.markdown import Page, code, sentence
from holdfast.domain.errors import HoldfastError
from holdfast.surfaces.cli import dispatch, failure, forgetting
from holdfast.surfaces.cli.advising.advice import worded
from holdfast.surfaces.cli.verbs.care import doctor
from holdfast.surfaces.http.problems import ADVICE as HTTP_ADVICE
from holdfast.surfaces.mcp.advice import worded as worded_for_agents
from holdfast.surfaces.python.advice import ADVICE as PYTHON_ADVICE
from holdfast.surfaces.wire.failures import FAMILIES, advised
from holdfast.surfaces.wire.memory import AgentsWordError

_ONE_SURFACE = {
    "holdfast.surfaces.cli": "command line",
    "holdfast.surfaces.http": "HTTP",
    "holdfast.surfaces.mcp": "MCP",
    "holdfast.surfaces.python": "Python",
}


def errors_page() -> str:
    """Return the page of errors."""
    page = Page("Errors and exit codes")
    page.text(
        "An error message says what happened, why, and what to do next.",
        "A command that ends with an error has changed nothing, unless its message says so.",
        "With `--json`, the error is an object on stderr, under the key `error`:",
        "`code` is stable and names the error, `family` is one of the families below,",
        "`message` says what happened, `advice` says what to do next,",
        "`exit_code` is the exit code, and `facts` holds the values in the message, by name.",
        "The advice differs between the surfaces: the command line names commands, MCP names",
        "tools, Python names arguments and methods, in a note of the exception, and HTTP names",
        "headers and parameters.",
        "A failed MCP call has the same object in its `_meta`, under `holdfast/error`.",
        "Below, each code has an example, which the program itself wrote.",
    )
    page.heading("Families")
    page.table(
        ["family", "exit code", "HTTP status", "retry helps", "meaning", "what to do"],
        [
            [
                code(family.__name__),
                str(face.exit_code),
                str(face.http_status),
                "yes" if face.retry else "no",
                _first_line(family),
                face.advice,
            ]
            for family, face in FAMILIES.items()
        ],
    )
    page.heading("Other exit codes")
    page.table(
        ["exit code", "meaning"],
        [
            ["0", "success"],
            [
                str(doctor.NEEDS_PERSON),
                "`doctor` or `db check` found a problem for a person, `verify` found evidence that"
                + " changed or is gone, `verify --checks` a broken check, `sync --check`,"
                + " `workspace diff` or `store compare` a difference, `key check` a record that"
                + " cannot be read, `merge-file` a conflict, a step of `supervise` or a part of"
                + " `jobs run` failed, a file changed during `workspace snapshot`, or `forget` was"
                + " not confirmed",
            ],
            ["2", "also: `import` refused some lines and imported the others"],
            ["4", "also: after `sync` or `session reconcile` something waits for a person"],
            [str(doctor.DAMAGED), "also: `doctor` found damage"],
            [
                str(forgetting.TEXT_REMAINS),
                "`forget`, `protect`, `prune` or `revert --forget` removed the memory, but its text"
                + " remains in the places that are named",
            ],
            [
                str(failure.KEPT_HERE),
                "the write is kept on this machine until its server can be reached; it must not be"
                + " repeated",
            ],
            [
                str(failure.BUG),
                "a bug in Holdfast; the message names a report, which does not contain your text",
            ],
            [str(dispatch.INTERRUPTED), "the command was interrupted with Ctrl-C"],
            [str(dispatch.CLOSED_PIPE), "the reader of the output closed the pipe"],
        ],
    )
    for family in FAMILIES:
        page.heading(family.__name__)
        for error in _examples(family):
            page.heading(code(error.code), level=3)
            page.text(f"{code(type(error).__name__)}: {_first_line(type(error))}")
            page.table(["where", "example"], _rows(error))
    return page.written()


def _examples(family: type[HoldfastError]) -> list[HoldfastError]:
    found = [one for kind, one in EXAMPLES.items() if issubclass(kind, family)]
    return sorted(found, key=lambda one: one.code)


def _rows(error: HoldfastError) -> list[list[str]]:
    """Return the whole text of an error at each surface; equal texts share a row."""
    said = {
        "command line": worded(error),
        "MCP": worded_for_agents(error),
        "Python": f"{error} {advised(error, PYTHON_ADVICE)}",
        "HTTP": f"{error} {advised(error, HTTP_ADVICE)}",
    }
    for module, surface in _ONE_SURFACE.items():
        if type(error).__module__.startswith(module):
            said = {surface: said[surface]}
    if isinstance(error, AgentsWordError):
        # At the other surfaces an agent's statement becomes a candidate.
        said = {surface: said[surface] for surface in ("MCP", "HTTP")}
    rows: dict[str, list[str]] = {}
    for surface, text in said.items():
        rows.setdefault(" ".join(text.split()), []).append(surface)
    return [[", ".join(surfaces), text] for text, surfaces in rows.items()]


def _first_line(kind: type[HoldfastError]) -> str:
    return sentence((kind.__doc__ or "").strip().splitlines()[0])
