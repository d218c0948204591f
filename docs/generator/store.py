"""The store's files and tables, read from the adapter and its schema."""

from __future__ import annotations

import re
from pathlib import Path

from docs.generator.markdown import Page, code
from holdfast.adapters.sqlite.database.files import StoreFiles
from holdfast.adapters.sqlite.derived.migrations import LATEST

SCHEMA = Path(__file__).parents[2] / "src/holdfast/adapters/sqlite/sql/schema.sql"

TABLES = {
    "kind": "The kinds of memory there are; a version that knows one more adds a row.",
    "memory": "The claims, written once.",
    "memory_standing": "What people decided about each memory.",
    "memory_usage": "How often each memory was given, and whether it helped.",
    "memory_evidence": "Evidence that came after the memory was written.",
    "tombstone": "What is left of forgotten memories.",
    "memory_link": "How memories hang together.",
    "session": "Sittings with a tool.",
    "interaction": "The turns of sessions.",
    "bundle": "What questions got, as JSON.",
    "span": "Places in files, with the hash of what was read there.",
    "span_anchor": "What ties spans to the content of a repository, as JSON.",
    "standpoint": "The branch and commit where memories and sessions began, and tips of branches.",
    "rewrite": "Which commits took the place of others.",
    "run": "Pieces of work, and what came of them, as JSON.",
    "session_record": "What sessions and repositories keep for the next session, as JSON.",
    "said": "What was said in sessions, word for word, as JSON: quoted, never given as knowledge.",
    "said_place": "Derived: where each said turn stands in its session.",
    "said_word": "Derived: the words of each said turn, by stem.",
    "said_vector": "Derived: the vectors of said turns.",
    "run_step": "The queue of supervised runs: each step with its inputs and outputs, as JSON.",
    "task": "Tasks, as JSON.",
    "task_edge": "Derived: which task waits for which.",
    "task_index": "Derived: what each task waits for, and whether it can start.",
    "decision": "What people decided, and how it was before, as JSON.",
    "workspace": "Folders that are kept in snapshots, as JSON.",
    "workspace_snapshot": "Snapshots of folders: what they contain is beside the store, by hash.",
    "workspace_file": "Derived: the files of each folder at its newest snapshot.",
    "tuning": "How spaces weigh what speaks for a memory, where they learned it.",
    "agent": "Agents: their name, directives and configuration.",
    "agent_cycle": "The cycles of agents, numbered without gaps.",
    "action_proposal": "What an agent was about to do in a cycle, as JSON.",
    "action_result": "What came of it, as JSON; a cycle without one is interrupted.",
    "memory_index": "Which memories are in which namespace of an agent, and from which cycle.",
    "document": "What frameworks keep under names, exactly as they gave it, as JSON.",
    "ciphertext": "The encrypted contents of sensitive records, and the key of each.",
    "agent_lease": "Which process may write for an agent; of this store only.",
    "access_token": "The tokens of programs that use the store over HTTP; only hashes of them.",
    "reply": "The answers of the last day to requests with an idempotency key.",
    "event": "The chain of everything that happened.",
    "meta": "What the store notes about itself.",
    "memory_parts": "Derived: the words inside camelCase names.",
    "memory_cites": "Derived: which spans each memory rests on.",
    "memory_fts": "Derived: the keyword index.",
    "common_term": "Derived: how common words are in this store.",
    "memory_band": "Derived: what nearly equal claims share.",
    "memory_tag": "Derived: which memories bear a tag.",
    "memory_turn": "Derived: where in a conversation or history a memory was said.",
    "memory_name": "Derived: what memories are called, for others that mention them.",
    "embedding_model": "Derived: the models that vectors are kept of.",
    "embedding": "Derived: the vectors of memories, as a model made them.",
    "embedding_change": "Derived: whose vectors changed, in order; indexes follow it.",
}
_FILES = {
    "database": "the truth and what is derived from it",
    "wal": "SQLite's log; part of the database while it exists",
    "shared_memory": "SQLite's index of the log; made anew when missing",
    "queue": "the lock that writers wait in",
    "turn": "the lock of the writer whose turn it is",
    "head": "the newest event, kept outside the database",
    "reserve": "space to give up when the disk is full",
    "pending": (
        "a folder, while another process holds the write lock: bundles that the next write stores"
    ),
    "cipher": "the id of the key, if the whole store is encrypted; not made anew",
    "rescue": (
        "a copy, while the store is repaired, encrypted or decrypted; the next write removes it"
    ),
    "vectors": "followed by the number of a model: a scan of its vectors; made anew when missing",
}
BESIDE = {
    "repositories.json": (
        "what each repository was seen to be; made anew with the same ids, except for those whose"
        " first commit was rewritten, shallow clones, and those that were empty"
    ),
    "pages.json": "the folders on this machine that have pages of a repository",
    "written.json": "the paths of exports and digests that were written; forgetting looks there",
    "sittings/": (
        "what hooks told each session of a coding tool, and its turns until they are stored;"
        " removed after two weeks"
    ),
    "hook.log": "what went wrong in hooks, without secrets; the oldest lines are dropped",
    "health.jsonl": "the scores of `holdfast curate` over time, one line each",
    "reports/": "where errors of Holdfast's own occurred; nothing is sent, and all may be deleted",
    "page-sessions/": (
        "who is signed in on the page of `holdfast serve`: a file for each session, for at most"
        " seven days"
    ),
    "reply-secret": (
        "of `holdfast serve` without tokens: a secret for the hashes by which it knows a repeated"
        " sensitive request"
    ),
    "open-PID.html": "while `holdfast web` opens a browser: a private file that leads to its link",
    "cache/verdicts/": "verdicts on evidence, by the state of the file they were found in",
    "cache/badge": "what the engine counted for the last badges, for a minute",
    "cache/drifted": "which memories had drifted when each checkout was last verified",
    "cache/code/": "an index of code and one of commits for each working tree",
    "cache/judged/": "what a model said about pairs of claims, by the hashes of both; no text",
}
_CREATE = re.compile(
    r"CREATE (?:VIRTUAL )?TABLE (?P<name>\w+).*?;(?:\s*\n(?=\n|CREATE|INSERT|PRAGMA|--)|\Z)",
    re.DOTALL,
)


