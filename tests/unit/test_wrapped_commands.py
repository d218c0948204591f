"""The commands that other commands start, so that a rule about one cannot be walked around."""

from __future__ import annotations

import pytest

from holdfast.domain.sessions.alerting import Caution, speaking_up
from holdfast.domain.sessions.tool_action import doing, simple_commands
from tests.requirements import requirement

RULE = Caution(memory="m_1", kind="rule", claim="Never run `terraform apply` from a laptop.")
APPLY = "terraform apply"


def is_met(line: str) -> bool:
    act = doing("Bash", {"command": line}, folder="/app", root="/app")
    return bool(speaking_up([RULE], act))


@requirement("hook.wrapped-commands-are-seen")
@pytest.mark.parametrize(
    "line",
    [
        APPLY,
        "/usr/local/bin/terraform apply -auto-approve",
        "timeout 5 terraform apply",
        "timeout -s KILL --kill-after=3 5m terraform apply",
        "eval 'terraform apply'",
        "eval terraform apply",
        "echo apply | xargs terraform",
        "echo x | xargs -n 1 -I{} sh -c 'terraform apply {}'",
        "ssh host terraform apply",
        "ssh -p 22 -o StrictHostKeyChecking=no me@host 'cd infra && terraform apply'",
        "nohup terraform apply &",
        "nice -n 5 terraform apply",
        "env -i A=1 B=2 terraform apply",
        "env -S 'terraform apply'",
        "sudo -u deploy -E terraform apply",
        "sudo -Eu deploy terraform apply",
        "bash -c 'terraform apply'",
        "bash -lc 'terraform apply'",
        "sh -e -c 'terraform apply' x y",
        "/bin/sh -xc 'terraform apply'",
        "command terraform apply",
        "exec -a x terraform apply",
        "watch -n 5 terraform apply",
        "watch 'terraform apply'",
        "parallel terraform ::: apply",
        "echo apply | parallel terraform",
        "stdbuf -oL setsid ionice -c 3 terraform apply",
        "sudo nice env X=1 timeout 3 bash -c 'nohup terraform apply'",
        "if true; then terraform apply; fi",
        "while true; do terraform apply; done",
        "! terraform apply",
        "{ terraform apply; }",
        "time -p terraform apply",
        "su - deploy -c 'terraform apply'",
        "runuser -u deploy -- terraform apply",
        "script -qc 'terraform apply' /dev/null",
        "flock /tmp/lock terraform apply",
        "flock -c 'terraform apply' /tmp/lock",
        "find . -name x -exec terraform apply {} \\;",
        "docker exec -it -e A=1 box terraform apply",
        "docker --context prod exec box terraform apply",
        "docker compose -f prod.yml exec -T infra terraform apply",
        "docker run --rm -v /x:/x hashicorp/terraform:1.9 apply",
        "kubectl -n infra exec pod/x -c main -- terraform apply",
        "npx -y terraform apply",
        "npx --call 'terraform apply'",
        "poetry run terraform apply",
        "uv run --with x terraform apply",
        "aws-vault exec prod -- terraform apply",
        "op run --env-file=.env -- terraform apply",
        "direnv exec . terraform apply",
        "nix-shell -p terraform --run 'terraform apply'",
        "nix develop -c terraform apply",
        "strace -f -o out terraform apply",
        "systemd-run --scope -p X=1 terraform apply",
        "chroot /srv terraform apply",
        "echo 'terraform apply' | bash",
        "printf 'terraform apply' | sh -s",
        "bash <<< 'terraform apply'",
        "bash <<EOF\nterraform apply\nEOF",
        "ssh host <<'EOF'\ncd infra\nterraform apply\nEOF",
        "cat <<EOF | sh\nterraform apply\nEOF",
        "x=$(terraform apply)",
        "trap 'terraform apply' EXIT",
        "trap -- 'cd infra; terraform apply' EXIT INT",
        "heroku run 'terraform apply'",
        "heroku run -a shop 'cd infra && terraform apply'",
        "git submodule foreach --recursive terraform apply",
        "git submodule foreach 'cd infra; terraform apply'",
        "git bisect run terraform apply",
        "git -C x rebase --exec 'terraform apply' main",
        "git rebase -i -x 'terraform apply' main",
        "git rebase --exec='terraform apply' main",
        "git filter-branch --tree-filter 'terraform apply' HEAD",
        "git -c alias.go='!terraform apply' go",
        "git config --global alias.go '!terraform apply' && git go",
        "git -c alias.a=log submodule foreach 'terraform apply'",
        "git -c alias.a=log rebase -x 'terraform apply' main",
        "git -c alias.go='!terraform' go apply",
        "git clone -c alias.go='!terraform apply' https://example.com/x",
        "git clone --config=alias.go='!terraform apply' https://example.com/x",
        "git -C x --git-dir y config set --global alias.go '!terraform apply'",
        "alias go='terraform apply'; go",
        "tmux new-session -d -s x 'terraform apply'",
        "tmux new -d terraform apply",
        "tmux send-keys -t x 'terraform apply' Enter",
        "screen -dmS x terraform apply",
        "screen -S x -dm terraform apply",
        "gdb --args terraform apply",
        "perf stat -r 3 terraform apply",
        "hyperfine --warmup 1 'make test' 'terraform apply'",
        "hyperfine --prepare 'terraform apply' 'make test'",
        "xvfb-run -a terraform apply",
        "dbus-run-session -- terraform apply",
        "fakeroot -- terraform apply",
        "faketime '2020-01-01' terraform apply",
        "rlwrap -a terraform apply",
        "lxc exec box -- terraform apply",
        "gcloud compute ssh box --zone a --command 'terraform apply'",
        "gcloud compute ssh box --command='terraform apply'",
        "lerna exec -- terraform apply",
        "repo forall infra -c terraform apply",
        "repo forall -c 'terraform apply'",
        "wsl -d Debian -- terraform apply",
        "wsl terraform apply",
        "repo forall -c terraform apply -- prod",
        "repo forall -c 'terraform apply' -- prod",
        "nix develop -c terraform apply -- prod",
        "cmd /d /c terraform apply",
        "cmd /c terraform apply -- x",
        "cmd /c 'terraform apply' x",
        "cmd.exe /c 'terraform apply'",
        "at now <<< 'terraform apply'",
        "echo 'terraform apply' | at now",
        "retry -t 3 terraform apply",
        "$'terraform' app$'ly'",
        "terraform $'\\x61\\160ply'",
        "$'\\u0074erraform' apply",
        "$'\\U00000074erraform' apply",
        "$'\\564erraform' apply",
        "bash -c $'cd \\'my infra\\'\\nterraform apply'",
    ],
)
def test_a_command_is_seen_however_it_is_started(line: str) -> None:
    assert is_met(line)


