"""The decision about one run in the foreground, as plain data: its processes, and every message that may be printed about them.

Messages are templates with named fields (`vocabulary.messages`), with line ends and colours. `native/wire/src/decision.rs`
decodes the bytes that `encode` returns, and `native/guardian` executes them without deciding anything.
"""

from __future__ import annotations

import os

from ..vocabulary.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


@record
class Command:
    """One process. `echo` is printed before it; `variables` are set or replaced in the environment of the executing process.

    Messages call it `name`; exit codes in `quiet` are not reported. `program` is the file to execute, by default the first
    word of `argv`. `direct`, a file and its arguments, is executed instead of `argv` if the system can execute the file.
    """

    name: str
    echo: str
    argv: Sequence[str]
    folder: str
    variables: Mapping[str, str]
    quiet: Sequence[int]
    program: str = ""
    direct: Sequence[str] = ()


@record
class Refusals:
    """What is printed if the system does not start a process: by errno, and for any other errno.

    `other_file` names the file that cannot be executed (fields: `path`, `reason`), `other` does not (`reason`).
    """

    by_errno: Mapping[int, str] = {}
    other: str = ""
    other_file: str = ""


@record
class Decision:
    """The commands, run one after the other until one fails, without the variables whose names begin with a prefix in `dropped`.

    `exited` (fields: `name`, `code`) and `signaled` (`name`, `signal`) report the end of a command, unless they are empty.
    `signals` has the names of signals by number, empty for those that are not reported. `refusals` are printed if a process
    cannot be started, `lost` if the guardian is killed. The exit status is `failed` then. `grace_ms` is the time that a script
    has to end after SIGTERM.
    """

    commands: Sequence[Command]
    grace_ms: int
    dropped: Sequence[str]
    exited: str
    signaled: str
    signals: Sequence[str]
    refusals: Refusals
    lost: str
    failed: int = 1


def encode(decision: Decision) -> bytes:
    """Return the bytes of `decision`: numbers of four bytes, texts after their length, lists after theirs."""
    return b"".join(
        (
            number(decision.grace_ms),
            listed(map(text, decision.dropped)),
            listed(map(_command, decision.commands)),
            text(decision.exited),
            text(decision.signaled),
            listed(map(text, decision.signals)),
            refusals(decision.refusals),
            text(decision.lost),
            number(decision.failed),
        )
    )


def refusals(messages: Refusals) -> bytes:
    """Encode the messages about a process that the system does not start."""
    by_errno = listed(number(errno) + text(line) for errno, line in messages.by_errno.items())
    return by_errno + text(messages.other) + text(messages.other_file)


def _command(command: Command) -> bytes:
    return b"".join(
        (
            text(command.name),
            text(command.echo),
            text(command.program or command.argv[0]),
            listed(map(text, command.argv)),
            listed(map(text, command.direct)),
            text(command.folder),
            listed(text(name) + text(value) for name, value in command.variables.items()),
            listed(map(number, command.quiet)),
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
    return len(value).to_bytes(4, "little") + value


def listed(items: Iterable[bytes]) -> bytes:
    """Encode a list as its length and its items."""
    items = items if type(items) is list else list(items)
    return len(items).to_bytes(4, "little") + b"".join(items)
