"""All operations by name; the model of a site follows each of them."""

from __future__ import annotations

from torture import git_joining, git_reshaping, git_rewriting, git_standing
from torture.git_reshaping import Operation

SHA256 = "sha-256 repository"

OPERATIONS: dict[str, Operation] = {
    "commit": git_reshaping.commit,
    "uncommitted edits": git_reshaping.edit_only,
    "amend, words": git_rewriting.amend_words,
    "amend, content": git_rewriting.amend_content,
    "rebase": git_rewriting.rebase,
    "rebase -i, reorder": git_rewriting.reorder,
    "rebase -i, squash": git_rewriting.squash,
    "rebase -i, drop": git_rewriting.drop,
    "merge, fast-forward": git_joining.fast_forward,
    "merge": git_joining.merge,
    "merge, squash": git_joining.squash_merge,
    "merge, conflict resolved": git_joining.conflict_resolved,
    "merge across renames": git_joining.merge_across_rename,
    "cherry-pick": git_joining.cherry_pick,
    "revert": git_joining.revert,
    "reset --hard": git_rewriting.reset_hard,
    "reset --hard, redo": git_rewriting.reset_and_redo,
    "stash push": git_standing.stash,
    "stash pop": git_standing.stash_and_pop,
    "checkout of a branch": git_standing.switched,
    "checkout, detached": git_standing.detached,
    "checkout of old files": git_standing.old_files,
    "worktree": git_standing.worktree,
    "branch -f": git_rewriting.branch_forced,
    "branch -D": git_rewriting.branch_deleted,
    "branch -D after squash": git_rewriting.branch_deleted_after_squash,
    "force push, pulled": git_joining.force_push_pulled,
    "pull --rebase": git_joining.pull_with_rebase,
    "second clone": git_standing.second_clone,
    "shallow clone": git_standing.shallow,
    "submodule": git_standing.submodule,
    "sparse checkout": git_standing.sparse,
    SHA256: git_standing.renamed_in_sha256,
    "filtered history": git_rewriting.filtered,
    "gc after a rebase": git_rewriting.collected,
    "rename and edit": git_reshaping.rename_and_edit,
    "functions moved": git_reshaping.function_moves,
    "functions moved, edited": git_reshaping.functions_moved_and_edited,
    "functions swapped": git_reshaping.functions_swapped,
    "functions copied": git_reshaping.functions_copied,
    "files split": git_reshaping.file_splits,
    "folders moved": git_reshaping.folder_moves,
    "files removed": git_reshaping.files_go,
    "line ends": git_reshaping.line_ends,
    "renormalised": git_reshaping.renormalised,
    "white space": git_reshaping.white_space,
    "twins take places": git_reshaping.twins_take_places,
}
