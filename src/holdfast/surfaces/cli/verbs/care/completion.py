"""completion: a script that lets a shell complete verbs, options and choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import UnknownChoiceError
from holdfast.surfaces.cli.shells import SHELLS
from holdfast.surfaces.wire.tools import completion_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext


def completion(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Print a script that completes verbs, options and choices.\n\n"
        "bash: put 'source <(holdfast completion bash)' into ~/.bashrc\n\n"
        "zsh: put 'source <(holdfast completion zsh)' into ~/.zshrc, after compinit\n\n"
        "fish: holdfast completion fish > ~/.config/fish/completions/holdfast.fish",
        examples=("holdfast completion bash", "source <(holdfast completion bash)"),
        does=_run,
    )
    command.add_argument(
        "shell", metavar="SHELL", type=_shell, choices=tuple(SHELLS), help="bash, zsh or fish"
    )


def _shell(word: str) -> str:
    if word not in SHELLS:
        raise UnknownChoiceError(what="shell", value=word, choices=SHELLS)
    return word


def _run(given: Namespace, context: CommandContext) -> None:
    from holdfast.surfaces.cli.help_pages import catalogue

    script = SHELLS[given.shell](catalogue())
    if context.output.as_json:
        context.output.json(completion_json(given.shell, script))
    else:
        context.output.text(script)
