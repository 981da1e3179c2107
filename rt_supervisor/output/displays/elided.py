"""The view of `--filter` and `--workspaces` on a terminal: a block for each script, redrawn in place.

While all blocks fit on the screen, they stay there in listing order. When they do not, blocks that have ended are
printed above for good, and the running scripts share the rest of the screen. A script that has failed is printed with its
whole output, up to a bound, beyond which a file has it. The cost of writing does not depend on how
much scripts print: `tail` keeps the lines that may be shown, and at most thirty frames are drawn per second. The
drawing modules are imported when the first frame is due, so that scripts start first.
"""

from __future__ import annotations

import os
import time

from ...vocabulary.events import TasksRestarted
from ...watching.descriptions import CLEAR, describe_files
from ..drawing.blocks import RunBlocks
from ..drawing.palette import DIM, Palette

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ...plan.model import RunPlan
    from ...vocabulary.events import Event
    from ..drawing.blocks import ScriptBlock
    from ..drawing.frame import FrameBuilder
    from ..drawing.spool import SlotFile
    from ..drawing.tail import OutputTail
    from ..drawing.terminal import Painter
    from ..writer import Writer

FRAME_S = 1 / 30
FIRST_FRAME_S = 0.015
MOST_KEPT_LINES = 250  # in memory, for each script; no screen shows more
ABORT_BYTES = 1 << 20  # of each script's output, kept to be printed on an abort
_LONGEST_NAME = 100  # of the file with the output of a failed script
_PIECE = 64 * 1024  # of permanent output, per write


