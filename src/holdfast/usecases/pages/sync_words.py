"""The sentences that a sync reports about an entry: what happened, and what to decide.

The surfaces add how: their tables of advice name these sentences.
"""

from __future__ import annotations

from typing import Final

TAKEN: Final = "the page's text is what is remembered now"
NEW: Final = "remembered; its uid was written into the page"
BY_GIT: Final = "came with git, and nobody here has accepted it yet"
BY_AGENT: Final = "written while an agent was at work; waits for a review"
ACCEPTED: Final = "came with git, and was accepted as it was shown"
WAITS: Final = "waits for a person as {id}"
RIVAL: Final = "waits as {candidate}, because it contradicts {id}"
BOTH: Final = (
    "changed in the page and in the store; both are kept, the page's text as {candidate} "
    "beside {id}"
)
BOTH_DRY: Final = "changed in the page and in the store; both would be kept"
WRITTEN: Final = "the page says now what the store says"
STALE: Final = (
    "the page had the text from before the last change, as an editor saves it that was open then; "
    "the page says again what stands. Edit the entry once more to go back to that text"
)
SAYS: Final = "was remembered already; its uid was written into the page"
TURNED_DOWN: Final = "the page's text was rejected here; the page says again what stands"
REJECTED: Final = "was rejected here; take it out of the page"
HIDDEN: Final = "holds on another branch, and stands in this one's pages"
STATUS: Final = "is {status} now, as the page says"
STATUS_WAITS: Final = "the page says {status}, which came with git and was not accepted here"
STATUS_BY_AGENT: Final = (
    "the page says {status}, written while an agent was at work; sync without the agent"
)
EQUAL_TEXT: Final = "an equal text stands at {other}; if both mean the same, remove one of them"
SAME_LABEL: Final = (
    "the label {label} is also that of {other}; the later of the two gets another label when "
    "this entry is accepted"
)
RELABELLED: Final = "was {old}, which another entry bears"
UNLABELLED: Final = "had no label"
PUT_BACK: Final = "was never committed, so it came back from the store"
REMOVED: Final = "removed from the pages by a commit; the memory stays readable"
DEPRECATED: Final = f"{REMOVED} and can be accepted again"
STILL_THERE: Final = "gone from the page but not committed; commit it to deprecate, or git restore"
MERGE_FIRST: Final = "removed by a commit, and a merge is not finished; finish it, then sync again"
REMOVED_BY_AGENT: Final = (
    "removed from the pages while an agent was at work; the memory stays as it is "
    "until a person accepts the removal. Git brings the entry back"
)
CHOSEN_BY_AGENT: Final = (
    "two versions stand side by side, and an agent may have chosen the page's one; "
    "sync without the agent"
)
LEFT: Final = "edited in the page; a decision takes no page edits in, the next sync does"
MASS: Final = "too many entries are gone at once; a person has to accept the removals"
FORGOTTEN: Final = "was forgotten here and does not come back; take it out of the page"
FORGOTTEN_TEXT: Final = (
    "says what was forgotten here, so it is not taken in; take it out of the page, "
    "or remember it anew"
)
MAY_BE_FORGOTTEN: Final = (
    "may say what was forgotten here, because {problem}: remember it anew, "
    "or repair the store to go on without the list of forgotten texts"
)
COLLIDES: Final = "its uid is a later version of {owner}; write that uid instead"
NOT_OURS: Final = "its uid {uid} names no memory of this repository's pages; take the line out"
MEND: Final = "{problem} Mend the entry, or take it out of the page."
ASIDE: Final = (
    "A save of {page} could not be joined into the page. The saved text is in {copy}. "
    "Copy from it what you miss, then delete it."
)
LATER: Final = "the file was saved at the same moment; the next sync looks again"

EXPECTED: Final = frozenset({TAKEN, NEW, WRITTEN, ACCEPTED})
"""The sentences that add nothing to the step itself."""
