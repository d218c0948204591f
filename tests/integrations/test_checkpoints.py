"""LangGraph's checkpointer, by its conformance suite and beside its own in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any, TypedDict

import pytest

from tests.requirements import requirement
from torture.frameworks.installed import install


class Log(TypedDict):
    log: list[str]


@pytest.fixture
def saver(place: str, tenant: str) -> Iterator[Any]:
    install("langgraph.graph")
    from holdfast.integrations.langgraph import HoldfastSaver

    opened = HoldfastSaver(place, tenant=tenant)
    yield opened
    opened.close()


@requirement("frameworks.langgraph-checkpointer")
def test_the_conformance_suite_passes(saver: Any) -> None:
    install("langgraph.checkpoint.conformance")
    from langgraph.checkpoint.conformance import checkpointer_test, validate

    async def savers() -> AsyncIterator[Any]:
        yield saver

    report = asyncio.run(validate(checkpointer_test(name="HoldfastSaver")(savers)))

    assert report.passed_all()


@requirement("frameworks.langgraph-checkpointer")
def test_a_graph_goes_on_as_with_the_reference(saver: Any) -> None:
    from langgraph.checkpoint.memory import InMemorySaver

    assert run_through(saver) == run_through(InMemorySaver())


def run_through(saver: Any) -> Any:
    """Run a graph that is interrupted and goes on; return what its history looks like."""
    from langgraph.graph import END, START, StateGraph
    from langgraph.types import Command, interrupt

    def ask(state: Log) -> Log:
        answer = interrupt({"question": "age?"})
        return {"log": [*state["log"], f"age {answer}"]}

    def note(state: Log) -> Log:
        return {"log": [*state["log"], "noted ü\r\n"]}

    builder: Any = StateGraph(Log)
    builder.add_node("note", note)
    builder.add_node("ask", ask)
    builder.add_edge(START, "note")
    builder.add_edge("note", "ask")
    builder.add_edge("ask", END)
    graph = builder.compile(checkpointer=saver)
    config: Any = {"configurable": {"thread_id": "t1"}}

    first = graph.invoke({"log": []}, config)
    waiting = [one.interrupts[0].value for one in graph.get_state(config).tasks]
    last = graph.invoke(Command(resume=41), config)
    history = [
        (one.values, one.next, one.metadata["step"]) for one in graph.get_state_history(config)
    ]
    forked = graph.invoke(Command(resume=7), list(graph.get_state_history(config))[1].config)
    return [first["log"], waiting, last, history, forked["log"]]


@requirement("frameworks.refuse-in-their-words")
def test_a_state_with_a_secret_is_refused(saver: Any) -> None:
    from langgraph.graph import START, StateGraph

    def leak(state: Log) -> Log:
        return {"log": [*state["log"], "the password is hunter2-and-more"]}

    builder: Any = StateGraph(Log)
    builder.add_node("leak", leak)
    builder.add_edge(START, "leak")
    graph = builder.compile(checkpointer=saver)

    with pytest.raises(ValueError, match="looks like a secret"):
        graph.invoke({"log": []}, {"configurable": {"thread_id": "1"}})


def test_an_unknown_strategy_is_refused(saver: Any) -> None:
    with pytest.raises(ValueError, match="must be keep_latest or delete"):
        saver.prune(["t"], strategy="all")
    assert saver.space