@requirement("hook.wrapped-commands-are-seen")
@pytest.mark.parametrize(
    "line",
    [
        "terraform plan",
        "timeout 5 terraform plan",
        "echo terraform apply",
        "git commit -m 'terraform apply'",
        "grep -rn 'terraform apply' docs",
        "cat > notes.md <<'EOF'\nterraform apply\nEOF",
        "bash deploy.sh terraform apply",
        "ssh host",
        "sudo -v",
        "env",
        "xargs",
        "find . -name terraform",
        "docker run",
        "docker ps",
        "docker compose up",
        "kubectl get pods exec",
        "bash -c",
        "then",
        "echo apply | wc",
        "trap - EXIT",
        "alias",
        "alias apply='terraform plan'",
        "git config alias.go",
        "git -c alias.go='log --grep terraform' go apply",
        "git commit -m 'alias.go=!terraform apply'",
        "git log --grep alias.go '!terraform apply'",
        "git tag -c alias.go='!terraform apply'",
        "git config --get alias.go '!terraform apply'",
        "git config --unset-all alias.go '!terraform apply'",
        "git config unset --global alias.go '!terraform apply'",
        "git --config-env alias.go='!terraform apply' go",
        "git submodule update terraform apply",
        "git rebase terraform apply",
        "tmux new-session -s terraform",
        "tmux rename-window 'terraform apply'",
        "hyperfine 'echo terraform apply'",
        "screen -ls",
        "gdb terraform apply",
        "$'echo' 'terraform apply'",
        "$'\\UFFFFFFFFterraform' apply",
        "kubectl exec web -c terraform apply",
    ],
)
def test_a_command_that_starts_nothing_of_the_kind_is_left_alone(line: str) -> None:
    assert not is_met(line)


def test_a_command_that_starts_another_is_a_command_too() -> None:
    line = "ssh host ls; docker exec box ls; find . -exec rm x +; find . -ok rm y"

    assert list(simple_commands(line)) == [
        ("ssh", "host", "ls"),
        ("ls",),
        ("docker", "exec", "box", "ls"),
        ("ls",),
        ("find", ".", "-exec", "rm", "x", "+"),
        ("rm", "x"),
        ("find", ".", "-ok", "rm", "y"),
        ("rm", "y"),
    ]


@pytest.mark.parametrize(
    ("line", "started"),
    [
        ('git -c alias.p=push p --force "it\'s"', ("git", "push", "--force", "it's")),
        ("git -c alias.p='!make' -c x.y=z p all", ("make", "all")),
        ("kubectl exec web -c main -- ls", ("ls",)),
    ],
)
def test_a_started_command_has_its_own_words(line: str, started: tuple[str, ...]) -> None:
    _itself, *rest = simple_commands(line)

    assert rest == [started]


@pytest.mark.parametrize(
    "line",
    [
        "git commit -m 'alias.p=push --force'",
        "git log --grep alias.x foo",
        "git config --get alias.co",
        "git config alias.co",
        "git -c alias.co= status",
    ],
)
def test_a_word_that_defines_no_alias_starts_nothing(line: str) -> None:
    assert len(list(simple_commands(line))) == 1


@pytest.mark.parametrize(
    ("written", "meant"),
    [("\\U0001F980", "\U0001f980"), ("\\cA", "\x01"), ("\\E", "\x1b"), ("\\c", "c")],
)
def test_an_escape_is_read_as_the_character_it_stands_for(written: str, meant: str) -> None:
    assert list(simple_commands(f"echo $'{written}'")) == [("echo", meant)]


@requirement("hook.wrapped-commands-are-seen")
@pytest.mark.parametrize("wrapper", ["sudo ", "nice sudo ", "docker run sudo ", "find . -exec "])
def test_a_long_chain_of_wrappers_hides_nothing(wrapper: str) -> None:
    most = 15_000 // len(wrapper)

    assert is_met(wrapper * most + APPLY)


def test_a_command_that_is_started_in_two_ways_is_read_once() -> None:
    found = list(simple_commands("docker run sudo docker run sudo make test"))

    assert found.count(("make", "test")) == 1
