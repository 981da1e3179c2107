"""What of a trace counts for a task: the part of it that settings declare is not traced, and `!` patterns leave files out.

Declared outputs are never inputs, as without a trace. Names are those of `observations.Ground`.
"""

from __future__ import annotations

from ..vocabulary.record import record
from .globs import Globs, static_prefix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_EVERYTHING_BELOW = "/**"
_NOTHING = Globs((), (), False)


@record
class TraceScope:
    """`traces_inputs` and `traces_outputs` say what is traced. Files that `not_inputs` or `not_outputs` match are left out of it."""

    traces_inputs: bool = True
    traces_outputs: bool = True
    not_inputs: Globs = _NOTHING
    not_outputs: Globs = _NOTHING

    def other_than_inputs(self, names: Iterable[str]) -> frozenset[str]:
        """Return those of `names` that are never inputs."""
        return _matching(self.not_inputs, names)

    def other_than_outputs(self, names: Iterable[str]) -> frozenset[str]:
        """Return those of `names` that are never outputs."""
        return _matching(self.not_outputs, names)


def scope_of(inputs: Globs, outputs: Globs, *, traces_inputs: bool, traces_outputs: bool) -> TraceScope:
    """Return the scope of a task whose settings are `inputs` and `outputs`, without `{ auto = true }`."""
    declared = () if traces_outputs else outputs.included
    return TraceScope(
        traces_inputs,
        traces_outputs,
        _excluding((*inputs.excluded, *declared), () if traces_outputs else outputs.excluded),
        _excluding(outputs.excluded, ()),
    )


def _excluding(patterns: Sequence[str], unless: Sequence[str]) -> Globs:
    """Return globs for `patterns`. A folder all of whose contents are left out is left out itself: "dist/**" means "dist", too."""
    return Globs(tuple(map(_with_folder, patterns)), tuple(unless), False)


def _with_folder(pattern: str) -> str:
    folder = pattern.removesuffix(_EVERYTHING_BELOW)
    return folder if folder and static_prefix(folder) == folder else pattern


def _matching(globs: Globs, names: Iterable[str]) -> frozenset[str]:
    return frozenset(globs.matching(list(names))) if globs.included else frozenset()
