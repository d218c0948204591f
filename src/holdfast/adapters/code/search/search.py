"""Searches code by words, by the names in a question, by the call graph, and by meaning."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.adapters.code.parsing.certainty import Certainty
from holdfast.adapters.code.queries import SQL
from holdfast.adapters.code.search.mentions import prose_share, read_question
from holdfast.adapters.code.search.neighbours import around
from holdfast.adapters.code.search.pointing import Pointing
from holdfast.adapters.code.search.wording import TokenReader, is_test, shelf_of
from holdfast.domain.choices import PassageKind
from holdfast.domain.code.code import Symbol, SymbolPlace
from holdfast.domain.code.code_ranking import CodeWeights, Ranked, term_weights, weigh_words
from holdfast.domain.recall.bundle import Passage, Reason
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    import apsw

    from holdfast.adapters.code.search.mentions import ParsedQuestion
    from holdfast.adapters.code.search.pointing import Point
    from holdfast.adapters.code.search.wording import IndexedPaths
    from holdfast.domain.code.code_ranking import NearSymbol

    Read = Callable[[str], list[str] | None]

_DEFAULT = CodeWeights()
_NOTHING_NEAR: Mapping[int, NearSymbol] = MappingProxyType({})
_PER_FILE = 3
_WORTH_SHOWING = 0.4
_FURTHER = 0.8
_NAMED = 0.5
# The qualified name of a symbol says which part of its file is asked for, so it outweighs the words
# of the other parts. Chosen by hand, with questions to the source of Express.
_NAMED_WHOLE = 3.0
_SEEDS = 5
_AROUND_A_SEED = 12
_BESIDE = 6
_PATH_ALONE = 0.5


def search(
    connection: apsw.Connection,
    question: str,
    *,
    limit: int,
    read: Read,
    weights: CodeWeights = _DEFAULT,
    near: Mapping[int, NearSymbol] = _NOTHING_NEAR,
) -> list[Passage]:
    """Return the best passages, best first, with their current text in the checkout.

    ``near`` are the symbols whose documentation or body is near the question, by number.
    """
    shelf = shelf_of(connection)
    if limit <= 0 or not shelf.paths:
        return []
    return _Search(connection, shelf, weights, near).found(read_question(question), limit, read)


class _Piece(NamedTuple):
    """A chunk of a file, with its symbol."""

    chunk: int
    first: int
    last: int
    number: int | None
    symbol: Symbol | None


class _Search:
    """One search over one index."""

    def __init__(
        self,
        connection: apsw.Connection,
        shelf: IndexedPaths,
        weights: CodeWeights,
        near: Mapping[int, NearSymbol],
    ) -> None:
        self._connection = connection
        self._shelf = shelf
        self._weights = weights
        self._near = near
        self._fits: Mapping[int, float] = {}
        self._points: Sequence[Point] = ()
        self._defined: Collection[str] = ()
        self._pieces: dict[int, list[tuple[_Piece, float]]] = {}

    def found(self, said: ParsedQuestion, limit: int, read: Read) -> list[Passage]:
        """Score every file, then return the best chunks of the best files."""
        wording = TokenReader(self._connection, self._shelf)
        wants_tests = wording.speaks_of_tests(wording.count(said.title))
        board = self._named(said, wants_tests=wants_tests)
        self._weigh_words(said, board, wording, wants_tests=wants_tests)
        if not wants_tests:
            # Tests have no vectors: their likeness would only raise what they test.
            self._weigh_meaning(said, board)
        self._follow_calls(board)
        passages: list[tuple[Passage, SymbolPlace | None]] = []
        files = 0
        for file in _order(board):
            shown = list(self._passages(file, board[file], read))
            passages += shown
            files += bool(shown)
            if files >= limit:
                break
        passages.sort(key=lambda each: -each[0].score)
        return [self._beside(passage, place) for passage, place in passages[:limit]]

    def _named(self, said: ParsedQuestion, *, wants_tests: bool) -> dict[int, Ranked]:
        pointing = Pointing(
            self._connection, said, self._shelf.paths, self._weights, wants_tests=wants_tests
        )
        pointing.weigh()
        self._points = pointing.points
        self._defined = pointing.defined
        return pointing.board

    def _weigh_words(
        self,
        said: ParsedQuestion,
        board: dict[int, Ranked],
        wording: TokenReader,
        *,
        wants_tests: bool,
    ) -> None:
        title, prose, code = (wording.count(text) for text in (said.title, said.prose, said.code))
        asked = term_weights(title, prose, code, self._weights)
        words = wording.worth_asking(asked)
        scores = weigh_words(
            wording.postings(list(words)),
            list(words.values()),
            self._shelf.lines,
            self._shelf.size,
            self._weights,
        )
        self._fits = scores.chunks
        for file, score in scores.files.items():
            amount, note = scores.strength * score, ""
            if not wants_tests and is_test(self._shelf.paths[file]):
                amount, note = self._weights.a_test * amount, "a test"
            board.setdefault(file, Ranked()).add("words", amount, note)
        for file, (share, held) in wording.on_paths(asked).items():
            amount = self._weights.path_words * share
            if wording.of_name(self._shelf.paths[file]) <= title.keys():
                amount += self._weights.path_in_title
            strength = max(scores.strength, _PATH_ALONE)
            board.setdefault(file, Ranked()).add("path", strength * amount, " ".join(held))

    def _weigh_meaning(self, said: ParsedQuestion, board: dict[int, Ranked]) -> None:
        """Raise the score of files with a symbol that is near the question.

        The name of a defined symbol is no prose: its vector says little, and its definition is
        what the question asks for. So meaning counts by the share of the other words.
        """
        share = prose_share(said, self._defined)
        nearest: dict[int, NearSymbol] = {}
        for one in self._near.values():
            if one.file in self._shelf.paths and (
                one.file not in nearest or one.likeness > nearest[one.file].likeness
            ):
                nearest[one.file] = one
        for file, one in nearest.items():
            amount = share * self._weights.meaning * one.likeness
            board.setdefault(file, Ranked()).add("meaning", amount, one.name)

    def _follow_calls(self, board: dict[int, Ranked]) -> None:
        """Raise the scores of callers and callees of the best files."""
        best = _order(board)[:_SEEDS] if self._weights.calls > 0 else []
        numbers = {path: file for file, path in self._shelf.paths.items()} if best else {}
        shared: dict[int, tuple[float, str]] = {}
        for file in best:
            place = self._place(file, self._best_pieces(file)[0][0])
            amount = self._weights.calls * board[file].score / board[best[0]].score
            near = () if place is None else around(self._connection, place, 1, _AROUND_A_SEED)
            for each in near:
                other = numbers.get(each.place.path, file)
                if other != file and amount > shared.get(other, (0.0, ""))[0]:
                    shared[other] = (amount, f"{each.relation} {each.through}")
        for other, (amount, note) in shared.items():
            board.setdefault(other, Ranked()).add("calls", amount, note)

    def _best_pieces(self, file: int) -> list[tuple[_Piece, float]]:
        """Return the chunks of a file, best first; chunks that the question names score higher."""
        if file in self._pieces:
            return self._pieces[file]
        points = [point for point in self._points if point.file == file]
        symbols = {point.symbol for point in points if point.symbol is not None}
        lines = [
            (point.line, _NAMED_WHOLE if point.is_whole else _NAMED)
            for point in points
            if point.line is not None
        ]
        weighed = []
        for row in self._connection.execute(SQL["pieces_of_file"], (file,)):
            piece = _piece(row)
            fit = self._fits.get(piece.chunk, 0.0)
            fit += _NAMED * (piece.number in symbols)
            fit += self._weights.meaning_of_piece * self._likeness(piece)
            fit += max(
                (worth for line, worth in lines if piece.first <= line <= piece.last), default=0.0
            )
            weighed.append((piece, fit))
        weighed.sort(key=lambda each: (-each[1], each[0].first))
        self._pieces[file] = weighed
        return weighed

    def _likeness(self, piece: _Piece) -> float:
        """Return the likeness of a chunk: documentation belongs to where its symbol begins."""
        if piece.number is None or piece.symbol is None or piece.first > piece.symbol.first:
            return 0.0
        one = self._near.get(piece.number)
        return 0.0 if one is None else one.likeness

    def _passages(
        self, file: int, ranked: Ranked, read: Read
    ) -> Iterator[tuple[Passage, SymbolPlace | None]]:
        """Return the chunks of a file to show; text that the checkout no longer has is left out."""
        path = self._shelf.paths[file]
        lines = read(path) or []
        pieces = [each for each in self._best_pieces(file) if each[0].last <= len(lines)]
        for turn, (piece, fit) in enumerate(pieces[:_PER_FILE]):
            share = 1.0
            if turn > 0:
                share = fit / pieces[0][1] if pieces[0][1] > 0 else 0.0
                if share < _WORTH_SHOWING:
                    break
                share *= _FURTHER
            passage = _passage(path, piece, ranked, share, lines)
            likeness = self._likeness(piece)
            yield replace(passage, likeness=likeness), self._place(file, piece)

    def _place(self, file: int, piece: _Piece) -> SymbolPlace | None:
        if piece.symbol is None:
            return None
        return SymbolPlace(path=self._shelf.paths[file], symbol=piece.symbol)

    def _beside(self, passage: Passage, place: SymbolPlace | None) -> Passage:
        if place is None:
            return passage
        near = around(self._connection, place, 1, _BESIDE, least=Certainty.MAYBE)
        names = dict.fromkeys(each.place.symbol.name for each in near)
        return replace(passage, beside=tuple(names))


def _order(board: Mapping[int, Ranked]) -> list[int]:
    found = [file for file, ranked in board.items() if ranked.score > 0]
    return sorted(found, key=lambda file: (-board[file].score, file))


def _piece(row: tuple[Any, ...]) -> _Piece:
    chunk, first, last, number, name, kind, begins, ends, signature, doc = row
    symbol = None
    if number is not None:
        symbol = Symbol(name=name, kind=kind, first=begins, last=ends, signature=signature, doc=doc)
    return _Piece(chunk, first, last, number, symbol)


def _passage(
    path: str, piece: _Piece, ranked: Ranked, share: float, lines: Sequence[str]
) -> Passage:
    symbol = piece.symbol
    title = path if symbol is None else f"{symbol.name} {symbol.signature}".strip()
    return Passage(
        kind=PassageKind.CODE,
        reference=f"{path}:{piece.first}-{piece.last}",
        title=title,
        text="\n".join(lines[piece.first - 1 : piece.last]),
        score=share * ranked.score,
        reasons=tuple(
            Reason(leg=each.leg, amount=share * each.amount, note=each.note)
            for each in ranked.reasons
        ),
    )