def store() -> str:
    """Return the page of files and tables."""
    page = Page("The store")
    page.text(
        "The store is one SQLite database, `holdfast.db`, in the folder that"
        " [the settings](settings.md) name.",
        f"Its schema has the number {LATEST}; a program that knows only lower numbers refuses it.",
        "Read it with Holdfast or with an export; writing to it with other programs breaks the"
        " hashes, and `holdfast doctor` will say so.",
    )
    page.heading("Files")
    page.table(["file", "what it is"], _files())
    page.text(
        "Beside them, `config.toml` holds settings when `HOLDFAST_HOME` is set.",
        "`cache/` holds what can be found out again, and may be deleted.",
    )
    page.table(["beside them", "what it is"], [[code(name), said] for name, said in BESIDE.items()])
    page.heading("Tables")
    page.text(
        "All times are milliseconds since 1970, in UTC.",
        "`salt` and `row_hash` seal each row: the hash is over all other columns.",
    )
    for name, sql in tables().items():
        page.heading(name, level=3)
        page.text(TABLES[name])
        page.code(sql, "sql")
    return page.written()


def tables() -> dict[str, str]:
    """Return the statement of every table of the schema, by its name."""
    text = SCHEMA.read_text(encoding="utf-8")
    return {found["name"]: found[0].strip() for found in _CREATE.finditer(text)}


def _files() -> list[list[str]]:
    files = StoreFiles(Path("holdfast.db"))
    names = [name for name in vars(files) if name != "folder"]
    return [[code(Path(getattr(files, name)).name), _FILES[name]] for name in names]
