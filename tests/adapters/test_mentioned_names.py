"""Whether the checkout has a name: as a word of a file that is no prose, or as a file."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from holdfast.adapters.git.reading.log import GitLog
from holdfast.domain.errors import OutsideUnavailableError
from tests.requirements import requirement


@requirement("roles.dated-claims")
def test_a_name_is_looked_for_in_code_and_in_names_of_files(tmp_path: Path) -> None:
    files = {
        "src/app.py": "from ._tools import tidy_up\n",
        "src/_tools.py": "",
        "CHANGES.rst": "Removed _compat.\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    for words in (("init", "--quiet"), ("add", "--all")):
        command = ["git", "-C", str(tmp_path), *words]
        subprocess.run(command, check=True)  # noqa: S603 - git, in a test
    log = GitLog(tmp_path / "src")

    found = {name: log.mentions(name) for name in ("tidy_up", "_tools", "tidy", "_compat")}

    assert found == {"tidy_up": True, "_tools": True, "tidy": False, "_compat": False}
    (tmp_path / ".git" / "index").write_bytes(b"damaged")
    with pytest.raises(OutsideUnavailableError):
        log.mentions("tidy_up")
