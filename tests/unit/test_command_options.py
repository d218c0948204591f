"""A rule about a command warns of every spelling of it, and of no other command."""

from __future__ import annotations

import pytest

from holdfast.domain.sessions.alerting import Caution, speaking_up
from holdfast.domain.sessions.command_options import invocation, program_names
from holdfast.domain.sessions.tool_action import doing
from tests.requirements import requirement

WARNS: list[tuple[str, str]] = [
    ("Never run `git push --force`.", "git push origin main -f"),
    ("Never run `git push --force`.", "git push -uf origin main"),
    ("Never run `git push --force`.", "git -C /tmp/x push origin +main"),
    ("Never run `git push --force`.", "git push -4f"),
    ("Never run `git push --force`.", "git push $'--force'"),
    ("Never run `git push --force`.", 'git push $"--force"'),
    ("Never run `git push --force`.", 'git -c alias.p="push -f" p'),
    ("Never run `git push -f`.", "GIT_SSH_COMMAND=ssh git push --force"),
    ("Never run `git push --force`.", "cd app && git fetch; git push -f"),
    ("Never run `git push --force`.", "sudo -u deploy git push -f origin"),
    ("Never run `git push --force`.", "(git push -f)"),
    ("Never run `git push --force`.", "echo $(git push -f)"),
    ("Never run `git push --force`.", 'echo "done: $(git push -f)"'),
    ("Never run `git push --force`.", "if true; then git push -f; fi"),
    ("Never run `git push --force`.", "bash -lc 'git push -f'"),
    ("Never run `git push --force`.", 'eval "git push -f"'),
    ("Never run `git push --force`.", "git push \\\n  --force"),
    ("Never run `git push --force`.", "timeout 30 git push -f"),
    ("Never run `git push --force`.", "git -c user.name=x push --force"),
    ("Never use `git commit --no-verify`.", "git commit -nm 'x'"),
    ("Never use `git commit --no-verify`.", "git commit -am 'x' -n"),
    ("Never use `git branch -D`.", "git branch --delete --force x"),
    ("Never use `git branch -D`.", "git branch -d -f x"),
    ("Never run `git reset --hard`.", "git reset HEAD~1 --hard"),
    ("Never run `rm -rf`.", "rm -r -f build"),
    ("Never run `rm -rf`.", "rm --recursive --force build"),
    ("Never run `rm -rf build`.", "rm -fR build"),
    ("Never run `rm --recursive`.", "find . -name x | xargs -n 1 rm -R"),
    ("Do not run `docker system prune -a`.", "docker system prune --all --force"),
    ("Do not run `docker compose down -v`.", "docker-compose down --volumes"),
    ("Do not run `docker compose down --volumes`.", "docker compose -f x.yml down -v"),
    ("Never run `docker rm -f`.", "docker container rm --force db"),
    ("Never run `npm install --global`.", "npm i -g typescript"),
    ("Never run `npm install -g`.", "npm install typescript --global"),
    ("Never run `pip install --upgrade`.", "pip3 install -U requests"),
    ("Never run `pip install -r requirements.txt`.", "pip install --requirement=requirements.txt"),
    ("Never run `kubectl delete --namespace prod`.", "kubectl -n prod delete pod x"),
    ("Never run `kubectl delete -n prod`.", "kubectl delete pod x --namespace=prod"),
    ("Never run `kubectl apply -A`.", "kubectl apply --all-namespaces -f x.yml"),
    ("Never run `terraform apply -auto-approve`.", "terraform apply --auto-approve"),
    (
        "Never run `terraform apply -auto-approve`.",
        "TF_LOG=1 terraform -chdir=prod apply -auto-approve",
    ),
    ("Never use `curl -k`.", "curl --insecure https://x"),
    ("Never use `curl --insecure`.", "curl -sk https://x"),
    ("Never run `tool deploy --env=prod`.", "tool deploy --env prod"),
    ("Never run `tool deploy --env prod`.", "tool --env=prod deploy"),
    ("Never run `chmod -R 777`.", "sudo chmod --recursive 777 /srv"),
    ("Never run `kill -9`.", "kill -KILL 123"),
    ("Never run `make -j`.", "make --jobs test"),
    ("Avoid `mytool -xy`.", "mytool -y -x"),
    ("Never run `pytest -n 8`.", "pytest --numprocesses=8 tests"),
    ("Never run `git clean -fdx`.", "git clean -x -d --force"),
    ("Never run `git push --delete`.", "git push origin -d old"),
    *(
        ("Never run `pip install`; use `uv add`.", line)
        for line in (
            "python -m pip install x",
            "python3.12 -Im pip install x",
            "python -X dev -W error -m pip --quiet install x",
            ".venv/bin/python -m pip install x",
            "python.exe -m pip install x",
            "python -mpip install x",
            "py -3 -m pip install x",
            "uv pip install x",
            "uv --directory app pip install --system x",
            "uv run -m pip install x",
            "uv run python -m pip install x",
            "python -m uv pip install x",
            "pip2 install x",
            "pip3.12 install x",
            "/usr/local/bin/pip3.12 install x",
            "sudo -H env A=1 command pip3 install x",
        )
    ),
    ("Never run `pytest`; use `uv run pytest`.", "uv run pytest && pytest"),
    ("Never run `pytest`; use `uv run pytest`.", "coverage run -m pytest -q"),
    ("Never run `pip install`; use `.venv/bin/pip install`.", "pip install x"),
    ("Use `python3`, never `python`.", "python x.py"),
    ("Never run `clang`.", "clang-15 x.c"),
    ("Never run `python3`.", "python3.11 x.py"),
    ("Never run `jest`.", "corepack pnpm exec jest"),
    ("Never run `sudo npm install`.", "sudo npm install x"),
    ("Never use `sudo`.", "sudo ls"),
]
PASSES: list[tuple[str, str]] = [
    ("Never run `git push --force`.", "git push origin main"),
    ("Never run `git push --force`.", "git push --force-with-lease"),
    ("Never run `git push --force`.", "git fetch --force"),
    ("Never run `git push --force`.", "git add -f x && git push"),
    ("Never run `git push --force`.", "git push -n"),
    ("Never run `git push --force`.", "echo 'git push -f'"),
    ("Never run `git push --force`.", "git commit -m 'git push -f is bad'"),
    ("Never run `git push --force`.", "git log --grep='push -f'"),
    ("Never run `git push --force`.", "git push # -f"),
    ("Never run `git push --force`.", "git push; rm -f x"),
    ("Never run `git push --force`.", "git push origin force"),
    ("Never use `git commit --no-verify`.", "git push -n"),
    ("Never use `git commit --no-verify`.", "git commit -m 'never -n'"),
    ("Never use `git commit --no-verify`.", "git commit -m '-n'"),
    ("Never use `git branch -D`.", "git branch -d merged"),
    ("Never run `git reset --hard`.", "git reset --soft HEAD~1"),
    ("Never run `rm -rf`.", "rm -r build"),
    ("Never run `rm -rf`.", "rm -f x.txt"),
    ("Never run `rm -rf`.", "git rm -rf x"),
    ("Never run `rm -rf`.", "docker rm -f x"),
    ("Never run `rm -rf build`.", "rm -rf dist"),
    ("Do not run `docker system prune -a`.", "docker system prune"),
    ("Do not run `docker system prune -a`.", "docker ps -a"),
    ("Do not run `docker compose down -v`.", "docker compose down"),
    ("Do not run `docker compose down -v`.", "docker compose run -v /a:/b x"),
    ("Never run `npm install --global`.", "npm install typescript"),
    ("Never run `npm install --global`.", "npm ls -g"),
    ("Never run `pip install --upgrade`.", "pip install requests"),
    ("Never run `pip install --upgrade`.", "pip list -u"),
    ("Never run `kubectl delete --namespace prod`.", "kubectl -n staging delete pod x"),
    ("Never run `kubectl delete --namespace prod`.", "kubectl -n prod get pods"),
    ("Never run `kubectl delete --force`.", "kubectl delete -f x.yml"),
    ("Never run `terraform apply -auto-approve`.", "terraform apply"),
    ("Never run `terraform apply -auto-approve`.", "terraform plan -auto-approve"),
    ("Never use `curl -k`.", "curl -K config https://x"),
    ("Never use `curl --insecure`.", "curl -o k https://x"),
    ("Never run `tool deploy --env=prod`.", "tool deploy --env staging"),
    ("Never run `tool deploy --env prod`.", "tool deploy prod"),
    ("Never run `find -delete`.", "find . -type d -empty -exec ls -lt"),
    ("Never run `kill -9`.", "kill -15 9"),
    ("Never run `make -j`.", "make -B jobs"),
    ("Never run `git clean -fdx`.", "git clean -fd"),
    ("Never run `git checkout -f`.", "git checkout -- f"),
    ("Never run `sudo`-less `apt install`. Use `make test`.", "make test"),
    *(
        ("Never run `pip install`; use `uv add`.", line)
        for line in (
            "uv add x",
            "uv run x.py pip install",
            "python -m pip list",
            "python -u tool.py -m pip install x",
            "python -c 'import pip' -m pip install x",
            "python -m",
            "uv tool install pip",
            "uv pip list",
            "coverage run tool.py -m pip install",
            "git commit -m 'python -m pip install x'",
        )
    ),
    ("Never run `pytest`; use `uv run pytest`.", "uv run pytest -q"),
    ("Never run `pytest`; use `python -m pytest`.", "python -m pytest -q"),
    ("Use `uv run pytest` or use `uv run pytest -q`, never `pytest`.", "uv run pytest -q"),
    ("Never run `pip install`; use `.venv/bin/pip install`.", ".venv/bin/pip install x"),
    ("Use `python3`, never `python`.", "python3 x.py"),
    ("Use `pip3`, never `pip`.", "pip3 install x"),
    ("Never run `git push`; use `git push --dry-run`.", "git push --dry-run origin"),
    ("Never run `python2`.", "python x.py"),
    ("Never run `python2`.", "python3 x.py"),
    ("Never run `python3.1`.", "python3.11 x.py"),
    ("Never run `base`.", "base64 x"),
    ("Never run `./deploy`.", "./deploy2"),
    ("Never run `deploy`.", "scripts/deploy-2"),
    ("Never run `npm install`; `sudo npm install` is fine.", "npm ls"),
]


