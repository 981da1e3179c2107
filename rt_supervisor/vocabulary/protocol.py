"""The messages between supervisor, guardian and zygote in Python: tuples that begin with the kind of the message.

The encoding is native (`native/wire/src/protocol.rs`); `_native` encodes orders and decodes reports.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final, Literal, TypeAlias

# guardian -> supervisor
STARTED: Final = "started"
REFUSED: Final = "refused"
ENDED: Final = "ended"

# guardian -> zygote
PREPARE: Final = "prepare"
HOLD: Final = "hold"
SPAWN: Final = "spawn"
LONG: Final = "long"  # the order is in a file, which is sent after the descriptors

# zygote and its workers -> guardian, over one pipe: frames within POSIX's least PIPE_BUF (512) do not mix
HELD: Final = "held"
FORKED: Final = "forked"
RUNNING: Final = "running"
UNABLE: Final = "unable"

if TYPE_CHECKING:  # the fields of the messages; they are tuples, because classes take time at start-up
    # key, pid, mask of the signals that it received because they were pending for rt
    Started: TypeAlias = tuple[Literal["started"], int, int, int]
    Refused: TypeAlias = tuple[Literal["refused"], int, int, str, str | None]  # key, errno, words, path
    # key, wait status, CPU seconds, peak resident bytes
    Ended: TypeAlias = tuple[Literal["ended"], int, int, float, int]
    Report: TypeAlias = Started | Refused | Ended

    Kind: TypeAlias = Literal["engine", "shell"]  # of zygotes: their workers run source files, or are rt's own shell

    Prepare: TypeAlias = tuple[Literal["prepare"]]  # prepare the zygote
    Hold: TypeAlias = tuple[Literal["hold"]]  # fork the next worker now; it waits for its order
    # key, program, changed environment, removed names, folder, whether descriptor 0 is a terminal that the script controls,
    # number of descriptors sent with it
    Spawn: TypeAlias = tuple[Literal["spawn"], int, list[str], list[tuple[str, str]], list[str], str, bool, int]
    Order: TypeAlias = Prepare | Hold | Spawn

    # held: pid (0: it could not be forked), from the zygote; forked: key and pid, from the zygote or the worker that
    # was held; running: key, pid, signals that it received, from the worker, which has become the script; unable: key,
    # from either: the script needs a whole process
    Answer: TypeAlias = Literal["held", "forked", "running", "unable"]


def is_shell(program: Sequence[str]) -> bool:
    """Return whether the command line `program` of rt is its own shell with a command, which needs no engine."""
    return tuple(program[1:3]) == ("shell", "-c")
