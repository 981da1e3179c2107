"""What was decided about one run in the foreground, as native code carries it out: `native/wire/src/decision.rs` decodes.

Plain data: which processes, and every word that may have to be said about them, line ends and colours included. Whoever
carries it out decides nothing.
"""

from __future__ import annotations

import os

from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


@record
class Step:
    """One process. `echo` is printed before it; `variables` are set or replaced in the environment of whoever starts it.

    Nothing is said about the exit codes in `quiet`; before others stands `exited`, before the name of a signal `signaled`,
    and nothing is said where that is empty. `program` is the file that is executed: the first word where it is empty.
    `direct`, a file and its words, is executed in place of `argv` where the system executes it.
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
    """The steps, run one after the other as far as they succeed, without the variables whose names begin as in `dropped`.

    `signals` are their names and what ends the line about them, at their numbers; empty for those nothing is said about.
    `refused` says what to print where a process cannot be started, by errno; `refused_else` what for any other errno:
    before the path, after it, and after the system's words; `lost` what if the guardian is killed. The exit status is
    `failed` then. `grace_ms` is how long a script may live on after SIGTERM.
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
    """What is said about a process that the system would not start, as in `Decision`."""
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
    """A number of four bytes."""
    return min(value, 0xFFFFFFFF).to_bytes(4, "little")


def text(value: str) -> bytes:
    """A text as its length and its bytes."""
    try:
        return data(os.fsencode(value))
    except UnicodeEncodeError:
        return data(value.encode("utf-8", "backslashreplace"))


def data(value: bytes) -> bytes:
    """Bytes after their length."""
    return number(len(value)) + value


def listed(items: Iterable[bytes]) -> bytes:
    """A list as its length and its items."""
    items = list(items)
    return len(items).to_bytes(4, "little") + b"".join(items)