def warns(claim: str, line: str) -> bool:
    act = doing("Bash", {"command": line}, folder="/app", root="/app")
    return bool(speaking_up([Caution(memory="m_1", kind="rule", claim=claim)], act))


@requirement("hook.every-spelling-of-a-command")
@pytest.mark.parametrize(("claim", "line"), WARNS)
def test_every_spelling_of_a_command_is_warned_of(claim: str, line: str) -> None:
    assert warns(claim, line)


@requirement("hook.every-spelling-of-a-command")
@pytest.mark.parametrize(("claim", "line"), PASSES)
def test_a_command_that_only_looks_alike_is_not_warned_of(claim: str, line: str) -> None:
    assert not warns(claim, line)


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("tool -abc", {("-a", None), ("-b", None), ("-c", None)}),
        ("tool -verbose", {("-verbose", None)}),
        ("tool -j4", {("-j4", None)}),
        ("tool -4j", {("-4j", None)}),
        ("git push -4f", {("-4", None), ("--force", None)}),
        ("tool -o=x", {("-o", "x")}),
        ("kubectl get -nprod", {("--namespace", "prod")}),
        ("kubectl get -n", {("--namespace", None)}),
        ("tar -xf a.tar", {("--get", None), ("--file", "a.tar")}),
        ("find . -delete", {("-delete", None)}),
        ("tool - --x -- -y", {("--x", None)}),
        ("psql -1", {("--single-transaction", None)}),
        ("pytest -s", {("--capture=no", None)}),
    ],
)
def test_options_are_read_in_one_form(line: str, options: set[tuple[str, str | None]]) -> None:
    assert invocation(line.split()).options == options


def test_a_program_has_all_the_names_a_claim_may_use() -> None:
    assert program_names("/usr/bin/pip3") == ("pip3", "pip")
    assert program_names("pip") == ("pip", "pip3")
    assert program_names("docker-compose") == ("docker-compose", "docker")
    assert program_names("docker") == ("docker", "docker-compose")
    assert program_names("git") == ("git",)
    assert program_names("/opt/bin/python3.11") == ("python3.11", "python")
    assert program_names("pip3.11") == ("pip3.11", "pip3", "pip")
