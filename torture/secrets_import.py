"""Converts the rules of gitleaks into the data file of the gate.

    python -m torture.secrets_import gitleaks.toml > src/holdfast/domain/gates/rules/gitleaks.tsv

A line has four fields, parted by tabs: the rule, its keywords, the least entropy, and the pattern.
The pattern of a value that only a vendor's name gives away starts with ``=``: the names, a tab,
and the form of the value. Go's patterns become Python's, and every repetition gets an upper bound.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

# Covered better by Holdfast's own rules, files without text, and ids that are public.
LEFT_OUT = frozenset(
    {
        *("azure-ad-client-secret", "curl-auth-header", "curl-auth-user", "freemius-secret-key"),
        *(
            "generic-api-key",
            "hashicorp-tf-password",
            "jwt",
            "jwt-base64",
            "kubernetes-secret-yaml",
        ),
        *("nuget-config-password", "pkcs12-file", "private-key", "adobe-client-id"),
        *("asana-client-id", "bitbucket-client-id", "discord-client-id", "flutterwave-public-key"),
        *("linkedin-client-id", "lob-pub-api-key", "looker-client-id", "mailgun-pub-key"),
        *("mapbox-api-token", "messagebird-client-id", "new-relic-user-api-id", "plaid-client-id"),
        *("sendbird-access-id", "sumologic-access-id"),
    }
)
BETWEEN = (
    r"""(?:[ \t\w.-]{0,20})[\s'"]{0,3})(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}""",
    r"""(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}""",
)
ENDS = (
    r"""(?:[\x60'"\s;]|\\[nr]|$|\b)""",
    r"""(?:[\x60'"\s;]|\\[nr]|$)""",
    r"(?:[^\w-]|\z)",
    r"(?:[^a-zA-Z0-9+/]|\z)",
    r"""(?:$|[\\'"\x60\s<),])""",
)
_MOST = 400


def converted(path: Path) -> Iterator[str]:
    """Return the lines of the data file."""
    for rule in tomllib.loads(path.read_text(encoding="utf-8"))["rules"]:
        if rule["id"] in LEFT_OUT:
            continue
        pattern = rule["regex"].replace("[[:alnum:]]", "[A-Za-z0-9]")
        # Sourcegraph's bare hash looks like the hash of a commit.
        pattern = pattern.replace("|[a-fA-F0-9]{40})\\b)", ")\\b)")
        keywords = ",".join(rule["keywords"])
        for form in _forms(pattern):
            yield f"{rule['id']}\t{keywords}\t{rule.get('entropy', 0)}\t{form}"


def _forms(pattern: str) -> Iterator[str]:
    between = next((one for one in BETWEEN if one in pattern), None)
    if between is None:
        yield _python(_without_end(pattern))
        return
    names, _, rest = pattern.partition(between)
    value, _, own = rest.partition(ENDS[1] + "|")
    yield f"={_names(names)}\t{_python(_without_end(value))}"
    if own:
        yield _python(_without_end(own))


def _names(pattern: str) -> str:
    for start in (r"[\w.-]{0,50}?(?i:[\w.-]{0,50}?", r"(?i)[\w.-]{0,50}?"):
        pattern = pattern.removeprefix(start)
    spoken = pattern.replace("[_.-]?", "[ _.-]?").replace("[_-]?", "[ _-]?")
    return re.sub(r"\((?:\?-i:|(?!\?))", "(?:", spoken)


def _without_end(pattern: str) -> str:
    for end in ENDS:
        pattern = pattern.removesuffix(end)
    return pattern.replace(r"\z", r"\Z")


def _python(pattern: str) -> str:
    """Return a Go pattern in Python syntax: no capturing groups, every repetition bounded."""
    pieces = []
    is_class = False
    for part in re.findall(r"\\.|\{\d+,\}|\(\?|.", pattern):
        if part == "[":
            is_class = True
        elif part == "]":
            is_class = False
        pieces.append(part if is_class else _bounded(part))
    return _scoped("".join(pieces))


def _bounded(part: str) -> str:
    if part.endswith(",}"):
        least = int(part[1:-2])
        return f"{{{least},{least + _MOST}}}"
    return {"+": f"{{1,{_MOST}}}", "*": f"{{0,{_MOST}}}", "(": "(?:"}.get(part, part)


def _scoped(pattern: str) -> str:
    """Limit a flag that Go sets in the middle of a group to that group."""
    flag = pattern.find("(?i)")
    if flag < 0:
        return pattern
    depth = 0
    for place in range(flag + 4, len(pattern)):
        if pattern[place - 1] == "\\":
            continue
        depth += {"(": 1, ")": -1}.get(pattern[place], 0)
        if depth < 0:
            break
    else:
        place = len(pattern)
    whole = f"{pattern[:flag]}(?i:{pattern[flag + 4 : place]}){pattern[place:]}"
    return _scoped(whole)


if __name__ == "__main__":
    print("\n".join(converted(Path(sys.argv[1]))))
