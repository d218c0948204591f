"""The names in a text that lead to other memories, and what following them adds to a score."""

from __future__ import annotations

import pytest

from holdfast.domain.memory.followed_names import MOST_FOLLOWED, followed_names, share_of_names
from holdfast.domain.recall.following import follow, unasked
from holdfast.domain.recall.weighing import Board, ScoredHit, Weights
from tests.builders import a_memory, a_record


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("It is a song by Hank Snow, who lived there.", ("hank snow",)),
        ("The song of the Bank of the Ohio.", ("bank of the ohio",)),
        ("They moved to Nashville and stayed.", ("nashville",)),
        ("Tokens rotate. Nashville is far.", ()),
        ("They fly a Boeing 747 of the old kind.", ("boeing 747",)),
        ("In 1990 the Royal Mint moved.", ("royal mint",)),
        ("She met Bob Dylan's band at O'Hare Field.", ("bob dylan", "o'hare field")),
        ("We call it “blue lantern” here.", ("blue lantern",)),
        ('The flag is "on" today.', ()),
        ('The flag is "enabled" today.', ()),
        ("See retry_amber in src/app.py.", ("retry_amber", "src/app.py")),
        ("The jobQueue and the HttpClient wait.", ("jobqueue", "httpclient")),
        ("The note of DEC-001 is old.", ("dec-001", "dec 001")),
        ("a_b is too short.", ()),
        ("The One Two Three Four Five Six Seven Eight.", ()),
        ("nothing here has a name", ()),
        ("", ()),
    ],
)
def test_names_are_capitalised_quoted_or_identifiers(text: str, names: tuple[str, ...]) -> None:
    assert followed_names(text) == names


def test_a_text_of_many_names_gives_a_few() -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    text = ", ".join(f"{one}da {two}ing" for one in letters for two in "KLM")

    assert len(followed_names(text)) == MOST_FOLLOWED


def test_a_name_that_the_question_contains_leads_nowhere_new() -> None:
    assert unasked(["hank snow", "royal mint"], ["where", "snow", "hank"]) == ("royal mint",)


def the_board(**cosines: float | None) -> Board:
    """Return four hits; the first is the best."""
    hits = {number: ScoredHit(number) for number in (1, 2, 3, 4)}
    for number, hit in hits.items():
        hit.cosine = cosines.get(f"of_{number}", 0.5)
        hit.meaning = 0.5
        hit.add("meaning", 1.0 if number == 1 else 0.2)
    return hits


SOURCE = a_record(a_memory(), sequence=1)


def test_a_rarer_name_adds_more_and_the_note_shows_the_path() -> None:
    board = the_board()

    follow(
        board,
        [(SOURCE, ("hank snow", "oslo"))],
        {"hank snow": (1, 2), "oslo": (1, 2, 3, 4)},
        Weights(mention=0.5),
    )

    assert board[2].amount("mention") > board[3].amount("mention") > 0
    assert board[2].parts["mention"][1] == f"{SOURCE.memory.id} mentions hank snow"
    assert board[1].amount("mention") == 0


def test_a_memory_unlike_the_question_gets_nothing_and_one_without_a_vector_little() -> None:
    board = the_board(of_3=None)
    board[2].meaning = -0.3

    follow(board, [(SOURCE, ("hank snow",))], {"hank snow": (1, 2, 3)}, Weights(mention=0.5))

    assert board[2].amount("mention") == 0
    assert board[3].amount("mention") > 0


def test_no_memory_rises_above_the_best_hit() -> None:
    board = the_board()

    follow(board, [(SOURCE, ("hank snow",))], {"hank snow": (1, 2)}, Weights(mention=50.0))

    assert board[2].score < board[1].score


def test_a_mention_adds_only_what_a_link_did_not() -> None:
    board = the_board()
    board[2].add("link", 0.9)

    follow(board, [(SOURCE, ("hank snow",))], {"hank snow": (1, 2)}, Weights(mention=0.5))

    assert board[2].amount("mention") == 0


def test_a_source_whose_names_nobody_mentions_adds_nothing() -> None:
    board = the_board()

    follow(board, [(SOURCE, ("hank snow",)), (SOURCE, ())], {}, Weights())

    assert not any(hit.amount("mention") for hit in board.values())


def test_a_list_is_mostly_names_and_prose_is_not() -> None:
    assert share_of_names("Rooms: Grebe Ledger, Kestrel Sweep, Ida Ferro, Bram Stoltz.") > 0.8
    assert share_of_names("It was shot for the Senja Film Fund by two people in a boat.") < 0.3
    assert share_of_names("`Kelp Tide` `Kelp Tide`") <= 1
    assert share_of_names("") == 0
