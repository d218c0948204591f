from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.adapters.code.parsing.isolated import IsolatedOutline
from holdfast.adapters.embedding.registry import CachedEmbedder
from holdfast.adapters.files.notebook import FileNotebook
from holdfast.adapters.files.pages import FileRepositorySettings
from holdfast.adapters.foreign.mem0 import Mem0Export
from holdfast.adapters.git.anchors.surroundings import LocalSurroundings, ReadLines
from holdfast.adapters.git.anchors.verifier import GitVerifier
from holdfast.adapters.git.clone import GitClone
from holdfast.adapters.git.pages.pages import GitVersions
from holdfast.adapters.git.reading.history import GitHistory
from holdfast.adapters.git.reading.log import GitLog
from holdfast.adapters.inmemory.notebook import InMemoryNotebook
from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.adapters.machine.clock import MachineClock
from holdfast.adapters.machine.documents import DocumentFiles
from holdfast.adapters.machine.health_log import HealthFile
from holdfast.adapters.machine.trust import TrustFile
from holdfast.adapters.proposing.model import ModelProposer
from holdfast.adapters.sqlite.watching import SqliteWatch
from holdfast.adapters.tokens.estimate import EstimatedTokens
from holdfast.adapters.tokens.exact import ExactTokens
from holdfast.adapters.tool_sessions.detached import DetachedProcess
from holdfast.adapters.tool_sessions.notes import ToolSessionFiles
from holdfast.adapters.transcripts.aider import AiderTranscripts
from holdfast.adapters.transcripts.bookmarks import BookmarkFile
from holdfast.adapters.transcripts.claude import ClaudeTranscripts
from holdfast.adapters.transcripts.codex import CodexTranscripts
from holdfast.adapters.transcripts.copilot import CopilotTranscripts
from holdfast.adapters.transcripts.gemini import GeminiTranscripts
from holdfast.adapters.transcripts.opencode import OpencodeTranscripts
from holdfast.adapters.vectors.sidecar import Sidecar
from holdfast.bootstrap.opening.judging import PluggedJudge
from holdfast.bootstrap.plugs.code import code_index, history_index
from holdfast.ports.anchors.clone import Clone, RepositorySettings, Versions
from holdfast.ports.anchors.surroundings import CommitReader, History, SpanText, Surroundings
from holdfast.ports.anchors.verifier import Verifier
from holdfast.ports.clock import Clock
from holdfast.ports.foreign import ForeignNotes
from holdfast.ports.health_log import HealthLog
from holdfast.ports.judge import Judge as Judges
from holdfast.ports.pages.files import Documents, Notebook, TrustBook
from holdfast.ports.recall.code import CodeIndex, HistoryIndex, Outline
from holdfast.ports.recall.models import Embedder, Reranker, TokenCounter
from holdfast.ports.sessions.proposer import Proposer
from holdfast.ports.sessions.tool_sessions import BackgroundWork, ToolSessions, Watch
from holdfast.ports.sessions.transcripts import Bookmarks, TranscriptReader
from holdfast.ports.store.anchors import Anchors, Past, Reasons, Spans
from holdfast.ports.store.diary import Decisions, Diary, Events, Runs
from holdfast.ports.store.finding import (
    Finders,
    Neighbourhood,
    Tunings,
    VectorSearch,
    VectorStore,
    WordSearch,
)
from holdfast.ports.store.store import Store, Transaction
from holdfast.ports.store.upkeep import Upkeep
from tests.builders import NOON
from tests.usecases.reading import SmallReader
from tests.usecases.test_search import Judge

STORE = InMemoryStore()
with STORE.writing(NOON) as TX:
    SOCKETS: list[tuple[type, object]] = [
        (Store, STORE),
        (Transaction, TX),
        (Finders, TX.finding),
        (WordSearch, TX.finding.words),
        (VectorSearch, TX.finding.meaning),
        (Neighbourhood, TX.finding.around),
        (Tunings, TX.finding.tunings),
        (VectorStore, Sidecar),
        (Embedder, SmallReader()),
        (Embedder, CachedEmbedder(SmallReader())),
        (Reranker, Judge()),
        (Anchors, TX.anchors),
        (Spans, TX.anchors.spans),
        (Past, TX.anchors.past),
        (Reasons, TX.anchors.reasons),
        (Diary, TX.diary),
        (Events, TX.diary.events),
        (Runs, TX.diary.runs),
        (Decisions, TX.diary.decisions),
        (Verifier, GitVerifier(Path("/"), cache=Path("/none"), repo=lambda: None)),
        (CodeIndex, code_index(folder=Path("/"))),
        (HistoryIndex, history_index(folder=Path("/"))),
        (CommitReader, GitLog(Path("/"))),
        (Outline, IsolatedOutline()),
        (History, GitHistory(Path("/"))),
        (Upkeep, STORE.upkeep),
        (Clock, MachineClock()),
        (Surroundings, LocalSurroundings(Path("/"), cache=Path("/none"))),
        (SpanText, ReadLines(path="a.py", first=1, last=1, text_hash="")),
        (TokenCounter, EstimatedTokens()),
        (TokenCounter, ExactTokens()),
        (Notebook, InMemoryNotebook()),
        (Notebook, FileNotebook(Path("/"))),
        (Versions, GitVersions),
        (Clone, GitClone),
        (TrustBook, TrustFile(Path("/none"))),
        (RepositorySettings, FileRepositorySettings(Path("/"))),
        (Documents, DocumentFiles(Path("/"))),
        (Proposer, ModelProposer),
        (Judges, PluggedJudge("none")),
        (ToolSessions, ToolSessionFiles("/none")),
        (BackgroundWork, DetachedProcess(("/none",))),
        (Watch, SqliteWatch),
        (TranscriptReader, ClaudeTranscripts()),
        (TranscriptReader, CodexTranscripts()),
        (TranscriptReader, GeminiTranscripts()),
        (TranscriptReader, CopilotTranscripts()),
        (TranscriptReader, OpencodeTranscripts()),
        (TranscriptReader, AiderTranscripts()),
        (Bookmarks, BookmarkFile(Path("/none"))),
        (ForeignNotes, Mem0Export),
        (HealthLog, HealthFile),
    ]


@pytest.mark.parametrize(("port", "adapter"), SOCKETS)
def test_an_adapter_offers_all_that_its_port_asks_for(port: type, adapter: object) -> None:
    asked = {name for name in vars(port) if not name.startswith("_")}

    assert asked
    assert asked <= set(dir(adapter))
