from __future__ import annotations

from holdfast.bootstrap.plugs import scanning
from tests.cli.program import Program
from tests.requirements import requirement


@requirement("chroma.away")
def test_the_setting_says_at_once_that_the_package_is_missing(program: Program) -> None:
    done = program("config", "set", "recall.index", "chroma").well()

    assert ("pip install 'holdfast[chroma]'" in done.err) == scanning.lacks_packages("chroma")
    assert "not usable" not in program("config", "set", "recall.index", "sidecar").well().err
