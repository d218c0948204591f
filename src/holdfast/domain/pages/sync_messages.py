"""The sentences that a sync reports about an entry: what happened, and what to decide.

The surfaces add the commands: their tables of advice name these sentences.
"""

from __future__ import annotations

from typing import Final

TAKEN: Final = "the page's text was stored"
NEW: Final = "stored as a new memory; its uid was written into the page"
FROM_GIT: Final = "came with git, and is not accepted in this clone yet"
BY_AGENT: Final = "written while an agent was working; waits for a review"
ACCEPTED: Final = "came with git, and was accepted as shown"
WAITS: Final = "waits for a decision as {id}"
CONTRADICTS: Final = "waits for a decision as {candidate}, because it contradicts {id}"
BOTH_CHANGED: Final = (
    "changed in the page and in the store since the last sync; both texts are kept: the page's "
    "as {candidate} and the store's as {id}"
)
BOTH_CHANGED_DRY: Final = (
    "changed in the page and in the store since the last sync; a sync would keep both texts"
)
WRITTEN: Final = "the store's text was written into the page"
OLD_COPY: Final = (
    "the page had the text from before the last change, as if an editor had saved an old copy; "
    "the current text was written into the page. Edit the entry again to return to the old text"
)
TAKEN_OUT: Final = (
    "the decision that brought the entry into the page was undone, so it was taken out of the page"
)
NOT_TAKEN_OUT: Final = (
    "the decision that brought the entry into the page was undone, but its frontmatter was edited "
    "since, so it stays; remove it from the page, or accept the memory again"
)
ALREADY_STORED: Final = "this text was stored before; its uid was written into the page"
TEXT_REJECTED: Final = (
    "the page's text was rejected here; the accepted text was written into the page"
)
REJECTED: Final = "was rejected here; remove it from the page"
OTHER_BRANCH: Final = "stored on another branch; the pages of this branch have it too"
STATUS: Final = "the status is {status} now, as in the page"
STATUS_FROM_GIT: Final = (
    "the page has the status {status}, which came with git and is not accepted in this clone yet"
)
STATUS_BY_AGENT: Final = (
    "the page has the status {status}, written while an agent was working; the memory is "
    "unchanged until a person accepts the status. To keep the memory, restore the page with git"
)
TEXT_AND_STATUS_BY_AGENT: Final = (
    "the text and the status {status} were written while an agent was working; the memory is "
    "unchanged. Restore the page with git, or write the text and the status that you want"
)
PRIVATE: Final = (
    "has the tag private, which keeps a memory out of the pages; remove the tag, or remove the "
    "entry from the page and remember it outside the pages"
)
ENDED: Final = "has the status {status} in the page, and is not in this store; it is not proposed"
WITHDRAWN: Final = "has the status {status} in the page now, so it no longer waits for a review"
EQUAL_TEXT: Final = "{other} has the same text; if both mean the same, remove one of them"
SAME_LABEL: Final = (
    "{other} also has the label {label}; when this entry is accepted, the later of the two gets "
    "another label"
)
RELABELLED: Final = "the label was {old}, which another entry has"
UNLABELLED: Final = "had no label"
RESTORED: Final = "no sync saw it in a commit, so it was written back from the store"
REMOVED: Final = "removed from the pages by a commit; the memory can still be read"
DEPRECATED: Final = f"{REMOVED}, and can be accepted again"
REMOVAL_UNCOMMITTED: Final = (
    "missing from the page, but the removal is not committed; commit it to deprecate the memory, "
    "or restore the page with git"
)
MERGE_FIRST: Final = "removed by a commit, but a merge is not finished; finish it, then sync again"
REMOVED_BY_AGENT: Final = (
    "removed from the pages while an agent was working; the memory is unchanged "
    "until a person accepts the removal. To keep the entry, restore the page with git"
)
CHOSEN_BY_AGENT: Final = (
    "two versions are accepted, and an agent may have chosen the one in the page; "
    "a person has to run the sync"
)
TASK_WORDS_BY_AGENT: Final = (
    "an agent may not change the title or the notes that a person wrote. "
    "Restore the page with git, and propose the words as an edit of the task"
)
TASK_STATUS_BY_AGENT: Final = (
    "the status was written while an agent was working; only a person changes it. "
    "Restore the page with git, or change the status of the task"
)
RECORDED: Final = (
    "cannot be edited here: it stays as it was recorded. Edit notes, and what was asked and done."
)
NO_FIELD: Final = (
    "is no field of this file. Remove it, or delete the file to have it written again."
)
TURN_BY_AGENT: Final = "an agent edited the words of a turn that it did not record"
FILE_BY_AGENT: Final = (
    "an agent edited the words of a turn that it did not record, and nobody accepted it yet"
)
SESSION_FROM_GIT: Final = "is the session of somebody else; it came with git"
LEFT: Final = "edited in the page; only a sync reads edits of pages"
TOO_MANY_REMOVALS: Final = (
    "too many entries are missing at once; a person has to accept the removals"
)
FORGOTTEN: Final = "was forgotten here, so it is not stored again; remove it from the page"
FORGOTTEN_TEXT: Final = (
    "this text was forgotten here, so it is not stored again; remove it from the page, "
    "or remember it again"
)
FORGOTTEN_REPLACED: Final = (
    "the page still had a text that was forgotten here; the store's text was written into the page"
)
MAY_BE_FORGOTTEN: Final = (
    "this text may have been forgotten here, because {problem}: remember it again, "
    "or repair the store to go on without the list of forgotten texts"
)
LATER_VERSION: Final = "its uid is that of a later version of {owner}; write that uid instead"
FOREIGN_UID: Final = (
    "its uid {uid} belongs to no memory of this repository's pages; remove the line of the uid"
)
REFUSED: Final = "{problem} Correct the entry, or remove it from the page."
SET_ASIDE: Final = (
    "A save of {page} could not be merged into the page. The saved text is in {copy}. "
    "Copy what you need from it, then delete it."
)
OF_ANOTHER_COMMIT: Final = (
    "its page is in another commit or in the stash; it is written when the page is there"
)
NEW_PAGE: Final = (
    "its page is new on this branch, and another commit has the page too; commit it before you "
    "switch branches, or git refuses"
)
PAGE_UNREADABLE: Final = (
    "its page cannot be written while a part of the pages cannot be read; mend the part that is "
    "named, then sync again"
)
SAVED_MEANWHILE: Final = "the file was saved during the sync; the next sync reads it again"

EXPECTED: Final = frozenset({TAKEN, NEW, WRITTEN, ACCEPTED})
"""The sentences that add nothing to the step itself."""
