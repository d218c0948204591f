"""The families of errors, their exit codes, and every error in them."""

from __future__ import annotations

import inspect

from docs.generator.markdown import Page, code, sentence
from holdfast.adapters.embedding import refusals as model_refusals
from holdfast.adapters.git.hooks import hooks as hook_refusals
from holdfast.adapters.git.reading import reading
from holdfast.adapters.http import posting
from holdfast.adapters.sqlite.database import turnstile
from holdfast.domain import access_errors, database_errors, errors, lookup_errors
from holdfast.domain import refusals as domain_refusals
from holdfast.domain.errors import HoldfastError
from holdfast.domain.evaluation import benchmark
from holdfast.domain.recall import learning
from holdfast.surfaces.cli import dispatch, failure, forgetting, refusals
from holdfast.surfaces.cli.advising.advice import ADVICE
from holdfast.surfaces.cli.verbs.care import doctor
from holdfast.surfaces.mcp import evidence as mcp_evidence
from holdfast.surfaces.mcp import tools as mcp_tools
from holdfast.surfaces.python import expecting
from holdfast.surfaces.wire import evidence
from holdfast.surfaces.wire.failures import FAMILIES

_HOMES = (
    access_errors,
    database_errors,
    errors,
    domain_refusals,
    lookup_errors,
    benchmark,
    learning,
    model_refusals,
    hook_refusals,
    reading,
    posting,
    turnstile,
    refusals,
    evidence,
    mcp_evidence,
    mcp_tools,
    expecting,
)


def errors_page() -> str:
    """Return the page of every way holdfast says no."""
    page = Page("Errors and exit codes")
    page.text(
        "A refusal is one message that says what happened and what to do next.",
        "Nothing was changed by a command that was refused.",
        "With `--json`, the error is an object on stderr, with the key `error`:",
        "`code` is stable and names the error, `family` is one of the families below,",
        "`message` says what happened, `advice` what to do next, `exit_code` is the exit code,",
        "and `facts` holds what the error knows, by name.",
        "Each door words the advice in its own terms: the command line names commands, MCP names",
        "tools, Python names arguments and methods in a note of the exception.",
        "A refused MCP call has the same object in its `_meta`, under `holdfast/error`.",
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
            ["0", "it was done"],
            [
                str(doctor.NEEDS_PERSON),
                "`doctor` found something for a person to look at, `verify` evidence that is in"
                + " doubt, or `forget` was not confirmed",
            ],
            ["2", "also: `import` refused some lines and took the others"],
            [str(doctor.DAMAGED), "also: `doctor` found damage"],
            [
                str(forgetting.TEXT_REMAINS),
                "`forget` removed the memory, and its text still stands in a place that it names",
            ],
            [str(failure.BUG), "a bug in holdfast; the message names a report without your text"],
            [str(dispatch.INTERRUPTED), "it was interrupted with Ctrl-C"],
            [str(dispatch.CLOSED_PIPE), "the reader of the output went away"],
        ],
    )
    for family in FAMILIES:
        page.heading(family.__name__)
        page.table(
            ["code", "error", "meaning", "advice at the command line"],
            [_row(leaf) for leaf in _leaves(family)],
        )
    return page.written()


def _leaves(family: type[HoldfastError]) -> list[type[HoldfastError]]:
    found = [
        member
        for module in _HOMES
        for _, member in inspect.getmembers(module, inspect.isclass)
        if issubclass(member, family) and member is not family
    ]
    return sorted(dict.fromkeys(found), key=lambda leaf: leaf.__name__)


def _row(leaf: type[HoldfastError]) -> list[str]:
    said = ADVICE.get(leaf.code, "")
    advice = said if isinstance(said, str) else (said.__doc__ or "").strip()
    meaning = f"{_first_line(leaf)} {leaf.hint}".strip()
    return [code(leaf.code), code(leaf.__name__), meaning, advice]


def _first_line(kind: type[HoldfastError]) -> str:
    return sentence((kind.__doc__ or "").strip().splitlines()[0])
