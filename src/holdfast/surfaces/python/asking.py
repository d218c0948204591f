"""Methods that answer questions, learn from ratings, and check evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from holdfast.domain.recall.question import Question
from holdfast.surfaces.python.advice import with_advice
from holdfast.surfaces.python.answers import Answer
from holdfast.surfaces.python.door import Door
from holdfast.surfaces.python.expecting import (
    LIFETIME,
    TEXT,
    TRUTH,
    bundle_of,
    expect,
    expect_options,
    expect_question,
    name_of,
)
from holdfast.surfaces.python.findings import EvidenceCheck, EvidenceReport
from holdfast.surfaces.python.keeping import as_request
from holdfast.surfaces.wire.requests import read_question

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import timedelta
    from typing import Unpack

    from holdfast.surfaces.python.memories import HasId
    from holdfast.usecases.recall.learn import Lesson


class RecallOptions(TypedDict, total=False):
    """The options of ``recall``.

    >>> options: holdfast.RecallOptions = {"budget": 500}
    >>> hf.recall("how many items fit in the cart", **options).budget
    500
    """

    budget: int
    include: Sequence[str]
    limit: int
    kinds: Sequence[str]
    scopes: Sequence[str]
    tags: Sequence[str]
    as_of: str
    all_branches: bool
    verbose: bool
    deep: bool


@with_advice
class AnswerMethods(Door):
    """The methods about answers and evidence."""

    def recall(self, question: str, **options: Unpack[RecallOptions]) -> Answer:
        """Return the answer to a question; iterate over its hits, or put ``str`` of it in a prompt.

        ``budget`` is the most tokens that the answer may have, 2,000 unless given. ``include`` adds
        passages: ``("memory", "code", "history", "tasks", "sessions")``. ``as_of`` asks about a
        commit or a date. ``deep`` reads the best hits again with a model, which finds more.

        >>> _ = hf.remember("The cart holds 50 items.", because="From the product page.")
        >>> answer = hf.recall("how many items fit in the cart", budget=500)
        >>> for hit in answer:
        ...     print(hit.text, hit.evidence[0])
        The cart holds 50 items. statement: From the product page.
        """
        expect_question(question)
        expect_options("recall", options, RecallOptions)
        request = {"q": question, **as_request(options)}
        wish = read_question(request, Question(text=""), noun="question")
        return Answer(self.app.answers.recall(wish))

    def get_answer(self, answer: str | Answer, /) -> Answer:
        """Return an answer that was given before, by its id (``c_…``).

        >>> _ = hf.remember("The cart holds 50 items.", because="From the product page.")
        >>> bundle_id = hf.recall("how many items fit in the cart").bundle_id
        >>> [hit.text for hit in hf.get_answer(bundle_id)]
        ['The cart holds 50 items.']
        """
        return Answer(self.app.answers.shown(bundle_of("get_answer", answer)))

    def feedback(self, answer: str | Answer, /, *, good: bool) -> None:
        """Rate an answer: whether it helped. ``learn`` uses the ratings.

        >>> _ = hf.remember("The cart holds 50 items.", because="From the product page.")
        >>> hf.feedback(hf.recall("how many items fit in the cart"), good=True)
        """
        expect("feedback", TRUTH, good=good)
        self.app.answers.feedback(bundle_of("feedback", answer), good=good)

    def learn(self, *, since: str | timedelta = "30d", dry_run: bool = False) -> Lesson:
        """Learn the ranking weights from rated answers; ``since`` is the oldest age that counts.

        >>> try:
        ...     hf.learn(dry_run=True)
        ... except holdfast.HoldfastError as error:
        ...     print(error.code)
        too-few-ratings
        """
        from holdfast.domain.memory.lifetime import read_lifetime
        from holdfast.usecases.recall.learn import Learn

        expect("learn", LIFETIME, since=since)
        expect("learn", TRUTH, dry_run=dry_run)
        age = read_lifetime(since) if isinstance(since, str) else since
        return self.app.answers.learn(Learn(since=age, dry_run=dry_run))

    def catch_up(self) -> int:
        """Embed the memories that have no vector yet; return how many there were.

        >>> try:
        ...     hf.catch_up()
        ... except holdfast.HoldfastError as error:
        ...     print(error.code)
        no-model
        """
        model = None if self._machine is None else self._machine.models.patient()
        return self.app.upkeep.catch_up(lambda _done, _total: None, model)

    def verify(self, *memories: str | HasId, everything: bool = False) -> EvidenceReport:
        """Check the evidence of memories against the repository: of those named, or of all here.

        ``everything`` also checks candidates, superseded memories and other branches.

        >>> memory = hf.remember("Tokens rotate.", evidence=["src/auth/tokens.py:3-5"])
        >>> for check in hf.verify(memory):
        ...     print(check.memory, check.verdict)
        Tokens rotate. fresh
        """
        from holdfast.usecases.anchors.verify import Verify

        references = tuple(name_of("verify", memory=memory) for memory in memories)
        expect("verify", TRUTH, everything=everything)
        wish = Verify(references=references, everything=everything)
        return EvidenceReport(self.app.evidence.verify(wish))

    def blame(self, place: str, /) -> Sequence[EvidenceCheck]:
        """Return the memories whose evidence is at a line, written ``path:line``.

        >>> _ = hf.remember("Tokens rotate.", evidence=["src/auth/tokens.py:41-58"])
        >>> [check.memory.text for check in hf.blame("src/auth/tokens.py:44")]
        ['Tokens rotate.']
        """
        from holdfast.domain.memory.anchor import Checked
        from holdfast.domain.memory.evidence import read_place

        expect("blame", TEXT, place=place)
        return tuple(
            EvidenceCheck(
                one.record,
                (Checked(reference=one.span.reference, sighting=one.sighting, span=one.span.id),),
            )
            for one in self.app.evidence.blame(read_place(place))
        )
