"""Bytes between an agent and its slots: each message is a length of four bytes, little-endian, and a tuple in the form of `marshal`.

Both ends are the same rt on the same machine. To a slot go ("run", job) and ("end", signal, grace in seconds); `Job` names what is in a job.
From it come ("started", step), ("output", step, stream, block), ("step", *end), ("ended", *end) and ("refused", message); an end is (step,
code, signal, seconds, CPU seconds, peak bytes), and "ended" has that of the last step that ran.
"""

from __future__ import annotations

import marshal
import os

from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeAlias

    GlobLists: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]

LENGTH_BYTES = 4
_HYPHEN = "\N{HYPHEN}"


@record
class Job:
    """One task, as the requesting machine sends it to an agent. `run` names the run, `task` is its number there.

    `steps` (name and command, the script itself at `main`) run for the script `name` of the package in `folder` (relative to the root, ""
    for the root itself), in the tree of `manifest`, after the results `restores` of its dependencies have been put there: digest, key,
    and the globs of the outputs. `flags` are those of the request that concern scripts. Of the agent's own variables, those that
    `patterns` include are replaced by `variables`; if the environment `is_strict`, the task gets no others except those that every task
    gets. `key` names the result, and `outputs` are the globs of what belongs to it. `setup` is the command that installs packages, ""
    for that of the lockfile. `attempt` distinguishes jobs of the same task.
    """

    run: str
    task: int
    title: str
    name: str
    steps: tuple[tuple[str, str], ...]
    main: int
    is_strict: bool
    folder: str
    manifest: str
    restores: tuple[tuple[str, str, GlobLists], ...]
    arguments: tuple[str, ...]
    flags: tuple[str, ...]
    variables: dict[str, str]
    patterns: tuple[str, ...]
    outputs: GlobLists
    key: str
    grace_s: float
    setup: str
    attempt: int


def dask_key(job: Job) -> str:
    """Return the name of a job in Dask, which takes what comes before the first ASCII hyphen as the name of a group of tasks: the script.

    Dask sums durations, counts and metrics for each group, in the scheduler and in each heartbeat of an agent. If every job had a group of its
    own, each decision of the scheduler would cost as much as all jobs that it has.
    """
    group = job.name.replace("-", _HYPHEN)
    return f"{group}-{job.task}-{job.title}-{job.run}-{job.attempt}"


def encode_job(job: Job) -> bytes:
    return marshal.dumps(tuple(getattr(job, name) for name in Job.__annotations__))


def decode_job(data: bytes) -> Job:
    return Job(*marshal.loads(data))


def encode(message: tuple[Any, ...]) -> bytes:
    data = marshal.dumps(message)
    return len(data).to_bytes(LENGTH_BYTES, "little") + data


def decode(data: bytes) -> tuple[Any, ...]:
    message: tuple[Any, ...] = marshal.loads(data)
    return message


class Decoder:
    """Takes the bytes of a stream as they arrive, and returns the messages that are complete."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[tuple[Any, ...]]:
        """Return the messages that end in `data`."""
        data = self._rest + data
        messages, at = [], 0
        while (start := at + LENGTH_BYTES) <= len(data):
            end = start + int.from_bytes(data[at:start], "little")
            if end > len(data):
                break
            messages.append(decode(data[start:end]))
            at = end
        self._rest = data[at:]
        return messages


def read_frame(descriptor: int) -> tuple[Any, ...] | None:
    """Read one message, waiting for it; None at the end of the stream, also within a message."""
    head = _read(descriptor, LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        return None
    size = int.from_bytes(head, "little")
    data = _read(descriptor, size)
    return decode(data) if len(data) == size else None


def _read(descriptor: int, size: int) -> bytes:
    data = b""
    while len(data) < size:
        block = os.read(descriptor, size - len(data))
        if not block:
            break
        data += block
    return data


def write_frames(descriptor: int, messages: Iterable[tuple[Any, ...]]) -> None:
    """Write messages, waiting for room. Raises OSError."""
    data = memoryview(b"".join(map(encode, messages)))
    while data:
        data = data[os.write(descriptor, data) :]
