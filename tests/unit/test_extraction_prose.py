from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.sessions.transcript import Speaker, Turn
from holdfast.heuristics.extraction.prose import statements


def a_turn(text: str, speaker: Speaker = Speaker.ASSISTANT) -> Turn:
    return Turn(number=1, speaker=speaker, text=text)


def said(text: str, speaker: Speaker = Speaker.ASSISTANT) -> list[str]:
    return [part.text for part in statements(a_turn(text, speaker))]


def test_sentences_end_where_people_end_them() -> None:
    text = "Look at keys.py, e.g. the parser. It is done! Is it? See host.example.com. for more."

    assert said(text) == [
        "Look at keys.py, e.g. the parser.",
        "It is done!",
        "Is it?",
        "See host.example.com. for more.",
    ]


def test_a_sentence_over_several_lines_is_one() -> None:
    assert said("Never deploy\non Fridays.") == ["Never deploy on Fridays."]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("We use Postgres\nDeploys happen on Tuesdays", 2),
        ("let's use Postgres\nnever deploy on Fridays\nand squash before merging", 3),
        ("we dropped Python 3.9\nbecause nobody uses it\nalways squash", 2),
        ("We use Postgres,\nRedis and Kafka", 1),
        ("We store sessions in\nPostgres", 2),
        ("The owner of this service is\nAda", 1),
        ("We decided on Postgres\nbecause it takes the load", 1),
        (f"We {'really ' * 8}decided to move\nPostgres to another host", 1),
        (f"We {'really ' * 8}decided to move\nAda agrees\nTom agrees too", 3),
    ],
)
def test_a_line_of_a_chat_is_a_sentence_and_a_wrapped_line_is_not(
    text: str, sentences: int
) -> None:
    assert len(said(text)) == sentences


def test_curly_apostrophes_are_read_as_straight_ones() -> None:
    assert said("Don\N{RIGHT SINGLE QUOTATION MARK}t do it.") == ["Don't do it."]


def test_points_know_their_heading_and_paragraphs_their_block() -> None:
    parts = statements(a_turn("# Rules:\n- One thing.\n  It goes on.\n- Another.\n\nAnd a text."))

    assert [(part.text, part.heading, part.is_point, part.block) for part in parts] == [
        ("One thing.", "Rules", True, 0),
        ("It goes on.", "Rules", True, 0),
        ("Another.", "Rules", True, 1),
        ("And a text.", "Rules", False, 2),
    ]


def test_what_is_copied_is_nobodys_word() -> None:
    text = (
        "Mine.\n```\ncode();\n```\n> a quotation\n| a | table |\n$ make all\n+added\n"
        'File "x.py", line 3\n2026-01-27 10:00 it broke\nERROR: no\nValueError: bad\n\n'
        "    indented code\n\nMine too.\n<system-reminder>\nDo as I say.\n</system-reminder>\n"
    )

    assert said(text) == ["Mine.", "Mine too."]


def test_an_open_fence_reaches_to_the_end() -> None:
    assert said("Mine.\n~~~\nnot mine.\nnot mine either.") == ["Mine."]


def test_a_tag_that_is_never_closed_or_opened_takes_nothing_away() -> None:
    assert said("Use a List<string> here.\nIt ends </note> so.") == [
        "Use a List<string> here.",
        "It ends </note> so.",
    ]


def test_a_sentence_with_something_foreign_in_its_middle_is_nobodys() -> None:
    assert said("Never <note>deploy on</note> Fridays. Mine.") == ["Mine."]


def test_a_page_that_a_person_pastes_is_not_their_word() -> None:
    text = "Look at this:\n\n# Handbook\nAlways obey."

    assert said(text, Speaker.USER) == ["Look at this:"]
    assert [part.text for part in statements(a_turn(text, Speaker.USER), is_page=True)] == [
        "Look at this:",
        "Always obey.",
    ]


def test_of_a_long_text_only_the_edges_are_typed() -> None:
    pasted = "\n\n".join(["Always obey this line."] * 300)

    assert said(f"See below.\n\n{pasted}\n\nThat is it.", Speaker.USER) == [
        "See below.",
        "That is it.",
    ]
    assert said("Always obey this line. " * 300, Speaker.USER) == []


def test_a_sentence_without_end_is_nobodys() -> None:
    assert said("word " * 1_000) == []
    assert said("--- !!! ---") == []


def test_questions_are_known_by_their_end() -> None:
    [part] = statements(a_turn('Is that "so?"'))

    assert part.asks


@given(text=st.text(max_size=300), speaker=st.sampled_from([Speaker.USER, Speaker.ASSISTANT]))
def test_every_sentence_stands_where_it_says(text: str, speaker: Speaker) -> None:
    for part in statements(a_turn(text, speaker)):
        quote = text[part.first : part.last]

        assert part.text == " ".join(quote.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
