"""One call of a builtin: its words, descriptors and options, and its error messages."""

from __future__ import annotations

import os

from ..own_descriptors import named_descriptor, path_here
from ..state import encoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..interpreter import Interpreter
    from ..state import State

BLOCK_BYTES = 1 << 16
_NOT_OPENED_AGAIN = (6, 13)  # ENXIO for sockets, EACCES for files that another user has opened


class NotCovered(Exception):
    """The builtin does not support an option or a use of it, so the system's command has to run."""

    def __init__(self, message: str, *, status: int = 1) -> None:
        super().__init__(message)
        self.status = status


class Output:
    """Buffers the output of a command in blocks."""

    __slots__ = ("_blocks", "_descriptor", "_size")

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._blocks: list[bytes] = []
        self._size = 0

    def write(self, data: bytes) -> None:
        """Raises BrokenPipeError if nothing reads the output any more."""
        self._blocks.append(data)
        self._size += len(data)
        if self._size >= BLOCK_BYTES:
            self.flush()

    def text(self, text: str) -> None:
        self.write(encoded(text))

    def flush(self) -> None:
        if not self._blocks:
            return
        data: bytes | memoryview = self._blocks[0] if len(self._blocks) == 1 else b"".join(self._blocks)
        self._blocks = []
        self._size = 0
        written = os.write(self._descriptor, data)
        if written < len(data):
            rest = memoryview(data)[written:]
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]


class Call:
    """A command called `name` with `arguments`."""

    __slots__ = ("arguments", "io", "name", "out", "shell")

    def __init__(self, name: str, arguments: list[str], shell: Interpreter, io: dict[int, int]) -> None:
        self.name = name
        self.arguments = arguments
        self.shell = shell
        self.io = io
        self.out = Output(io.get(1, -1))

    @property
    def state(self) -> State:
        return self.shell.state

    @property
    def stdin(self) -> int:
        return self.io.get(0, -1)

    def path(self, name: str) -> str:
        """Return the path by which this process reaches the file that the command calls `name`."""
        if name.startswith(("/dev/", "/proc/")):
            own = path_here(name, self.io)
            if own is not None:
                return own
        return self.shell.state.path(name)

    def complain(self, message: str) -> None:
        """Print `name: message` to stderr, after the output so far."""
        self.out.flush()
        try:
            os.write(self.io.get(2, -1), encoded(f"{self.name}: {message}\n"))
        except OSError:
            return

    def fail(self, message: str, status: int = 1) -> int:
        self.complain(message)
        return status

    def report_os_error(self, name: str, error: OSError | ValueError) -> int:
        """Print the system's error about `name`."""
        words = error.strerror if isinstance(error, OSError) else str(error)
        self.complain(f"{name}: {words}")
        return 1

    def options(self, flags: str, valued: str = "", long: Mapping[str, str] | None = None) -> Options:
        """Parse the options at the beginning and between operands. Raises NotCovered."""
        return read_options(self.arguments, flags, valued, long or {})

    def blocks(self, name: str) -> Iterator[bytes]:
        """Yield the contents of file `name` (`-`: stdin) in blocks. Raises OSError."""
        if name == "-":
            yield from read_blocks(self.stdin)
            return
        descriptor = self.open(name)
        try:
            yield from read_blocks(descriptor)
        finally:
            os.close(descriptor)

    def open(self, name: str) -> int:
        """Return a descriptor that reads file `name`. Raises OSError."""
        try:
            return os.open(self.path(name) if name else "", os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            number = named_descriptor(name) if error.errno in _NOT_OPENED_AGAIN else None
            if number is None:
                raise
            return os.dup(self.io.get(number, -1))

    def lines(self, name: str, end: bytes = b"\n") -> Iterator[bytes]:
        """Yield the lines of a file with their ends; the last may have none. Raises OSError."""
        rest: list[bytes] = []
        for block in self.blocks(name):
            pieces = block.split(end)
            if len(pieces) == 1:
                rest.append(block)
                continue
            rest.append(pieces[0])
            yield b"".join(rest) + end
            for piece in pieces[1:-1]:
                yield piece + end
            rest = [pieces[-1]] if pieces[-1] else []
        if rest:
            yield b"".join(rest)


class Options:
    """`given` maps the letters (also of long options) to their last values; `order` lists all options in order."""

    __slots__ = ("given", "operands", "order")

    def __init__(self) -> None:
        self.given: dict[str, str] = {}
        self.operands: list[str] = []
        self.order: list[tuple[str, str]] = []

    def has(self, letter: str) -> bool:
        return letter in self.given

    def get(self, letter: str, default: str = "") -> str:
        return self.given.get(letter, default)

    def add(self, letter: str, value: str) -> None:
        self.given[letter] = value
        self.order.append((letter, value))


def read_options(arguments: Sequence[str], flags: str, valued: str, long: Mapping[str, str]) -> Options:
    found = Options()
    waiting = list(arguments)
    waiting.reverse()
    while waiting:
        word = waiting.pop()
        if word == "--":
            found.operands += reversed(waiting)
            break
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            letter = long.get(name)
            if letter is None:
                raise NotCovered(f"unrecognized option -- {name}")
            if letter in valued and not equals:
                if not waiting:
                    raise NotCovered(f"option requires an argument -- {name}")
                value = waiting.pop()
            found.add(letter, value)
        elif len(word) > 1 and word[0] == "-":
            for place in range(1, len(word)):
                letter = word[place]
                if letter in flags:
                    found.add(letter, "")
                    continue
                if letter not in valued:
                    raise NotCovered(f"illegal option -- {letter}")
                value = word[place + 1 :]
                if not value:
                    if not waiting:
                        raise NotCovered(f"option requires an argument -- {letter}")
                    value = waiting.pop()
                found.add(letter, value)
                break
        else:
            found.operands.append(word)
    return found


def read_blocks(descriptor: int) -> Iterator[bytes]:
    while block := os.read(descriptor, BLOCK_BYTES):
        yield block
