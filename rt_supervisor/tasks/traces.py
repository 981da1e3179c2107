"""Traces: what the processes of a task did with each file, as the tracer in `native/guardian/src/tracing` wrote it.

A trace without its end counts as missing: a guardian that was killed leaves none, or a part of one. The steps of a task have one trace each, which `merge` joins
in their order.
"""

from __future__ import annotations

from ..vocabulary.record import record, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from .digests import Identity

    Rows = dict[bytes, tuple[str, "Use"]]

TRACER = "rt-file-tracer"
"""The first word after rt's path in the argv of a traced process. The file of the trace and the argv of the process follow."""

IMPOSSIBLE = "files cannot be traced"
"""How an obstacle begins that stops every trace on this machine, as in `native/guardian/src/tracing/mod.rs`."""

# How a path was used, as in `native/guardian/src/tracing/trace.rs`.
READ = 1  # the content of a file
LOOKED_UP = 2  # only whether there is something, of which kind and with which permissions
LISTED = 4
OPENED_TO_CHANGE = 8
ATTRIBUTES_SET = 16
WRITTEN = 32  # created, replaced, emptied, renamed or removed
EXAMINED = 64  # the metadata, by which programs decide whether a file has changed
EXECUTED = 128

_MOST_ROWS = 10_000  # that are known
_END = b"end"
_ROW_END = b"\0\0"
_LETTER = 1  # before each name of a folder


@record
class Use:
    """How a path was used, as flags. `first` is what was there at first, None for nothing; `names` are those of a folder that was LISTED,
    each after a letter for its kind: d, l (a link) or f.
    """

    flags: int
    first: Identity | None
    names: tuple[str, ...] = ()


@record
class Trace:
    """The uses of files by absolute path, and why the trace may lack some."""

    obstacles: tuple[str, ...]
    uses: Mapping[str, Use]


def read_trace(path: str, known: Rows | None = None) -> Trace | None:
    """Return the trace in the file at `path`, None if it is missing or damaged; `known` as for `decode`."""
    try:
        with open(path, "rb") as file:
            return decode(file.read(), known)
    except OSError:
        return None


def decode(data: bytes, known: Rows | None = None) -> Trace | None:
    """Return a trace from its file, None if it is damaged. Rows that are `known` are not decoded again, and others become known, because
    most tasks use the same files of the system.
    """
    known = {} if known is None else known
    rows = data.split(_ROW_END)
    try:
        count, *obstacles = rows[0].split(b"\0")
        if rows[-2:] != [_END, b""] or int(count) != len(obstacles):
            return None
        uses = {}
        for row in rows[1:-2]:
            found = known.get(row)
            if found is None:
                found = _decode_row(*row.split(b"\0"))
                if len(known) < _MOST_ROWS:
                    known[row] = found
            uses[found[0]] = found[1]
        return Trace(tuple(map(_text, obstacles)), uses)
    except (TypeError, ValueError):  # a row has another number of fields, or other ones
        return None


def _decode_row(
    flags: bytes,
    path: bytes,
    inode: bytes,
    mode: bytes,
    size: bytes,
    changed: bytes,
    status_changed: bytes,
    names: bytes = b"",
) -> tuple[str, Use]:
    first = (int(inode), int(mode), int(size), int(changed), int(status_changed))
    return _text(path), Use(int(flags), first if first[1] else None, tuple(_text(names).split("/")) if names else ())


def merge(traces: Sequence[Trace]) -> Trace:
    """Return what the steps of a task did together: what a later one reads of an earlier one is not read from outside."""
    if len(traces) == 1:
        return traces[0]
    uses: dict[str, Use] = {}
    for trace in traces:
        for path, use in trace.uses.items():
            before = uses.get(path)
            uses[path] = use if before is None else _join(before, use)
    return Trace(tuple(dict.fromkeys(words for trace in traces for words in trace.obstacles)), uses)


def _join(before: Use, after: Use) -> Use:
    flags = after.flags & (WRITTEN | LISTED) if before.flags & WRITTEN else after.flags
    joined: Use = replace(before, flags=before.flags | flags, names=before.names or after.names)
    return joined


def names_without(names: Iterable[str], folder: str, own: frozenset[str] | set[str]) -> list[str]:
    """Return the names of a listed `folder` without those of its files in `own`."""
    return [name for name in names if f"{folder}/{name[_LETTER:]}" not in own]


def _text(field: bytes) -> str:
    return field.decode("utf-8", "surrogateescape")
