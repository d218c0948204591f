"""serve: serve the memories of many spaces over HTTP."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING

from holdfast.domain.service_errors import NoServerPackagesError
from holdfast.surfaces.cli import values

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext


def serve(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Serve memories over HTTP until SIGTERM or Ctrl-C. Every request shows a token of\n"
        "'holdfast token create', which names the space; one server serves all spaces of a home,\n"
        "or all tenants of a database. Beyond this machine, the names of the server have to be\n"
        "allowed, and a proxy in front of it should speak TLS.",
        examples=(
            "holdfast serve --store postgresql://app@db.example/memory --workers 2",
            "holdfast serve --checkout .",
            "holdfast serve --bind 0.0.0.0 --allow-host memory.example.com",
        ),
        does=_serve,
    )
    add = command.add_argument
    add("--bind", metavar="ADDRESS", default="127.0.0.1", help="listen there (127.0.0.1)")
    add(
        "--port",
        metavar="N",
        type=values.whole("port"),
        default=8750,
        help="the port; 0 for any (8750)",
    )
    add("--workers", metavar="N", type=values.whole("workers"), default=1, help="processes (1)")
    add(
        "--allow-host",
        metavar="NAME",
        action="append",
        default=[],
        help="a name by which callers address the server, besides localhost",
    )
    add(
        "--allow-origin",
        metavar="ORIGIN",
        action="append",
        default=[],
        help="a web origin whose pages may send requests, such as https://memory.example.com",
    )
    add(
        "--without-tokens",
        action="store_true",
        help="answer everybody on this machine as an agent of one space",
    )
    add(
        "--checkout",
        metavar="PATH",
        default=None,
        help="a checkout on this machine that agents of this space see over MCP",
    )
    add(
        "--threads",
        metavar="N",
        type=values.whole("threads"),
        default=8,
        help="requests at once (8)",
    )
    add(
        "--time-limit",
        metavar="SECONDS",
        type=values.number("time-limit"),
        default=30.0,
        help="per request (30)",
    )
    add(
        "--body-limit",
        metavar="BYTES",
        type=values.whole("body-limit"),
        default=1_048_576,
        help="per request (1048576)",
    )
    add(
        "--rate",
        metavar="N",
        type=values.number("rate"),
        default=0.0,
        help="requests per second and token; 0 is no limit (0)",
    )
    add(
        "--max-memories",
        metavar="N",
        type=values.whole("max-memories"),
        default=None,
        help="memories per space; 0 is no limit (0)",
    )
    add(
        "--max-bytes",
        metavar="BYTES",
        type=values.whole("max-bytes"),
        default=None,
        help="bytes of a tenant, of its files or of its memories on Postgres; 0 is no limit (0)",
    )


def _serve(given: Namespace, context: CommandContext) -> int:
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise NoServerPackagesError
    context.machine.database.tenant()  # a memory on another server cannot be served from here
    from holdfast import __version__
    from holdfast.surfaces.http.options import COLLECTOR_VARIABLE, ServeOptions
    from holdfast.surfaces.http.serving import serve

    options = ServeOptions(
        bind=given.bind,
        port=given.port,
        workers=given.workers,
        hosts=tuple(given.allow_host),
        origins=tuple(given.allow_origin),
        home="" if given.home is None else str(given.home),
        asks_for_tokens=not given.without_tokens,
        space=context.space,
        # A path that cannot be resolved is refused later, with its name.
        checkout="" if given.checkout is None else os.path.abspath(given.checkout),  # noqa: PTH100
        threads=given.threads,
        seconds=given.time_limit,
        most_body=given.body_limit,
        rate=given.rate,
        most_memories=given.max_memories or 0,
        most_bytes=given.max_bytes or 0,
        version=__version__,
        collector=os.environ.get(COLLECTOR_VARIABLE, ""),
    )

    def tell(url: str) -> None:
        context.output.say(f"Holdfast listens at {url}")
        context.output.flush()

    return serve(options, tell=tell)
