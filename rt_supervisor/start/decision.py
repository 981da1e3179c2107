"""The decision about one run in the foreground, as plain data: its processes, and every message that may be printed about them.

The messages include line ends and colours. `native/wire/src/decision.rs` decodes the bytes that `encode` returns, and
`native/guardian` executes them without deciding anything.
"""

from __future__ import annotations

import os

from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


@record
class Step:
    """One process. `echo` is printed before it; `variables` are set or replaced in the environment of the executing process.

    Exit codes in `quiet` are not reported. Other codes are printed after `exited` and names of signals after `signaled`,
    unless that is empty. `program` is the file to execute, by default the first word of `argv`. `direct`, a file and its
    arguments, is executed instead of `argv` if the system can execute the file.
    """

    echo: str
    argv: Sequence[str]
    folder: str
    variables: Mapping[str, str]
    quiet: Sequence[int]
    exited: str = ""
    signaled: str = ""
    program: str = ""
    direct: Sequence[str] = ()


@record
class Decision:
    """The steps, run one after the other until one fails, without the variables whose names begin with a prefix in `dropped`.

    `signals` holds, by number, the name of a signal with the end of the line that reports it; empty for those that are not
    reported. `refused` is printed if a process cannot be started, by errno; for any other errno the three parts of
    `refused_else` are: before the path, after it, and after the system's message. `lost` is printed if the guardian is
    killed. The exit status is `failed` then. `grace_ms` is the time that a script has to end after SIGTERM.
    """

    steps: Sequence[Step]
    grace_ms: int
    dropped: Sequence[str]
    signals: Sequence[str]
    refused: Mapping[int, str]
    refused_else: tuple[str, str, str]
    lost: str
    failed: int = 1


def encode(decision: Decision) -> bytes:
    """Return the bytes of `decision`: numbers of four bytes, texts after their length, lists after theirs."""
    return b"".join(
        (
            number(decision.grace_ms),
            listed(map(text, decision.dropped)),
            listed(map(_step, decision.steps)),
            listed(map(text, decision.signals)),
            refusals(decision.refused, decision.refused_else),
            text(decision.lost),
            number(decision.failed),
        )
    )


def refusals(refused: Mapping[int, str], refused_else: tuple[str, str, str]) -> bytes:
    """Encode the messages about a process that the system cannot start, as in `Decision`."""
    return listed(number(errno) + text(line) for errno, line in refused.items()) + b"".join(map(text, refused_else))


def _step(step: Step) -> bytes:
    return b"".join(
        (
            text(step.echo),
            text(step.program or step.argv[0]),
            listed(map(text, step.argv)),
            listed(map(text, step.direct)),
            text(step.folder),
            listed(text(name) + text(value) for name, value in step.variables.items()),
            listed(map(number, step.quiet)),
            text(step.exited),
            text(step.signaled),
        )
    )


def number(value: int) -> bytes:
    """Encode a number in four bytes."""
    return min(value, 0xFFFFFFFF).to_bytes(4, "little")


def text(value: str) -> bytes:
    """Encode a text as its length and its bytes."""
    try:
        return data(os.fsencode(value))
    except UnicodeEncodeError:
        return data(value.encode("utf-8", "backslashreplace"))


def data(value: bytes) -> bytes:
    """Encode bytes as their length and themselves."""
    return number(len(value)) + value


def listed(items: Iterable[bytes]) -> bytes:
    """Encode a list as its length and its items."""
    items = list(items)
    return len(items).to_bytes(4, "little") + b"".join(items)
