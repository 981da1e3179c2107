"""The native module, `native/`: its whole surface and its documentation.

Errors are Python exceptions; no call panics. Functions that do real work release the GIL.
"""

from collections.abc import Sequence
from typing import final

IS_DEBUG_BUILD: bool
"""Whether the module is unoptimised and checks itself as it runs (`rt run build`)."""

# --- globs.rs ---------------------------------------------------------------------------------------------------

def match_glob(pattern: str, texts: Sequence[str]) -> list[int]:
    """The places in `texts` of those that the glob `pattern` matches.

    `*` and `?` do not cross `/`, `**` as a whole segment does, `[a-z]` and `[!x]` are classes, `{a,b}` nest, a
    backslash escapes, a leading `!` negates, and a pattern matches its own text. Time is linear in pattern times text.
    """

# --- identities.rs ----------------------------------------------------------------------------------------------

def checksum(data: bytes) -> int:
    """A 64-bit number that damaged data is most unlikely to share. No defence against malice."""

def identify(paths: Sequence[str], settled_ns: int) -> bytes | None:
    """What `is_unchanged` needs to tell later whether files and folders are still the same, or are still not there.

    None if one of them changed at `settled_ns` (since the epoch) or later: it might change again within one tick of
    the file system's clock, unnoticed.
    """

def is_unchanged(identities: bytes) -> bool:
    """Whether device, inode, size and change times are those that `identify` found. Never raises, whatever the bytes."""

# --- manifests.rs -----------------------------------------------------------------------------------------------

@final
class Manifest:
    """What rt needs of one package.json; a field of the wrong type is as absent.

    `path` is as it was asked for and `folder` its parent. `scripts` and `config` hold the entries whose value is a
    string, in their order, a fresh dict each time. `dependencies` are the names in dependencies, devDependencies and
    optionalDependencies, each once. `workspaces` is None where there is no such field.
    """

    def __new__(cls, path: str, fields: tuple[object, ...], /) -> Manifest: ...
    def plain(self) -> tuple[str, tuple[object, ...]]:
        """The arguments of the constructor, as tuples, lists and strings that `marshal` can keep."""

    def script(self, name: str) -> str | None:
        """The command of script `name`, "" where it is empty, None where it is absent."""

    @property
    def path(self) -> str: ...
    @property
    def folder(self) -> str: ...
    @property
    def name(self) -> str | None: ...
    @property
    def version(self) -> str | None: ...
    @property
    def main(self) -> str | None: ...
    @property
    def scripts(self) -> dict[str, str]: ...
    @property
    def config(self) -> dict[str, str]: ...
    @property
    def dependencies(self) -> tuple[str, ...]: ...
    @property
    def workspaces(self) -> tuple[str, ...] | None: ...

@final
class ManifestProblem:
    """A package.json that cannot be used; `str()` of it is `path:line:column: reason`.

    `line` and `column` count from 1, in characters, and are 0 where no place in the file is meant; `missing` tells a
    file that is not there from one that is broken.
    """

    @property
    def path(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def reason(self) -> str: ...
    @property
    def missing(self) -> bool: ...

def read_manifests(paths: Sequence[str]) -> list[Manifest | ManifestProblem]:
    """Read each package.json, in order, several at once where there are many.

    Never waits for a FIFO or a device and never raises for what a file holds.
    """

# --- packages.rs ------------------------------------------------------------------------------------------------

def find_packages(root: str, patterns: Sequence[str]) -> tuple[list[Manifest], list[ManifestProblem], list[str]]:
    """The packages below the absolute folder `root` that workspace globs name: (manifests, problems, watched).

    Manifests come in the order of the patterns, then of their paths; folders without package.json are left out.
    `watched` are the files and folders that decided which packages there are, existing or not.
    """

# --- process.rs -------------------------------------------------------------------------------------------------

def become_subreaper() -> None:
    """Have orphaned descendants re-parented to this process. Raises OSError (Linux 3.4 and later have it)."""

def signal_descriptor(mask: int) -> int:
    """Return a new non-blocking descriptor from which arriving signals are read; bit n of `mask` chooses signal n.

    The signals must be blocked. Each read gives 128-byte `signalfd_siginfo` records (signalfd(2)). Raises OSError.
    """

def spawn(
    argv: list[bytes],
    environment: list[bytes],
    folder: bytes,
    descriptors: tuple[int, int, int],
    group: int,
    ignored: int,
) -> int:
    """Start `argv` (its first element is the program's path, not looked up) and return its pid.

    `environment` holds complete `NAME=value` entries; `folder` is its working folder (empty: the caller's).
    `descriptors` become its 0, 1 and 2; each must be its own target or above 2. `group` is the process group to join,
    0 for a new one, -1 for the caller's. Signals whose bit is set in `ignored` stay ignored, all others get their
    default action; none is blocked. The process is killed when the thread that started it ends.
    Raises OSError with errno, and with the path when the folder or the program is at fault, ValueError on a null byte.
    """

# --- spawner.rs -------------------------------------------------------------------------------------------------

class Spawner:
    """Threads that start processes side by side, for the guardian; it has no end but the process's.

    `fileno` is readable when `take` has answers.
    """

    def __init__(self, threads: int) -> None:
        """Start up to `threads` threads. Raises OSError when not even one can be started."""

    def fileno(self) -> int: ...
    def submit(
        self,
        key: int,
        argv: list[bytes],
        environment: list[bytes],
        folder: bytes,
        descriptors: tuple[int, int, int],
        group: int,
        ignored: int,
    ) -> None:
        """Have a process started as by `spawn`. Raises ValueError on a null byte. The descriptors stay the caller's."""

    def take(self) -> list[tuple[int, int, int, str, str | None]]:
        """Return what has been answered since: (key, pid, 0, "", None), or (key, 0, errno, words, path at fault)."""

    def settle(self, at_most: int) -> None:
        """Wait until no more than `at_most` orders are unanswered."""
