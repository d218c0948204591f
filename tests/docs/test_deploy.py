"""The examples in 'deploy' are true as far as they can be checked without a cluster."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from holdfast.surfaces.cli.help_pages import catalogue
from holdfast.surfaces.cli.index import INDEX
from tests.requirements import requirement

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
SERVE = "serve"
SERVE_OPTIONS = {
    "--store",
    "--bind",
    "--port",
    "--workers",
    "--allow-host",
    "--max-bytes",
    "--max-memories",
}
OPTION = re.compile(r"--[a-z][a-z-]*")


def compose() -> dict[str, Any]:
    return YAML(typ="safe").load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def dockerfile(instruction: str) -> list[str]:
    lines = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    return [line.partition(" ")[2] for line in lines if line.startswith(f"{instruction} ")]


def unit(name: str) -> list[str]:
    text = (DEPLOY / "holdfast.service").read_text(encoding="utf-8")
    return re.findall(rf"^{name}=(.*)$", text, re.MULTILINE)


def commands() -> list[list[str]]:
    """Return the words of every command of Holdfast in the examples."""
    services = compose()["services"]
    found = [one["command"] for name, one in services.items() if name not in {"database", "chroma"}]
    found.append(YAML(typ="safe").load(dockerfile("CMD")[0]))
    found.append(shlex.split(unit("ExecStart")[0])[2:])
    return found


@requirement("deploy.examples-hold")
@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_and_option_of_the_examples_exists(words: list[str]) -> None:
    options = {word for word in words if OPTION.fullmatch(word)}
    verb = next((name for name in INDEX if words[: len(name.split())] == name.split()), None)
    if verb is None:
        assert words[0] == SERVE
        assert options <= SERVE_OPTIONS
        return
    page = next(one for one in catalogue() if one.name == verb)

    assert options <= set(OPTION.findall(str(page)))


@requirement("deploy.examples-hold")
def test_the_services_wait_for_the_tables_and_hold_no_password() -> None:
    found = compose()
    services = found["services"]

    assert set(services) == {"database", "upgrade", "server", "worker", "chroma"}
    for name in ("server", "worker"):
        assert services[name]["depends_on"]["upgrade"]["condition"].startswith("service_completed")
        assert services[name]["environment"]["HOLDFAST_STORE"].startswith(
            "postgresql://memory_app@"
        )
    for one in services.values():
        assert set(one.get("secrets", ())) <= set(found["secrets"])
        assert not any("PASSWORD" in key and "FILE" not in key for key in one["environment"])
    assert all("://" in line or ":" in line for line in services["database"]["volumes"])


@requirement("deploy.examples-hold")
def test_the_image_installs_extras_that_exist_and_runs_as_no_root() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    wanted = re.findall(r"\[([a-z,]+)\]", " ".join(dockerfile("RUN")))

    assert dockerfile("USER") == ["holdfast"]
    assert {one for group in wanted for one in group.split(",")} - {"server"} <= set(extras)
    for line in dockerfile("COPY"):
        *sources, _ = [word for word in line.split() if not word.startswith("--")]
        assert all((ROOT / one).exists() for one in sources if not one.startswith("/wheels"))


@requirement("deploy.examples-hold")
def test_the_unit_is_accepted_by_systemd_where_it_is_installed(tmp_path: Path) -> None:
    assert unit("User") == ["holdfast"]
    assert unit("NoNewPrivileges") == ["yes"]
    program = shutil.which("systemd-analyze")
    if program is None:
        return
    copied = tmp_path / "holdfast.service"
    copied.write_text((DEPLOY / "holdfast.service").read_text(encoding="utf-8"), encoding="utf-8")

    done = subprocess.run(  # noqa: S603 - the program that checks units
        [program, "verify", str(copied)], capture_output=True, text=True, check=False
    )

    assert "Unknown" not in done.stderr
