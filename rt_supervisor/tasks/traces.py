"""Traces: what the processes of a task did with each file, as the tracer in `native/guardian/src/tracing` wrote it.

A trace is complete or does not exist: a guardian that was killed leaves none. The steps of a task have one trace each, which `merge` joins
in their order.
"""

from __future__ import annotations

from ..vocabulary.record import record, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from .digests import Identity

    Rows = dict[tuple[bytes, ...], tuple[str, "Use"]]

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

_FIELDS = 8
_MOST_ROWS = 10_000  # that are known
_END = b"end"
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
    fields = data.split(b"\0")
    known = {} if known is None else known
    try:
        start = 1 + int(fields[0])
        uses = {}
        if fields[-2:] != [_END, b""] or (len(fields) - 2 - start) % _FIELDS:
            return None
        for at in range(start, len(fields) - 2, _FIELDS):
            row = tuple(fields[at : at + _FIELDS])
            found = known.get(row)
            if found is None:
                found = _decode_row(*row)
                if len(known) < _MOST_ROWS:
                    known[row] = found
            uses[found[0]] = found[1]
        return Trace(tuple(map(_text, fields[1:start])), uses)
    except ValueError:
        return None


def _decode_row(flags: bytes, path: bytes, *others: bytes) -> tuple[str, Use]:
    *numbers, names = others
    inode, mode, size, changed, status_changed = map(int, numbers)
    first = (inode, mode, size, changed, status_changed) if mode else None
    return _text(path), Use(int(flags), first, tuple(_text(names).split("/")) if names else ())


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
