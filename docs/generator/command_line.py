"""The command line, read from its real parsers."""

from __future__ import annotations

from docs.generator.markdown import Page, code, sentence, sentences
from holdfast.surfaces.cli.help_pages import OptionPage, VerbPage, catalogue
from holdfast.surfaces.cli.index import GROUPS

_EVERYWHERE = ("--json", "--home", "--folder", "--no-color", "--quiet", "--help")


def command_line() -> str:
    """Return the page of every verb and option."""
    verbs = catalogue()
    page = Page("The command line")
    page.text(
        "`holdfast VERB [WORDS] [OPTIONS]`.",
        "Answers go to stdout, everything else to stderr.",
        "At a terminal, a list is a table with a header and short ids.",
        "In a pipe or a file it is one line for each row, with whole ids, tabs between the fields",
        "and no header; an empty field stays empty.",
        "`--json` is the form for programs.",
        "Exit codes are listed with [the errors](errors.md).",
    )
    for group, title in GROUPS.items():
        page.heading(title)
        page.table(
            ["verb", "what it does"],
            [[_link(verb), verb.summary] for verb in verbs if verb.group == group],
        )
    _add_everywhere(page, verbs[0])
    for verb in verbs:
        _add_verb(page, verb)
    return page.written()


def _link(verb: VerbPage) -> str:
    return f"[{code(verb.name)}](#holdfast-{verb.name.replace(' ', '-')})"


def _add_everywhere(page: Page, verb: VerbPage) -> None:
    page.heading("Every verb takes")
    _add_options(page, [option for option in verb.options if _is_everywhere(option)])


def _add_verb(page: Page, verb: VerbPage) -> None:
    page.heading(f"holdfast {verb.name}")
    for paragraph in verb.description.split("\n\n"):
        page.text(*sentences(sentence(paragraph)))
    page.code(verb.usage)
    own = [option for option in verb.options if not _is_everywhere(option)]
    if own:
        _add_options(page, own)
    if verb.examples:
        page.code("\n".join(verb.examples))


def _add_options(page: Page, options: list[OptionPage]) -> None:
    page.table(["option", "meaning", "default"], [_row(option) for option in options])


def _row(option: OptionPage) -> list[str]:
    names = ", ".join(code(name) for name in option.names)
    value = f" {code(option.value)}" if option.value else ""
    notes = [option.meaning]
    if not all(choice in option.meaning for choice in option.choices):
        notes.append(f"one of {', '.join(code(choice) for choice in option.choices)}")
    if option.is_repeatable and "repeated" not in option.meaning:
        notes.append("may be given several times")
    if option.is_required and not option.is_positional:
        notes.append("required")
    return [names + value, "; ".join(note for note in notes if note), code(option.default or "")]


def _is_everywhere(option: OptionPage) -> bool:
    return any(name in _EVERYWHERE for name in option.names)
