"""The domain Heap: collections and snapshots. V8's snapshot is rewritten in the format of Web Inspector's."""

from __future__ import annotations

import json
import time

from .remote_objects import remote_object
from .runtime import preview_of
from .table import Command, Domain, Later, ProtocolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .session import JscSession
    from .table import Handler, Params

_VERSION = 3
_EDGE_TYPES = ("Internal", "Property", "Index", "Variable")
# V8's types of edges by their place in ours; the others are internal.
_OF_EDGE = {"property": 1, "element": 2, "context": 3}
_INTERNAL = 1  # a flag of nodes
_GROUP = "heap"


class State:
    def __init__(self) -> None:
        self.chunks: list[str] = []
        self.has_snapshot = False
        self.started_s = time.monotonic()


def _enable(session: JscSession, _params: Params) -> None:
    session.enabled.add("Heap")
    session.ask("HeapProfiler.enable")


def _disable(session: JscSession, _params: Params) -> None:
    session.enabled.discard("Heap")
    session.ask("HeapProfiler.disable")


def _collect(session: JscSession, _params: Params) -> Later:
    start_s = time.monotonic() - session.heap.started_s

    def collected(_answer: Params) -> Params:
        if "Heap" in session.enabled:
            end_s = time.monotonic() - session.heap.started_s
            collection = {"type": "full", "startTime": start_s, "endTime": end_s}
            session.emit("Heap.garbageCollected", {"collection": collection})
        return {}

    return Later("HeapProfiler.collectGarbage", {}, collected)


def _take(session: JscSession, use: Callable[[Params], Params]) -> Later:
    """Take a snapshot, which V8 does in a task; `use` returns the command's result from the snapshot and its time."""
    state = session.heap
    state.chunks = []

    def answer_snapshot(_answer: Params) -> Params:
        text, state.chunks, state.has_snapshot = "".join(state.chunks), [], True
        data = json.dumps(rewrite(json.loads(text)))
        return use({"timestamp": time.monotonic() - state.started_s, "snapshotData": data})

    return Later("HeapProfiler.takeHeapSnapshot", {"reportProgress": False}, answer_snapshot)


def rewrite(snapshot: dict[str, Any]) -> dict[str, Any]:
    """Return V8's heap snapshot in the format of Web Inspector."""
    meta, nodes, edges, strings = (
        snapshot["snapshot"]["meta"],
        snapshot["nodes"],
        snapshot["edges"],
        snapshot["strings"],
    )
    fields, edge_fields = meta["node_fields"], meta["edge_fields"]
    width, edge_width = len(fields), len(edge_fields)
    kind_at, name_at, id_at, size_at, count_at = map(fields.index, ("type", "name", "id", "self_size", "edge_count"))
    kinds, edge_kinds = meta["node_types"][0], meta["edge_types"][0]
    classes: dict[str, int] = {}
    names: dict[str, int] = {}
    out_nodes: list[int] = []
    out_edges: list[int] = []
    at = 0
    for start in range(0, len(nodes), width):
        kind = kinds[nodes[start + kind_at]]
        name = strings[nodes[start + name_at]] if kind in ("object", "native", "closure") else kind
        is_internal = kind in ("hidden", "code", "synthetic", "object shape", "array")
        number = nodes[start + id_at]
        flags = _INTERNAL if is_internal else 0
        out_nodes += (number, nodes[start + size_at], classes.setdefault(name[:200] or kind, len(classes)), flags)
        for _ in range(nodes[start + count_at]):
            edge_kind = edge_kinds[edges[at]]
            target = nodes[edges[at + 2] + id_at]
            given = edges[at + 1]
            place = _OF_EDGE.get(edge_kind, 0)
            data = given if place in (0, 2) else names.setdefault(strings[given], len(names))
            out_edges += (number, target, place, 0 if place == 0 else data)
            at += edge_width
    return {
        "version": _VERSION,
        "type": "Inspector",
        "nodes": out_nodes,
        "nodeClassNames": list(classes),
        "edges": out_edges,
        "edgeTypes": list(_EDGE_TYPES),
        "edgeNames": list(names),
    }


def _snapshot(session: JscSession, _params: Params) -> Later:
    return _take(session, lambda snapshot: snapshot)


def _report(event: str) -> Handler:
    """Return the handler that reports a snapshot in an event."""

    def handler(session: JscSession, _params: Params) -> Later:
        def report(snapshot: Params) -> Params:
            session.emit(event, snapshot)
            return {}

        return _take(session, report)

    return handler


def _find(session: JscSession, params: Params) -> Params:
    if not session.heap.has_snapshot:
        raise ProtocolError("No heap snapshot")
    number = str(params["heapObjectId"])
    found = session.ask("HeapProfiler.getObjectByHeapObjectId", objectId=number, objectGroup=_GROUP)
    result: Params = found["result"]
    return result


def _get_preview(session: JscSession, params: Params) -> Params:
    value = _find(session, params)
    if value["type"] == "string":
        return {"string": value["value"]}
    return {"preview": preview_of(session, value["objectId"])}


def _get_remote_object(session: JscSession, params: Params) -> Params:
    return {"result": remote_object(_find(session, params))}


def _add_chunk(session: JscSession, params: Params) -> None:
    session.heap.chunks.append(params["chunk"])


DOMAIN = Domain(
    {
        "enable": Command(_enable),
        "disable": Command(_disable),
        "gc": Command(_collect),
        "snapshot": Command(_snapshot),
        "startTracking": Command(_report("Heap.trackingStart")),
        "stopTracking": Command(_report("Heap.trackingComplete")),
        "getPreview": Command(_get_preview, heapObjectId="Integer"),
        "getRemoteObject": Command(_get_remote_object, heapObjectId="Integer", objectGroup="String?"),
    },
    {"HeapProfiler.addHeapSnapshotChunk": _add_chunk},
)
