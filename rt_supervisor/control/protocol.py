"""The frames between a run and its clients: encoding beside decoding, no I/O.

A frame is its length (u32, big-endian, of what follows), one byte for its kind, and the payload:

- `J`: a message, one JSON object in UTF-8. The server begins with {"type": "hello", "protocol": N, "version": V, "run": {...}}. A client
  that speaks another protocol disconnects.
- `O`: output of a task: its key (u32), the step (u32), the stream (u8, 1 or 2), the offset of the bytes in the output of the task
  (u64), and the bytes. Offsets count from the start of the run, over all steps and restarts.

A client sends requests {"id": N, "do": OPERATION, ...}, and gets for each one {"type": "reply", "id": N, "result": {...}} or
{"type": "reply", "id": N, "error": {"reason": R, "message": M}}. Without a request, the server sends
{"type": "event", ...} and `O` frames to subscribers, {"type": "skipped", "task": K, "bytes": N} where a subscriber was too slow for the
output, {"type": "watching", "state": S}, and at the end of the run {"type": "ended", "replaced": B, "status": N}.

| Operation | Arguments | Result |
|---|---|---|
| `subscribe` | `events`, `output` ("all", or tasks), `from_offset` or `last_bytes` | `output`: `task`, `from`, `end` of each |
| `snapshot` | `usage`: with CPU time and memory of each task's processes | `run`, `at`, `watching`, `tasks` |
| `start`, `stop`, `restart` | `tasks` | `tasks` on which it has an effect |
| `restart-failed` | | `tasks` that run again |
| `pause-watching`, `resume-watching` | | `watching` |
| `input` | `task`, `bytes` (base64) | `accepted`: how many of them |
| `resize` | `task`, `rows`, `columns` | |
| `stop-run` | | |
| `detach` | | ends the subscription |

A task is named by its key, its label, `package#script`, a package or a script.
"""

from __future__ import annotations

import json
import struct

from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

PROTOCOL = 1
"""The number of this protocol: it changes when a client of the old one could misunderstand a server of the new one."""

MOST_FRAME_BYTES = 16 << 20
MOST_OUTPUT_BYTES = 64 << 10  # of one `O` frame

_HEAD = struct.Struct(">IB")
_OUTPUT = struct.Struct(">IIBQ")
_MESSAGE_KIND, _OUTPUT_KIND = ord("J"), ord("O")


class ProtocolError(Exception):
    """The other side sent what is not a frame of this protocol."""


@record
class Output:
    """Bytes that step `step` of task `task` wrote to `stream`; `offset` is their place in the output of the task."""

    task: int
    step: int
    stream: int
    offset: int
    data: bytes


def encode_message(message: Mapping[str, Any]) -> bytes:
    """Return the frame of a message."""
    payload = json.dumps(message, separators=(",", ":")).encode()
    return _HEAD.pack(len(payload) + 1, _MESSAGE_KIND) + payload


def encode_output(output: Output) -> bytes:
    """Return the frame of a piece of output, at most MOST_OUTPUT_BYTES long."""
    head = _OUTPUT.pack(output.task, output.step, output.stream, output.offset)
    return _HEAD.pack(len(head) + len(output.data) + 1, _OUTPUT_KIND) + head + output.data


class Decoder:
    """Splits received bytes into frames, however they arrive."""

    def __init__(self, *, most: int = MOST_FRAME_BYTES) -> None:
        """A frame of more than `most` bytes is an error."""
        self._most = most
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[dict[str, Any] | Output]:
        """Yield the messages and the output that are complete with `data`. Raises ProtocolError."""
        self._buffer += data
        while len(self._buffer) >= _HEAD.size:
            size, kind = _HEAD.unpack_from(self._buffer)
            if not 1 <= size <= self._most:
                raise ProtocolError(f"a frame of {size} bytes")
            end = _HEAD.size - 1 + size
            if len(self._buffer) < end:
                return
            payload = bytes(self._buffer[_HEAD.size : end])
            del self._buffer[:end]
            yield _decode(kind, payload)


def _decode(kind: int, payload: bytes) -> dict[str, Any] | Output:
    if kind == _MESSAGE_KIND:
        try:
            message = json.loads(payload)
        except ValueError as error:
            raise ProtocolError("a message that is not JSON") from error
        if not isinstance(message, dict):
            raise ProtocolError("a message that is not an object")
        return message
    if kind == _OUTPUT_KIND and len(payload) >= _OUTPUT.size:
        task, step, stream, offset = _OUTPUT.unpack_from(payload)
        return Output(task, step, stream, offset, payload[_OUTPUT.size :])
    raise ProtocolError(f"a frame of kind {kind}")
