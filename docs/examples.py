"""``python -m docs.examples``: run the commands that pages show, and compare what they print.

Each page gets a store and a repository of its own. Commands run in one shell, in order.
Ids that a page shows stand for the ids that are really printed at that place. With
``--write``, pages whose output has changed are given the real one.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path

from docs.example import BLOCK, Example, Ran, examples, examples_of
from docs.shell import ROOT, Shell


def pages() -> list[Path]:
    """Return every page whose commands must run."""
    found = [ROOT / "README.md", *ROOT.glob("docs/tutorial/*.md"), *ROOT.glob("docs/how-to/*.md")]
    return sorted(found)


def run_page(page: Path) -> list[Ran]:
    """Run the commands of a page in a fresh place.

    The commands of the how-to pages are hundreds, and run in forks of one process. Those of the
    first pages that a reader meets start the program each time, as the reader does.
    """
    shown = examples(page.read_text(encoding="utf-8"))
    return run_in_order(shown, empty="tutorial" in page.parts, is_warm="how-to" in page.parts)


def run_in_order(shown: list[Example], *, empty: bool = False, is_warm: bool = False) -> list[Ran]:
    """Run examples in a fresh place: a small repository, or nothing at all."""
    with tempfile.TemporaryDirectory(prefix="holdfast-docs-") as folder:
        return Shell(Path(folder), is_warm=is_warm).run(shown, empty=empty)


def refreshed(text: str, ran: list[Ran]) -> str:
    """Return a page with the outputs that no longer fit replaced by the real ones."""
    rest = iter(ran)

    def block(found: re.Match[str]) -> str:
        lines: list[str] = []
        for _ in examples_of(found[1]):
            one = next(rest)
            output = one.example.output if one.fits else one.output.rstrip("\n").splitlines()
            lines += [*one.example.lines, *output]
        return "\n".join(["```console", *lines, "```"])

    return BLOCK.sub(block, text)


def main() -> None:
    """Run the pages; say what differs, or write it."""
    parser = argparse.ArgumentParser(prog="python -m docs.examples", description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the real output into the pages")
    parser.add_argument("pages", nargs="*", type=Path, help="only these")
    given = parser.parse_args()
    differs = False
    for page in [path.resolve() for path in given.pages] or pages():
        ran = run_page(page)
        for one in ran:
            if not one.fits:
                differs = True
                sys.stdout.write(
                    f"{page.relative_to(ROOT)}: {one.example.command}\n"
                    f"exit {one.exit_code}\n{one.output}\n"
                )
        if given.write:
            page.write_text(refreshed(page.read_text(encoding="utf-8"), ran), encoding="utf-8")
    sys.exit(1 if differs and not given.write else 0)


if __name__ == "__main__":
    main()
