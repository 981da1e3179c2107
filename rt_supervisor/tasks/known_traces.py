"""The traces of earlier runs that the store keeps under the base key of a task, and the parts of that key.

The newest is the first. A base key determines its parts, so they are there once; with the inputs of the newest trace, they are what
the last run depended on. Unreadable files count as none.
"""

from __future__ import annotations

import marshal
import os

from .._native import checksum
from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from .keys import Parts
    from .store import Store

FORMAT = 2
MOST_TRACES = 8  # of one base key
_CHECKSUM_BYTES = 8


@record
class KnownTrace:
    """What a run of a task depended on, and every path that it wrote (names as in `observations.Ground`)."""

    inputs: Mapping[str, str]
    own: tuple[str, ...]


def load_traces(store: Store, key: str) -> list[KnownTrace]:
    """Return the traces under the base key `key`, and mark them as used."""
    _, rows = _load(store, key)
    return [KnownTrace(inputs, tuple(own)) for inputs, own in rows]


def put_trace(store: Store, base: Parts, key: str, trace: KnownTrace, others: Sequence[KnownTrace]) -> None:
    """Keep `trace` and the first of `others` under `key`, that of `base`. Raises OSError."""
    older = [each for each in others if each.inputs != trace.inputs]
    rows = [(dict(each.inputs), list(each.own)) for each in (trace, *older[: MOST_TRACES - 1])]
    _write(store, key, base.plain(), rows)


def remove_trace(store: Store, key: str, trace: KnownTrace) -> None:
    """Remove `trace` from those under the base key `key`. Raises OSError."""
    parts, rows = _load(store, key)
    left = [row for row in rows if row[0] != trace.inputs]
    if len(left) < len(rows):
        _write(store, key, parts, left)


def _write(store: Store, key: str, parts: dict[str, Any], rows: list[tuple[dict[str, str], list[str]]]) -> None:
    payload = marshal.dumps((FORMAT, key, parts, rows))
    store.put_traces(key, checksum(payload).to_bytes(_CHECKSUM_BYTES, "little") + payload)


def last_parts(store: Store, key: str) -> dict[str, object] | None:
    """Return the plain parts of the key that the last run with this base key had, None if they are not known."""
    parts, rows = _load(store, key)
    if not rows:
        return None
    return {**parts, "files": {**parts["files"], **rows[0][0]}}


def _load(store: Store, key: str) -> tuple[dict[str, Any], list[tuple[dict[str, str], list[str]]]]:
    path = store.trace_path(key)
    try:
        with open(path, "rb") as file:
            data = file.read()
        payload = data[_CHECKSUM_BYTES:]
        if checksum(payload).to_bytes(_CHECKSUM_BYTES, "little") != data[:_CHECKSUM_BYTES]:
            return {}, []
        version, own_key, parts, rows = marshal.loads(payload)
        os.utime(path)
    except (OSError, ValueError, EOFError, TypeError):
        return {}, []
    return (parts, rows) if (version, own_key) == (FORMAT, key) else ({}, [])
