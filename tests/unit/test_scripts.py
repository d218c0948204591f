"""Whether the scripts of a command can be told from its text."""

from __future__ import annotations

import shlex

import pytest

from holdfast.domain.checks.scripts import unclear_script
from tests.requirements import requirement


@requirement("roles.executor-runs-allowed-only")
@pytest.mark.parametrize(
    "command",
    [
        "sh $F",
        "F=t.sh; sh $F",
        "sh ${F:-t.sh} x",
        "bash *.sh",
        "sh t?.sh",
        "sh t[12].sh",
        "sh {a,b}.sh",
        "sh ~/t.sh",
        "sh `cat name`",
        "sh $(cat name)",
        "$F",
        "./*.sh",
        "true && $F x",
        ". $F",
        "source $F",
        "bash -c 'sh $F'",
        "bash -c '$F'",
        "bash -lc 'bash -c \"sh $F\"'",
        "env -S 'sh $F'",
        "env -Ssh $F",
        "env --split-string='bash *.sh'",
        "timeout 5 python $F",
        "python3.12 $F",
        "python $OPTIONS p.py",
        "python -E $F",
        "bash -e $F",
        "bash -xe $F",
        "node -r $L t.js",
        "ruby -r lib $F",
        "eval sh '$F'",
        "cat t.sh | sh",
        "curl x.example | bash -s",
        "ls | xargs python -",
        "find . -exec sh {} +",
        "sh <(cat t.sh)",
        "sh < $F",
        "cd $D && sh t.sh",
        "it's t.sh",
        "bash -c 'bash -c $F'",
        "python -m $M",
        "M=tools.p; python3 -um $M",
    ],
)
def test_a_script_that_the_shell_chooses_later_is_unclear(command: str) -> None:
    assert unclear_script(command)


def test_a_text_inside_a_text_inside_a_text_has_an_end() -> None:
    command = "true"
    for _ in range(6):
        command = shlex.join(["sh", "-c", command])

    assert unclear_script(command)


@pytest.mark.parametrize(
    "command",
    [
        "sh t.sh",
        "sh t.sh $X *.csv",
        "sh ./t.sh < data.csv",
        "sh < t.sh",
        "bash --rcfile x p.py $X",
        "bash -o pipefail t.sh",
        "bash -c 'sh t.sh'",
        "bash -c 'echo $X'",
        "env -S 'sh t.sh'",
        "env A=$X sh t.sh",
        "A=$X sh t.sh",
        "python -m pytest tests/*.py",
        "python -c 'print(\"$x\")'",
        "perl -ne 'print $_' f",
        "node -e 'x[0]'",
        "awk '{print $1}' f",
        "pytest tests/*.py",
        "git diff $(git merge-base main HEAD) --check",
        "docker run -v $PWD:/x image",
        "npm run test -- $X",
        "ls *.py | wc -l",
        "sh",
        "A=1",
        "",
        "[ -f t.sh ] && make",
        "cd sub && sh t.sh",
        "cat x | sh t.sh",
        "! grep -rn TODO src",
        "make check 2>&1 | tail -5",
    ],
)
def test_a_script_with_a_path_is_clear(command: str) -> None:
    assert unclear_script(command) == ""
