"""web: review and look at memories in the browser."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from holdfast.domain.service_errors import NoServerPackagesError
from holdfast.surfaces.cli import values

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext

_PACKAGES = ("starlette", "uvicorn", "jinja2")


def web(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Open the web page of this memory in your browser, until Ctrl-C: the inbox, search,\n"
        "memories, timeline, health, tasks and agents. Only this machine can reach it. The link\n"
        "works once; the browser that opens it stays signed in while the command runs.",
        examples=(
            "holdfast web",
            "holdfast web --port 8751 --no-open",
        ),
        does=_web,
    )
    add = command.add_argument
    add(
        "--port",
        metavar="N",
        type=values.whole("port"),
        default=0,
        help="the port; 0 for any (0)",
    )
    add("--no-open", action="store_true", help="only print the link")


def _web(given: Namespace, context: CommandContext) -> int:
    if any(find_spec(name) is None for name in _PACKAGES):
        raise NoServerPackagesError
    from holdfast.app import Holdfast
    from holdfast.bootstrap.plugs.folder_ports import CodeReading
    from holdfast.bootstrap.plugs.terminal import PrivateLink
    from holdfast.surfaces.http.own_page import PersonalMemory, open_page

    machine, reading = context.machine, CodeReading()

    def look_again(holdfast: Holdfast) -> Holdfast:
        return machine.look_again(holdfast, reading=reading)

    links: list[PrivateLink] = []

    def tell(link: str) -> None:
        links.append(PrivateLink(link, home=machine.home))
        context.output.say(f"The page is at {link}")
        context.output.note("The link works once. End with Ctrl-C.")
        context.output.flush()

    def ready() -> None:
        if not given.no_open:
            links[-1].open()

    memory = PersonalMemory(
        holdfast=context.holdfast,
        by=context.user,
        look_again=look_again,
        folder=context.folder.name,
    )
    try:
        return open_page(memory, port=given.port, tell=tell, ready=ready)
    finally:
        for link in links:
            link.remove()
