"""Generate completion scripts from the catalogue of verbs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from holdfast.surfaces.cli.help_pages import OptionPage, VerbPage

_FIND_VERB = """\
    for ((place = {first}; place < {current}; place++)); do
        word=${{{words}[place]}}
        case $word in
            --home|--space|--store|--tenant|-C|--folder) ((place++)) ;;
            -*) ;;
            *)
                verb="$verb$word"
                case $verb in
                    {families}) verb="$verb " ;;
                    *) break ;;
                esac ;;
        esac
    done
    verb=${{verb% }}
"""

# Ids and keys of this checkout; only plain ones, because a shell expands the words of a list.
_LISTED = {
    "TASK": "holdfast task list -q 2>/dev/null | cut -f1 | grep -E '^[A-Za-z0-9._:/-]+$'",
    "ID": "holdfast list -q --limit 200 2>/dev/null | cut -f1,5 | tr '\\t' '\\n'"
    " | grep -E '^[A-Za-z0-9._:/-]+$'",
}
_WAITING = frozenset({"approve", "reject", "review"})


def _listing(page: VerbPage) -> str:
    """Return the command that lists what a verb's words can name; empty if they name nothing."""
    names = {option.names[0] for option in page.options if option.is_positional}
    if "TASK" in names:
        return _LISTED["TASK"]
    if names.isdisjoint({"ID", "SRC"}):
        return ""
    if page.name in _WAITING:
        return _LISTED["ID"].replace("list -q", "list -q --status candidate")
    return _LISTED["ID"]


def bash(pages: Sequence[VerbPage]) -> str:
    """Return the script for bash."""
    lines = [
        "# holdfast completion for bash",
        "_holdfast() {",
        "    local verb='' word place",
        "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}",
        "    COMPREPLY=()",
        _FIND_VERB.format(
            first=1, current="COMP_CWORD", words="COMP_WORDS", families="|".join(_families(pages))
        ).rstrip(),
        *_offers(pages, '        {pattern}) word="{words}" ;;'),
        '    [[ -n $word ]] && mapfile -t COMPREPLY < <(compgen -W "$word" -- "$current")',
        "}",
        "complete -o default -F _holdfast holdfast",
    ]
    return "\n".join(lines) + "\n"


def zsh(pages: Sequence[VerbPage]) -> str:
    """Return the script for zsh."""
    lines = [
        "#compdef holdfast",
        "_holdfast() {",
        "    local verb='' word place",
        "    local current=${words[CURRENT]} before=${words[CURRENT-1]}",
        _FIND_VERB.format(
            first=2, current="CURRENT", words="words", families="|".join(_families(pages))
        ).rstrip(),
        *_offers(pages, '        {pattern}) word="{words}" ;;'),
        "    if [[ -n $word ]]; then compadd -- ${=word}; else _files; fi",
        "}",
        "compdef _holdfast holdfast",
    ]
    return "\n".join(lines) + "\n"


def _offers(pages: Sequence[VerbPage], line: str) -> Iterator[str]:
    """Yield the two case statements of a script: values of an option, then options of a verb."""
    yield "    word=''"
    yield '    case "$verb $before" in'
    for page in pages:
        for option in page.options:
            if option.choices and option.value is not None:
                pattern = "|".join(f'"{page.name} {name}"' for name in option.names)
                yield line.format(pattern=pattern, words=" ".join(option.choices))
    yield "    esac"
    yield '    [[ -z $word ]] && case "$verb:$current" in'
    for page in pages:
        options = " ".join(name for option in page.options for name in _dashed(option))
        yield line.format(pattern=f'"{page.name}:-"*', words=options)
        if words := " ".join(_placed(page)):
            yield line.format(pattern=f'"{page.name}:"*', words=words)
        elif listing := _listing(page):
            yield line.format(pattern=f'"{page.name}:"*', words=f"$({listing})")
    for family in _families(pages):
        subverbs = (page.name.split()[1] for page in pages if page.name.startswith(f"{family} "))
        yield line.format(pattern=f'"{family}:"*', words=" ".join(subverbs))
    yield line.format(
        pattern='":-"*', words="--help --version --json --home --space --folder --quiet"
    )
    yield line.format(pattern='":"*|"help:"*', words=" ".join(_first_words(pages)))
    yield "    esac"


def fish(pages: Sequence[VerbPage]) -> str:
    """Return the script for fish."""
    lines = ["# holdfast completion for fish", "complete -c holdfast -f"]
    for page in pages:
        first, _, second = page.name.partition(" ")
        if second:
            siblings = [other.name.split()[1] for other in pages if other.name.startswith(first)]
            here = f"__fish_seen_subcommand_from {first}"
            where = f"{here}; and not __fish_seen_subcommand_from {' '.join(siblings)}"
            within = f"{here}; and __fish_seen_subcommand_from {second}"
        else:
            where, within = "__fish_use_subcommand", f"__fish_seen_subcommand_from {first}"
        lines.append(f"complete -c holdfast -n '{where}' -a {second or first}{_said(page.summary)}")
        lines += [
            f"complete -c holdfast -n '{within}'{_fish_option(option)}" for option in page.options
        ]
        if listing := _listing(page):
            quoted = listing.replace("'", "\\'")
            lines.append(f"complete -c holdfast -n '{within}' -a '({quoted})'")
    lines += [
        f"complete -c holdfast -n __fish_use_subcommand -a {family}" for family in _families(pages)
    ]
    words = " ".join(_first_words(pages))
    lines.append(f"complete -c holdfast -n '__fish_seen_subcommand_from help' -a '{words}'")
    return "\n".join(lines) + "\n"


def _fish_option(option: OptionPage) -> str:
    if option.is_positional:
        choices = f" -a '{' '.join(option.choices)}'" if option.choices else " -F"
        return choices + _said(option.meaning)
    names = "".join(
        f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}" for name in option.names
    )
    value = ""
    if option.value is not None:
        value = f" -x -a '{' '.join(option.choices)}'" if option.choices else " -r"
    return names + value + _said(option.meaning)


def _said(words: str) -> str:
    plain = words.replace("\\", "").replace("'", "")
    return f" -d '{plain}'" if plain else ""


def _dashed(option: OptionPage) -> tuple[str, ...]:
    return tuple(name for name in option.names if name.startswith("--"))


def _placed(page: VerbPage) -> list[str]:
    return [choice for option in page.options if option.is_positional for choice in option.choices]


def _families(pages: Sequence[VerbPage]) -> list[str]:
    return list(dict.fromkeys(page.name.split()[0] for page in pages if " " in page.name))


def _first_words(pages: Sequence[VerbPage]) -> list[str]:
    return [*dict.fromkeys(page.name.split()[0] for page in pages), "help"]


SHELLS: dict[str, Callable[[Sequence[VerbPage]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
