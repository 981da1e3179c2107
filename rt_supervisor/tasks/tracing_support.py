"""Whether processes can be traced here, and what tasks with traced inputs or outputs mean where they cannot.

Kernels before 5.19, seccomp policies of containers, and tracers above rt prevent it. Then `{ auto = true }` in `inputs` stands for all
files of the package, as without settings; without declared `outputs`, nothing is stored.
"""

from __future__ import annotations

import os
import shutil
import subprocess

from ..vocabulary.record import replace
from .globs import DEFAULT
from .setting_table import AUTO
from .traces import IMPOSSIBLE, TRACER, read_trace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .store import Store
    from .task_graph import TaskNode
    from .task_plan import TaskPlan


def tracing_problem(store: Store, executable: str) -> str:
    """Trace a process that does nothing: `executable` is rt, which writes the trace below `store`. Return why that fails, "" if it does
    not. Raises OSError.
    """
    folder = store.scratch_folder()
    try:
        file = os.path.join(folder, "probe")
        subprocess.run((executable, TRACER, file, executable, TRACER), stdin=subprocess.DEVNULL, check=False)
        trace = read_trace(file)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return IMPOSSIBLE if trace is None else min(trace.obstacles, default="")


def without_tracing(chosen: TaskPlan) -> TaskPlan:
    """Return `chosen` with settings that mean the same as far as possible without tracing."""
    graph = replace(chosen.graph, nodes=tuple(map(_without_tracing, chosen.graph.nodes)))
    changed: TaskPlan = replace(chosen, graph=graph)
    return changed


def _without_tracing(node: TaskNode) -> TaskNode:
    if not node.is_traced:
        return node
    settings = node.settings
    inputs = settings.inputs and tuple(DEFAULT if item == AUTO else item for item in settings.inputs)
    outputs = None if settings.traces_outputs else settings.outputs
    changed: TaskNode = replace(node, settings=replace(settings, inputs=inputs, outputs=outputs))
    return changed
