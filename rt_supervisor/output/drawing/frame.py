"""Draws blocks of the elided view as lines of text: complete ones permanently, and as many as fit while scripts run.

Pure: takes states and sizes, returns lines. Permanent output is never cut; a live row never exceeds the given columns,
so that rows can be counted and redrawn in place.
"""

from __future__ import annotations

from ...vocabulary.events import Exited
from .blocks import RUNNING, SKIPPED, WAITING
from .cells import RESET, cut_row, expand_tabs
from .outcomes import is_interruption, sentence
from .palette import BOLD, CYAN, DIM, GREEN, RED, YELLOW
from .sanitize import harmless_label, is_plain, strip_controls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .blocks import RunBlocks, ScriptBlock
    from .palette import Palette
    from .tail import Line

MOST_FAILED_LINES = 1000  # of a failed script's output, on the screen
WAITS_FOR_CHANGES = "Waiting for changes"
_BYTES_PER_CELL = 32  # bytes of a line examined per cell: colours and combining marks take bytes, not cells
_HEAD_AND_FOOT = 2


class FrameBuilder:
    """Draws blocks. `elide_lines` is how many lines of each are shown, 0 for all."""

    def __init__(self, blocks: RunBlocks, palette: Palette, *, elide_lines: int) -> None:
        self._blocks = blocks
        self._palette = palette
        self._elide_lines = elide_lines

    # --- for good

    def whole(
        self, block: ScriptBlock, *, is_abort: bool, save: Callable[[ScriptBlock], str | None] | None = None
    ) -> Iterator[str]:
        """Yield the lines of a block as it is printed permanently; after an abort, all lines that were kept.

        A failed script shows up to `MOST_FAILED_LINES` lines. If it has printed more, `save` returns the path of a file
        with what was kept, or None.
        """
        yield self.head(block)
        count = block.line_count
        is_failure = block.is_failed and block.outcome is not None and not is_interruption(block.outcome)
        wanted = count if is_abort or not self._elide_lines else min(count, self._elide_lines)
        if is_failure and not is_abort:
            wanted = max(wanted, min(count, MOST_FAILED_LINES))
        path = save(block) if is_failure and save is not None and wanted < count else None
        bar = self._bar("│", block) + " "
        tail = block.tail
        if tail is not None:
            lines: Iterator[Line] = iter(tail.last(wanted))
            if wanted > tail.kept:
                wanted = min(wanted, tail.obtainable)
                lines = tail.all_lines()
                for _ in range(tail.obtainable - wanted):
                    next(lines, None)
            if wanted < count:
                yield bar + self._elision_line(count - wanted, path)
            for line in lines:
                yield bar + format_line(line)
        yield self.foot(block)

    def head(self, block: ScriptBlock) -> str:
        package = self._palette.paint(_package(block), BOLD, self._palette.of_package(block.colour))
        return f"{package} {_script(block)} $ {self._palette.paint(_command(block), DIM)}"

    def foot(self, block: ScriptBlock) -> str:
        return f"{self._bar('└─', block)} {self.state(block)}"

    def state(self, block: ScriptBlock) -> str:
        """Return the state of a block as a coloured phrase."""
        paint = self._palette.paint
        if block.state == SKIPPED or (block.state == WAITING and self._blocks.is_interrupted):
            return paint("Skipped", DIM, YELLOW)
        if block.state == RUNNING:
            return paint("Running...", CYAN)
        if block.outcome is not None:
            colour = GREEN if block.outcome == Exited(0) else YELLOW if is_interruption(block.outcome) else RED
            return paint(sentence(block.outcome, block.seconds, block.saved_seconds), colour)
        count = self._blocks.waits_for(block)
        return paint(f"Waiting for {count} other script(s)" if count else "Waiting for its turn", DIM, CYAN)

    # --- while scripts run

    def full_height(self, most: int) -> int:
        """Return how many rows the blocks take that are not yet permanent; may stop counting above `most`."""
        height = int(self._blocks.waits_for_changes) + int(self._blocks.long_wait is not None)
        for block in self._blocks.unretired:
            height += _HEAD_AND_FOOT + self._wanted_rows(block)
            if height > most:
                break
        return height

    def full(self, columns: int) -> list[str]:
        """Return the rows of every block that is not yet permanent, in listing order."""
        rows: list[str] = []
        for block in self._blocks.unretired:
            rows += self._live(block, self._wanted_rows(block), columns)
        if self._blocks.waits_for_changes:
            rows.append(cut_row(self._palette.paint(WAITS_FOR_CHANGES, DIM), columns))
        if self._blocks.long_wait is not None:
            rows.append(cut_row(self._palette.paint(self._long_wait(), DIM), columns))
        return rows

    def compact(self, columns: int, rows: int) -> list[str]:
        """Return the most important information in at most `rows` rows: the running scripts, and the number of
        others."""
        status = [self._status(columns)]
        room = rows - len(status)
        running = self._blocks.running
        if len(running) * _HEAD_AND_FOOT > room:
            return self._one_row_each(running, columns, room) + status[: max(0, rows)]
        grants = share([self._wanted_rows(block) for block in running], room - len(running) * _HEAD_AND_FOOT)
        shown_rows = [
            row for block, grant in zip(running, grants, strict=True) for row in self._live(block, grant, columns)
        ]
        return shown_rows + status

    def _wanted_rows(self, block: ScriptBlock) -> int:
        count = block.line_count
        if self._elide_lines and count > self._elide_lines:
            return self._elide_lines + 1
        return count

    def _live(self, block: ScriptBlock, body_rows: int, columns: int) -> list[str]:
        count = block.line_count
        rows = [cut_row(self.head(block), columns)]
        bar = self._bar("│", block) + " "
        if block.tail is not None and body_rows:
            visible = count if count <= body_rows else max(1, body_rows - 1)
            visible = min(visible, block.tail.kept)
            if visible < count and body_rows > 1:
                rows.append(cut_row(bar + self._elision_line(count - visible), columns))
            rows += [cut_row(bar + format_line(line, columns), columns) for line in block.tail.last(visible)]
        rows.append(cut_row(self.foot(block), columns))
        return rows

    def _one_row_each(self, running: list[ScriptBlock], columns: int, room: int) -> list[str]:
        if room <= 0:
            return []
        fitting = running if len(running) <= room else running[: room - 1]
        rows = []
        for block in fitting:
            package = self._palette.paint(_package(block), BOLD, self._palette.of_package(block.colour))
            last = block.tail.last(1) if block.tail is not None else []
            text = format_line(last[0], columns) if last else self._palette.paint(f"$ {_command(block)}", DIM)
            rows.append(cut_row(f"{package} {_script(block)} {self._bar('│', block)} {text}", columns))
        if len(fitting) < len(running):
            rows.append(cut_row(self._palette.paint(f"… {len(running) - len(fitting)} more running", CYAN), columns))
        return rows

    def _status(self, columns: int) -> str:
        blocks, paint = self._blocks, self._palette.paint
        counts = (
            (len(blocks.running), "running", CYAN),
            (blocks.waiting_count, "waiting", DIM),
            (blocks.failed_count, "failed", RED),
            (blocks.done_count, "done", GREEN),
            (blocks.skipped_count, "skipped", YELLOW),
        )
        parts = [paint(f"{count} {word}", code) for count, word, code in counts if count]
        if blocks.waits_for_changes:
            parts.append(paint(WAITS_FOR_CHANGES, DIM))
        if blocks.long_wait is not None:
            parts.append(paint(self._long_wait(), DIM))
        return cut_row(paint(" · ", DIM).join(parts), columns)

    def _long_wait(self) -> str:
        """Return the sentence about a script that keeps others waiting."""
        wait = self._blocks.long_wait
        assert wait is not None
        waiter = harmless_label(wait.waiter.package or wait.waiter.label)
        return f"{waiter} waits until {_package(wait.block)} {_script(wait.block)} has ended; --parallel does not wait"

    def _bar(self, glyph: str, block: ScriptBlock) -> str:
        return self._palette.paint(glyph, self._palette.of_package(block.colour))

    def _elision_line(self, count: int, path: str | None = None) -> str:
        place = "" if path is None else f"; they are in {harmless_label(path)}"
        return self._palette.paint(f"[{count} lines elided{place}]", DIM)


def _package(block: ScriptBlock) -> str:
    return harmless_label(block.task.package or block.task.label)


def _script(block: ScriptBlock) -> str:
    attempt = f" (attempt {block.attempt})" if block.attempt > 1 else ""
    return f"{harmless_label(block.task.steps[block.step].name)}{attempt}"


def _command(block: ScriptBlock) -> str:
    return harmless_label(block.task.steps[block.step].command)


def format_line(line: Line, columns: int | None = None) -> str:
    """Return a script's line for a terminal, with its colours opened and closed in it, cut to `columns`."""
    colours, raw = line
    if columns is not None:
        raw = raw[: columns * _BYTES_PER_CELL]
    if not is_plain(raw):
        raw = strip_controls(raw).replace(b"\r", b"")
    text = expand_tabs(raw.decode("utf-8", "replace"))
    if colours or "\x1b" in text:
        return f"{colours.decode()}{text}{RESET}"
    return text


def share(wanted: list[int], room: int) -> list[int]:
    """Distribute `room` rows among blocks that want `wanted`: small requests are met in full, the others get equal
    shares."""
    grants = [0] * len(wanted)
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    for position, index in enumerate(order):
        grants[index] = min(wanted[index], room // (len(order) - position))
        room -= grants[index]
    return grants
