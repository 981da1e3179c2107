"""The last lines of a process's output, at a cost that does not depend on how much it prints.

Blocks are searched from their end for as many lines as may be shown, without decoding. A line that carriage returns
overwrite (a progress bar) counts once, with its last state. Each line is stored with the colours that were active where
it began.
"""

from __future__ import annotations

from collections import deque

from ...vocabulary.errors import Failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .spool import Spool

LONGEST_LINE = 64 * 1024  # a longer line is cut here
_COLOUR_REACH = 4096  # how far back to search for colours in text that is not kept

Line = tuple[bytes, bytes]  # the colours active where the line begins, and the line without its newline


class OutputTail:
    """The output of one step on all its streams: the last `keep` lines, the number of lines, and everything in
    `spool`."""

    def __init__(self, keep: int, spool: Spool | None = None) -> None:
        self._keep = max(1, keep)
        self._spool = spool
        self._lines: deque[Line] = deque(maxlen=self._keep)
        self._open: dict[int, bytes] = {}  # the unfinished line of each stream
        self._colours: dict[int, bytes] = {}  # the colours active where it begins
        self._overlong: set[int] = set()  # streams whose unfinished line is already in the spool
        self._ended = 0

    @property
    def count(self) -> int:
        """The number of lines, including unfinished ones."""
        return self._ended + sum(1 for line in self._open.values() if line)

    @property
    def kept(self) -> int:
        """The most lines that `last` can return."""
        return self._keep

    def last(self, count: int) -> list[Line]:
        """Return the last `count` lines, or fewer if there are fewer."""
        if count <= 0:
            return []
        unfinished = [(self._colours.get(stream, b""), line) for stream, line in sorted(self._open.items()) if line]
        return [*self._lines, *unfinished][-count:]

    def feed(self, stream: int, block: bytes) -> None:
        """Process a block that the process wrote to `stream`. Raises Failed if it cannot be stored."""
        end = block.rfind(b"\n") + 1
        if not end:
            self._extend(stream, block)
            return
        self._ended += block.count(b"\n", 0, end)
        begun = self._open.pop(stream, b"")
        self._store(block[:end] if stream in self._overlong else begun + block[:end])
        self._overlong.discard(stream)
        start = end - 1
        for _ in range(self._keep):
            start = block.rfind(b"\n", 0, start)
            if start < 0:
                break
        kept = block[start + 1 : end - 1].split(b"\n")
        skipped = b""
        if start < 0:
            kept[0] = begun + kept[0]
        else:
            skipped = begun + block[max(0, start - _COLOUR_REACH) : start]
        self._keep_lines(stream, kept, skipped if b"\x1b" in skipped else b"")
        if end < len(block):
            self._extend(stream, block[end:])

    def finish(self, stream: int) -> None:
        """Record the end of `stream`: its unfinished line counts as a line."""
        if self._open.get(stream) or stream in self._overlong:
            self.feed(stream, b"\n")

    def all_lines(self) -> Iterator[Line]:
        """Yield the last `obtainable` lines, oldest first."""
        if self._spool is None or self.count <= self._keep:
            yield from self.last(self._keep)
            return
        colours = rest = b""
        is_partial = self._spool.lost_lines > 0
        for block in self._spool.blocks():
            *lines, rest = (rest[:LONGEST_LINE] + block).split(b"\n")
            for line in lines[is_partial:]:
                yield colours, _last_state(line)[:LONGEST_LINE]
                if colours or b"\x1b" in line:
                    from .sgr import after

                    colours = after(colours, line)
            is_partial = is_partial and not lines
        if rest:
            yield colours, _last_state(rest)[:LONGEST_LINE]
        unfinished = sorted(stream for stream, line in self._open.items() if line and stream not in self._overlong)
        yield from ((self._colours.get(stream, b""), self._open[stream]) for stream in unfinished)

    @property
    def obtainable(self) -> int:
        """How many of `count` lines `last` or `all_lines` can still return."""
        if self._spool is None or self.count <= self._keep:
            return min(self.count, self._keep)
        lost = self._spool.lost_lines
        return self.count - lost - (1 if lost else 0)

    def forget(self) -> None:
        """Drop the contents of the spool."""
        if self._spool is not None:
            self._spool.discard()

    def _keep_lines(self, stream: int, lines: list[bytes], skipped: bytes) -> None:
        colours = self._colours.get(stream, b"")
        for line in lines:
            if colours or skipped or b"\x1b" in line:
                from .sgr import after

                colours = after(colours, skipped)
                skipped = b""
                self._lines.append((colours, _last_state(line)[:LONGEST_LINE]))
                colours = after(colours, line)
            else:
                self._lines.append((b"", _last_state(line)[:LONGEST_LINE]))
        self._colours[stream] = colours

    def _extend(self, stream: int, piece: bytes) -> None:
        line = self._open.get(stream, b"") + piece
        start = line.rstrip(b"\r").rfind(b"\r") + 1
        if start:
            from .sgr import after

            self._colours[stream] = after(self._colours.get(stream, b""), line[:start])
            line = line[start:]
        if stream in self._overlong:
            self._store(piece)
        elif len(line) > LONGEST_LINE:
            self._overlong.add(stream)
            self._store(line)
        self._open[stream] = line[:LONGEST_LINE]

    def _store(self, data: bytes) -> None:
        if self._spool is None:
            return
        try:
            self._spool.append(data)
        except Failed:
            if not self._spool.is_limited:
                raise
            self.forget()  # it is only needed on an abort, so the run continues without it
            self._spool = None


def _last_state(line: bytes) -> bytes:
    if b"\r" not in line:
        return line
    line = line.rstrip(b"\r")
    return line[line.rfind(b"\r") + 1 :]
