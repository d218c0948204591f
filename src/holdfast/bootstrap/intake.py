"""Join the reading of conversations to the proposer and the documents of a repository."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.bootstrap.transcripts import TOOLS, detect_tool, read_transcript

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.app import Holdfast
    from holdfast.app.intake import Intake
    from holdfast.bootstrap.wiring import SettingsFile
    from holdfast.domain.run import Run
    from holdfast.ports.proposer import Proposer
    from holdfast.usecases.propose import Proposed

__all__ = [
    "TOOLS",
    "detect_tool",
    "intake",
    "propose_from_run",
    "read_transcript",
    "run_page_of",
]
_USING = "propose.using"
_RULES, _OPENAI, _ANTHROPIC = "rules", "openai", "anthropic"


def intake(
    memory: Holdfast, folder: Path, home: Path | None, *, using: str | None = None
) -> Intake:
    """Return what reads conversations here; ``using`` names another proposer than the set one."""
    from holdfast.adapters.machine.documents import DocumentFiles
    from holdfast.app.intake import Intake
    from holdfast.bootstrap.transcripts import project_root
    from holdfast.bootstrap.wiring import settings

    kept = settings(home)
    wanted = using or kept.value(_USING)[0]
    return Intake(
        memory,
        proposer=_proposer(wanted, kept, memory),
        documents=DocumentFiles(project_root(folder)),
    )


def run_page_of(label: str, folder: Path) -> Path | None:
    """Return the page with the summary of a run; none where it has none."""
    from holdfast.bootstrap.transcripts import project_root

    page = project_root(folder) / ".holdfast" / "runs" / label / "summary.md"
    is_label = label.isascii() and label.replace("-", "").isalnum()
    return page if is_label and page.is_file() and not page.is_symlink() else None


def propose_from_run(run: Run, memory: Holdfast, folder: Path, home: Path | None) -> Proposed:
    """Propose what the notes and the summary of a run say."""
    from holdfast.domain.run import as_transcript
    from holdfast.usecases.propose import Propose

    wish = Propose(transcript=as_transcript(run), run=run.label)
    return intake(memory, folder, home).propose(wish)


def _proposer(wanted: str, kept: SettingsFile, memory: Holdfast) -> Proposer | None:
    """Return the proposer of that name; none means the rules alone."""
    if wanted == _RULES:
        return None
    if wanted not in {_OPENAI, _ANTHROPIC}:
        from holdfast.bootstrap.proposing import PluggedProposer

        return PluggedProposer(wanted)
    from holdfast.adapters.proposing.model import Asking, ModelProposer

    names = ("url", "model", "key_env", "tokens", "timeout")
    url, model, key_env, tokens, timeout = (kept.value(f"propose.{name}")[0] for name in names)
    asking = Asking(
        protocol=wanted,
        url=url,
        model=model,
        key=os.environ.get(key_env or f"{wanted.upper()}_API_KEY", ""),
        tokens=int(tokens),
        timeout=float(timeout),
    )
    return ModelProposer(asking, count=memory.counter.count)
