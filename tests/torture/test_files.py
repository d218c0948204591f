"""Tools, a person and git edit the same pages for seconds; ``test_short`` has the proofs."""

from __future__ import annotations

from pathlib import Path

from tests.requirements import requirement
from tests.torture.test_short import check
from torture.files_people import EDITORS, Person
from torture.files_tools import Tool


@requirement("files.no-save-is-lost")
@requirement("files.a-kill-leaves-whole-pages")
def test_no_edit_of_a_tool_and_no_save_of_a_person_is_lost() -> None:
    check("files")


def test_a_person_saves_in_every_way_and_remembers_what(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A page\n", encoding="utf-8")
    person = Person([page, tmp_path / "missing.md"], seed=1)

    while len(person.saved) < 3 * len(EDITORS):
        person.edit()

    text = page.read_text(encoding="utf-8")
    assert all(word in text for word in person.saved)


def test_a_tool_brings_back_what_an_old_copy_of_a_page_took_out(tmp_path: Path) -> None:
    (tmp_path / ".holdfast" / "memory").mkdir(parents=True)
    (tmp_path / ".holdfast" / "config.toml").touch()
    tool = Tool(tmp_path, name="0", seed=1)
    tool.edit()
    pages = list((tmp_path / ".holdfast" / "memory").iterdir())
    old = {page: page.read_bytes() for page in pages}
    tool.edit()
    for page, content in old.items():
        page.write_bytes(content)

    tool.catch_up()

    text = "".join(page.read_text() for page in (tmp_path / ".holdfast/memory").iterdir())
    assert all(word in text for word in tool.words)
