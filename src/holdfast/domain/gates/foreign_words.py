"""What another program says about its failure, in a form that a message may repeat."""

from __future__ import annotations

import re

from holdfast.domain.gates.hidden import make_visible
from holdfast.domain.gates.secrets import find_secrets, redact

_LONGEST, _READ = 160, 2_000
_MASK = "[hidden]"
# Wider than the rules for claims: a wrong alarm hides no more than a word of an error message.
_KEYS = re.compile(
    r"\b(?:sk|pk|rk|hf|gh[a-z]|glpat|xox[a-z])[-_][\w*.\u2026-]{4,}"
    r"|(?<=\bbearer )\S{4,}"
    r"|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"
    r"|(?<![\w-])(?=\w*\d)(?=\w*[a-z])\w{20,}(?![\w-])"
    r"|[\w-]*\*{3,}[\w*-]*",
    re.IGNORECASE,
)


def brief(text: str, *, longest: int = _LONGEST) -> str:
    """Return foreign words on one line, short, visible, and without what looks like a key."""
    # A key that is cut in two could not be recognised.
    some = text if len(text) <= _READ else text[:_READ].rpartition(" ")[0]
    # Half a surrogate pair or a NUL could not be stored with a bundle.
    plain = some.encode("utf-8", "replace").decode().replace("\0", "")
    line = " ".join(make_visible(plain).text.split()).rstrip(".")
    safe = _KEYS.sub(_MASK, redact(line, find_secrets(line)))
    return safe if len(safe) <= longest else f"{safe[: longest - 1].rstrip()}\u2026"


def quoted(text: str) -> str:
    """Return foreign words in quotation marks, so that none can pass for words of Holdfast."""
    return f'"{brief(text).replace(chr(34), chr(39))}"'


def failure_of(error: BaseException) -> str:
    """Return what a program raised: the type of the exception, and its words if it has any."""
    kind = type(error).__name__
    try:
        words = brief(str(error))
    except Exception:  # noqa: BLE001 - the exception of a plug-in may fail to describe itself
        return kind
    return f"{kind}: {words}" if words else kind
