"""A key on several branches: it names the memory that the checkout sees, and is never lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.cli.test_anchors import git, write
from tests.requirements import requirement

OLD, NEW = "The queue is RabbitMQ.", "The queue is Kafka."
KEYED = ("remember", "--key", "queue", "--because", "agreed")


@pytest.fixture
def program(repository: Path, tmp_path: Path) -> Program:
    """A memory with a key on main, and a branch with a commit of its own."""
    ours = Program(home=tmp_path / "home", folder=repository)
    write(repository, "a.py", "a = 1\n")
    ours(*KEYED, OLD).well()
    git(repository, "checkout", "-q", "-b", "feature")
    write(repository, "b.py", "kafka = 2\n")
    return ours


def claim(program: Program, reference: str = "queue") -> str:
    return str(program("show", reference, "--json").well().json["data"]["claim"])


def replaced(program: Program) -> str:
    """Replace the memory on this branch by an agent's candidate without a key."""
    cited = ("--origin", "agent", "--evidence", "b.py:1")
    name = program("remember", *cited, NEW).well().id
    done = program("resolve", name, "queue", "--supersede", "--json").well().json
    return str(done["decision"]["id"])


@requirement("branch.keys")
def test_a_key_names_the_memory_of_the_checkout(program: Program) -> None:
    program(*KEYED, NEW).well()

    assert claim(program) == NEW
    git(program.folder, "checkout", "-q", "main")
    assert claim(program) == OLD
    git(program.folder, "merge", "-q", "--no-edit", "feature")
    assert claim(program) == NEW


@requirement("branch.keys")
@requirement("key.inherits")
@pytest.mark.parametrize("label", ["Q-1", "DEC-001"])
@pytest.mark.parametrize("verb", ["remember", "edit"])
def test_a_label_names_the_memory_of_the_checkout(program: Program, label: str, verb: str) -> None:
    program("pin", "queue", "--label", label).well()
    words = (*KEYED, NEW) if verb == "remember" else ("edit", label, "--claim", NEW)
    program(*words).well()

    assert claim(program, label) == NEW
    git(program.folder, "checkout", "-q", "main")
    assert claim(program, label) == OLD
    git(program.folder, "merge", "-q", "--no-edit", "feature")
    assert claim(program, label) == NEW


@requirement("branch.keys")
def test_what_is_replaced_on_a_branch_is_not_called_accepted(program: Program) -> None:
    name = program("remember", "--origin", "agent", "--evidence", "b.py:1", NEW).well().id
    old = program("show", "queue", "--json").well().json["data"]["id"]

    done = program("resolve", name, "queue", "--supersede").well()

    assert f"replaced {old}" in done.out
    assert f"accepted {old}" not in done.out
    assert "stays accepted where the branch is not merged" in done.err


@requirement("branch.keys")
def test_a_successor_on_a_branch_takes_over_the_key_there(program: Program) -> None:
    replaced(program)

    assert claim(program) == NEW
    git(program.folder, "checkout", "-q", "main")
    assert claim(program) == OLD
    git(program.folder, "merge", "-q", "--no-edit", "feature")
    assert claim(program) == NEW
    assert OLD not in program("recall", "which queue do we use").well().out


@requirement("branch.keys")
def test_the_key_stays_where_the_branch_is_deleted_or_the_decision_undone(
    program: Program,
) -> None:
    decision = replaced(program)
    git(program.folder, "checkout", "-q", "main")
    git(program.folder, "branch", "-q", "-D", "feature")

    assert claim(program) == OLD
    program("undo", decision).well()
    assert claim(program) == OLD
    assert program(*KEYED, "The queue is NATS.").well().id
    assert claim(program) == "The queue is NATS."


@requirement("branch.keys")
def test_a_key_that_several_memories_have_here_is_refused(program: Program) -> None:
    program("remember", "--scope", "global", *KEYED[1:], NEW).well()

    refused = program("show", "queue")

    assert refused.code == 2
    assert "Several memories have the key queue" in refused.err
