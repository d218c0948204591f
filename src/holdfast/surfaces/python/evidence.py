"""Evidence as Python programs write it: one function per type."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType
from holdfast.domain.memory.evidence import Evidence
from holdfast.surfaces.python.advice import advising
from holdfast.surfaces.python.expecting import PLACE, TEXT, WHOLE, expect, expect_given

if TYPE_CHECKING:
    from os import PathLike


@advising
def span(path: str | PathLike[str], first: int | None = None, last: int | None = None) -> Evidence:
    """Return lines of a file as evidence; without lines it is the whole file.

    Without ``first`` the lines begin at line 1, and without ``last`` it is one line.

    ``remember`` reads the lines and keeps their hash, so that ``verify`` can tell whether they
    have changed. The text ``"src/auth/tokens.py:41-58"`` means the same.

    >>> memory = hf.remember("Tokens rotate.", evidence=[holdfast.span("src/auth/tokens.py", 3, 5)])
    >>> print(memory.evidence[0])
    src/auth/tokens.py:3-5
    """
    expect("span", PLACE, path=path)
    expect_given("span", WHOLE, first=first, last=last)
    name = os.fspath(path)
    first = 1 if first is None and last is not None else first
    lines = "" if first is None else f":{first}" if last in {None, first} else f":{first}-{last}"
    return Evidence(type=EvidenceType.SPAN, reference=f"{name}{lines}")


@advising
def commit(name: str) -> Evidence:
    """Return a commit as evidence: its id, or a name such as ``HEAD`` or ``v1.2``.

    >>> memory = hf.remember("The parser is new.", evidence=[holdfast.commit("HEAD")])
    >>> print(memory.evidence[0].type)
    commit
    """
    expect("commit", TEXT, name=name)
    return Evidence(type=EvidenceType.COMMIT, reference=name)


@advising
def url(address: str) -> Evidence:
    """Return a web address as evidence; nothing is fetched.

    >>> memory = hf.remember("PKCE is required.", evidence=[holdfast.url("https://example.test")])
    >>> print(memory.evidence[0])
    https://example.test
    """
    expect("url", TEXT, address=address)
    return Evidence(type=EvidenceType.URL, reference=address)


@advising
def command(line: str, *, exit_code: int | None = None) -> Evidence:
    """Return a command that was run as evidence; nothing is run.

    >>> ran = holdfast.command("pytest tests/auth", exit_code=0)
    >>> memory = hf.remember("The tests of auth pass.", evidence=[ran])
    >>> print(memory.evidence[0])
    command: pytest tests/auth
    """
    expect("command", TEXT, line=line)
    expect_given("command", WHOLE, exit_code=exit_code)
    facts = {} if exit_code is None else {"exit_code": str(exit_code)}
    return Evidence(type=EvidenceType.COMMAND, reference=line, facts=facts)


@advising
def artifact(snapshot: str, path: str) -> Evidence:
    """Return a file of a snapshot as evidence; its hash is kept with the claim.

    >>> kept = hf.workspaces.snapshot("src")
    >>> rotates = holdfast.artifact(kept.id, "auth/tokens.py")
    >>> hf.remember("Tokens rotate.", evidence=[rotates]).evidence[0].facts["size"]
    '471'
    """
    expect("artifact", TEXT, snapshot=snapshot, path=path)
    return Evidence(type=EvidenceType.ARTIFACT, reference=f"{snapshot}/{path}")


@advising
def statement(words: str) -> Evidence:
    """Return what somebody said as evidence; ``because="…"`` means the same.

    >>> said = holdfast.statement("Ada said so in the stand-up.")
    >>> print(hf.remember("We deploy on Mondays.", evidence=[said]).evidence[0])
    statement: Ada said so in the stand-up.
    """
    expect("statement", TEXT, words=words)
    return Evidence(type=EvidenceType.STATEMENT, reference=words)
