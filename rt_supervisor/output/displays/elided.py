"""The view of `--filter` and `--workspaces` on a terminal: a block for each script, redrawn in place.

While all blocks fit on the screen, they stay there in listing order. When they do not, blocks that have ended are
printed above for good, and the running scripts share the rest of the screen. The cost of writing does not depend on how
much scripts print: `tail` keeps the lines that may be shown, and at most thirty frames are drawn per second. The
drawing modules are imported when the first frame is due, so that scripts start first.
"""

from __future__ import annotations

import time

from ...vocabulary.events import TasksRestarted
from ...watching.descriptions import CLEAR
from ..drawing.blocks import RunBlocks
from ..drawing.palette import Palette

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
        self._blocks = RunBlocks(plan, self._new_tail)
        self._drawing: tuple[FrameBuilder, Painter] | None = None
        self._is_compact = False
        self._is_stale = True
        self._is_closed = False
        self._columns = self._rows = 0
        self._next_frame: float | None = None

    def event(self, event: Event) -> None:
        if self._clears and isinstance(event, TasksRestarted) and event.changed:
            self._out.write(CLEAR)
            self._drawing = None  # the screen is empty
            self._is_compact = False
        self._blocks.event(event)
        self._touch()

    def write(self, task: int, step: int, stream: int, block: bytes) -> None:
        self._blocks.feed(task, step, stream, block)
        self._touch()

    def drained(self, task: int, step: int, stream: int) -> None:
        self._blocks.finish(task, step, stream)
        self._touch()

    def tick(self, now: float) -> None:
        if not self._is_stale:
            return
        if self._next_frame is None:
            self._next_frame = now + FIRST_FRAME_S
        if now >= self._next_frame:
            began = self._clock()
            self._draw()
            took = self._clock() - began
            self._next_frame = now + max(FRAME_S, 4 * took)  # a slow terminal gets fewer frames
            self.interval_ms = None
        else:
            self.interval_ms = max(1, round((self._next_frame - now) * 1000))

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
        room = self._rows - 1
        if not self._is_compact and builder.full_height(room) > room:
            self._is_compact = True
        if self._is_compact:
            self._show_for_good(self._blocks.over, builder.compact(self._columns, room))
        else:
            self._write(painter.frame(builder.full(self._columns)))

    def _show_for_good(self, blocks: list[ScriptBlock], rows: list[str]) -> None:
        """Print `blocks` permanently above `rows`, in pieces that fit into memory."""
        builder, painter = self._prepare()
        above: list[str] = []
        size = 0
        for block in blocks:
            for line in builder.whole(block, is_abort=self._blocks.is_interrupted):
                above.append(f"{line}\r\n")
                size += len(line)
                if size > _PIECE:
                    self._write(painter.frame([], above="".join(above)))
                    above.clear()
                    size = 0
            self._blocks.retire(block)
        self._write(painter.frame(rows, above="".join(above)))

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
