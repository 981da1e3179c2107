"""The domain ScriptProfiler: V8's CPU profile as the stacks of its samples."""

from __future__ import annotations

import time

from .positions import to_name
from .table import Command, Domain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .session import JscSession
    from .table import Params

# Nodes of V8 that are not functions.
_NOT_FUNCTIONS = frozenset(("(root)", "(program)", "(idle)", "(garbage collector)"))


class State:
    def __init__(self) -> None:
        self.is_tracking = False
        self.has_samples = False
        self.started_s = time.monotonic()


def _start(session: JscSession, params: Params) -> None:
    state = session.profiler
    if state.is_tracking:
        return
    state.is_tracking, state.has_samples = True, params.get("includeSamples", False)
    session.ask("Profiler.enable")
    if state.has_samples:
        session.ask("Profiler.start")
    session.emit("ScriptProfiler.trackingStart", {"timestamp": time.monotonic() - state.started_s})


def _stop(session: JscSession, _params: Params) -> None:
    state = session.profiler
    if not state.is_tracking:
        return
    state.is_tracking = False
    end_s = time.monotonic() - state.started_s
    complete: Params = {"timestamp": end_s}
    if state.has_samples:
        profile = session.ask("Profiler.stop")["profile"]
        complete["samples"] = {"stackTraces": stack_traces(profile, end_s)}
        start_s = end_s - (profile["endTime"] - profile["startTime"]) / 1e6
        span = {"startTime": start_s, "endTime": end_s, "type": "Other"}
        session.emit("ScriptProfiler.trackingUpdate", {"event": span})
    session.emit("ScriptProfiler.trackingComplete", complete)


def stack_traces(profile: Params, end_s: float) -> list[Params]:
    """Return the stacks of V8's `profile`, innermost frame first; the profile ended at `end_s`."""
    parents = {child: node["id"] for node in profile["nodes"] for child in node.get("children", ())}
    frames = {node["id"]: node["callFrame"] for node in profile["nodes"]}
    stacks: dict[int, list[Params]] = {}

    def stack(node: int) -> list[Params]:
        if node not in stacks:
            frame, above = frames[node], stack(parents[node]) if node in parents else []
            stacks[node] = above if frame["functionName"] in _NOT_FUNCTIONS else [_frame(frame), *above]
        return stacks[node]

    now_s = end_s - (profile["endTime"] - profile["startTime"]) / 1e6
    traces = []
    for node, delta_us in zip(profile.get("samples", ()), profile.get("timeDeltas", ()), strict=False):
        now_s += delta_us / 1e6
        if found := stack(node):
            traces.append({"timestamp": now_s, "stackFrames": found})
    return traces


def _frame(frame: Params) -> Params:
    return {
        "sourceID": frame["scriptId"],
        "name": frame["functionName"],
        "line": frame["lineNumber"] + 1,
        "column": frame["columnNumber"] + 1,
        "url": to_name(frame["url"]),
    }


DOMAIN = Domain({"startTracking": Command(_start, includeSamples="Boolean?"), "stopTracking": Command(_stop)})