class ElidedDisplay:
    """Shows a run in blocks; see `Display` in `output.display`."""

    def __init__(
        self,
        plan: RunPlan,
        *,
        out: Writer,
        elide_lines: int = 10,
        colour: bool = True,
        clears: bool = False,
        size: Callable[[], tuple[int, int]] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`elide_lines` lines of each script are shown, 0 for all. With `clears`, the screen is cleared when a change
        restarts scripts. `size` returns (columns, rows), by default those of `out`; `clock` returns seconds and times
        the frames.
        """
        self.interval_ms: int | None = round(FIRST_FRAME_S * 1000)
        self._out = out
        self._elide_lines = elide_lines
        self._palette = Palette(is_on=colour)
        self._size = size
        self._clears = clears
        self._clock = clock
        self._spools: SlotFile | None = None
        self._blocks = RunBlocks(plan, self._new_tail, clock=clock)
        self._drawing: tuple[FrameBuilder, Painter] | None = None
        self._is_compact = False
        self._is_stale = True
        self._is_closed = False
        self._news = ""  # lines about changed files, which are printed above the blocks
        self._columns = self._rows = 0
        self._next_frame: float | None = None

    def event(self, event: Event) -> None:
        if isinstance(event, TasksRestarted) and event.changed:
            if self._clears:
                self._out.write(CLEAR)
                self._drawing = None  # the screen is empty
                self._is_compact = False
            changed = describe_files(event.changed, os.getcwd())
            self._news += self._palette.paint(f"rt: {changed} changed", DIM) + "\r\n"
        self._blocks.event(event)
        self._touch()

    def write(self, task: int, step: int, stream: int, block: bytes) -> None:
        self._blocks.feed(task, step, stream, block)
        self._touch()

    def drained(self, task: int, step: int, stream: int) -> None:
        self._blocks.finish(task, step, stream)
        self._touch()

    def tick(self, now: float) -> None:
        if not self._is_stale and self._blocks.next_long_wait_s() != 0:
            return
        if self._next_frame is None:
            self._next_frame = now + FIRST_FRAME_S
        if now >= self._next_frame:
            began = self._clock()
            self._draw()
            took = self._clock() - began
            self._next_frame = now + max(FRAME_S, 4 * took)  # a slow terminal gets fewer frames
            left_s = self._blocks.next_long_wait_s()
            self.interval_ms = None if left_s is None else max(1, round(left_s * 1000))
        else:
            self.interval_ms = max(1, round((self._next_frame - now) * 1000))

    def announce(self, text: str) -> None:
        """Show a line above the blocks."""
        self._news += self._palette.paint(f"rt: {text}", DIM) + "\r\n"
        self._touch()

    def resized(self) -> None:
        if self._drawing is None:
            return
        from ..drawing.terminal import rewraps_on_resize

        before = self._columns
        self._measure()
        rewraps = self._columns < before and rewraps_on_resize()
        self._drawing[1].resized(columns=self._columns, screen_rows=self._rows, rewraps=rewraps)
        self._is_compact = False
        self._touch()

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._blocks.long_wait = None
            self._show_for_good(list(self._blocks.unretired), [])
            if self._spools is not None:
                self._spools.close()

    def _touch(self) -> None:
        if not self._is_stale:
            self._is_stale = True
            self.interval_ms = round(FRAME_S * 1000)

    def _prepare(self) -> tuple[FrameBuilder, Painter]:
        if self._drawing is None:
            from ..drawing.frame import FrameBuilder
            from ..drawing.terminal import Painter

            builder = FrameBuilder(self._blocks, self._palette, elide_lines=self._elide_lines)
            self._drawing = builder, Painter()
            self._measure()
        return self._drawing

    def _measure(self) -> None:
        from ..drawing.terminal import terminal_size

        self._columns, self._rows = self._size() if self._size is not None else terminal_size(self._out.descriptor)

    def _draw(self) -> None:
        builder, painter = self._prepare()
        self._is_stale = False
        self._blocks.note_long_wait()
        room = self._rows - 1
        if not self._is_compact and builder.full_height(room) > room:
            self._is_compact = True
        if self._is_compact:
            self._show_for_good(self._blocks.over, builder.compact(self._columns, room))
        else:
            self._write(painter.frame(builder.full(self._columns), above=self._take_news()))

    def _show_for_good(self, blocks: list[ScriptBlock], rows: list[str]) -> None:
        """Print `blocks` permanently above `rows`, in pieces that fit into memory."""
        builder, painter = self._prepare()
        above = [self._take_news()]
        size = 0
        for block in blocks:
            for line in builder.whole(block, is_abort=self._blocks.is_interrupted, save=_save_output):
                above.append(f"{line}\r\n")
                size += len(line)
                if size > _PIECE:
                    self._write(painter.frame([], above="".join(above)))
                    above.clear()
                    size = 0
            self._blocks.retire(block)
        self._write(painter.frame(rows, above="".join(above)))

    def _take_news(self) -> str:
        news, self._news = self._news, ""
        return news

    def _write(self, frame: bytes) -> None:
        if frame:
            self._out.write(frame)

    def _new_tail(self) -> OutputTail:
        from ..drawing.spool import SlotFile, Spool
        from ..drawing.tail import OutputTail

        if self._spools is None:
            self._spools = SlotFile()
        keeps_all = self._elide_lines == 0 or self._elide_lines > MOST_KEPT_LINES
        spool = Spool(self._spools, limit=None if keeps_all else ABORT_BYTES)
        return OutputTail(min(self._elide_lines or MOST_KEPT_LINES, MOST_KEPT_LINES), spool)


def _save_output(block: ScriptBlock) -> str | None:
    """Write the output that was kept of a script to a file that outlives the run; return its path, None if that fails."""
    from tempfile import mkstemp

    if block.tail is None:
        return None
    words = f"{block.task.package or block.task.label}-{block.task.steps[block.step].name}"
    name = "".join(each if each.isalnum() or each in "-_." else "-" for each in words)[:_LONGEST_NAME]
    try:
        descriptor, path = mkstemp(prefix=f"rt-{name}-", suffix=".log")
        with open(descriptor, "wb") as file:
            for _, line in block.tail.all_lines():
                file.write(line + b"\n")
    except OSError:
        return None
    return path
