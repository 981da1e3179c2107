"""What supervisor, guardian and zygote say to each other, as Python sees it: tuples whose first item is the message's kind.

The bytes are native (`native/wire/src/protocol.rs`, encode beside decode); `_native` makes orders and reads reports.
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
LONG: Final = "long"  # the order is in a file, which travels behind the descriptors

# zygote and its workers -> guardian, over one pipe: frames within POSIX's least PIPE_BUF (512) do not mix
HELD: Final = "held"
FORKED: Final = "forked"
RUNNING: Final = "running"
UNABLE: Final = "unable"

if TYPE_CHECKING:  # the messages by their fields: tuples, which cost no class at start-up
    # key, pid, mask of the signals it was given that were pending for rt
    Started: TypeAlias = tuple[Literal["started"], int, int, int]
    Refused: TypeAlias = tuple[Literal["refused"], int, int, str, str | None]  # key, errno, words, path
    # key, wait status, CPU seconds, peak resident bytes
    Ended: TypeAlias = tuple[Literal["ended"], int, int, float, int]
    Report: TypeAlias = Started | Refused | Ended

    Kind: TypeAlias = Literal["engine", "shell"]  # of zygotes: their workers run source files, or are rt's own shell

    Prepare: TypeAlias = tuple[Literal["prepare"]]  # make yourself ready
    Hold: TypeAlias = tuple[Literal["hold"]]  # fork the next worker now; it waits for its order
    # key, program, changed environment, removed names, folder, descriptors that travel along
    Spawn: TypeAlias = tuple[Literal["spawn"], int, list[str], list[tuple[str, str]], list[str], str, int]
    Order: TypeAlias = Prepare | Hold | Spawn

    # held: pid (0: it could not be forked), forked: key and pid, both the zygote's, or of the worker that was held;
    # running: key, pid, signals it was given: the worker's, which has become the script; unable: key, of either: the
    # script needs a whole process
    Answer: TypeAlias = Literal["held", "forked", "running", "unable"]


def is_shell(program: Sequence[str]) -> bool:
    """Whether the command line `program` of rt is its own shell with a text: then it needs no engine."""
    return tuple(program[1:3]) == ("shell", "-c")
