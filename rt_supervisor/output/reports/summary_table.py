"""The table of the summary: how each task ended, how long it took and which resources it used.

In narrow terminals, columns are omitted (timeline, memory, CPU, in this order), then names are cut. A run of many tasks
shows those that did not succeed and the slowest. rich draws the table.
"""

from __future__ import annotations

from ..drawing.outcomes import duration, sentence
from ..drawing.palette import CYAN, DIM, GREEN, RED, YELLOW, Palette
from ..drawing.sanitize import harmless_label
from .timings import DONE, FAILED, INTERRUPTED, SKIPPED, UNFINISHED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.table import Table

    from .timings import TaskTimes, Timings

MOST_ROWS = 30
_MOST_SLOWEST = 10
_STYLES = {DONE: "green", FAILED: "red", INTERRUPTED: "yellow", SKIPPED: "yellow", UNFINISHED: "yellow"}
_CODES = {DONE: GREEN, FAILED: RED, INTERRUPTED: YELLOW, SKIPPED: YELLOW, UNFINISHED: YELLOW}
_MARKS = {DONE: "✓", FAILED: "✗", INTERRUPTED: "■", SKIPPED: "○", UNFINISHED: "■"}
_TIMELINE_CELLS = 20
_FROM_COLUMNS = {"Result": 44, "CPU": 56, "Memory": 66, "Timeline": 96}  # minimum terminal columns for each
_WORDY = 66  # minimum terminal columns for results in words
_GAP = 2
_SHORTEST_NAME = 16


def summary_text(timings: Timings, *, columns: int, colour: bool) -> str:
    """Return the summary in lines of at most `columns` cells."""
    from io import StringIO

    from rich.console import Console

    text = StringIO()
    system = "standard" if colour else None
    console = Console(file=text, width=columns, force_terminal=colour, color_system=system, legacy_windows=False)  # type: ignore[arg-type]
    shown = _rows(timings.tasks)
    console.print(_table(shown, timings, columns))
    lines = [line.rstrip() for line in text.getvalue().splitlines()]
    return "\n".join(["", *lines, "", *_totals(timings, len(shown), columns, Palette(is_on=colour))]) + "\n"


def _rows(tasks: list[TaskTimes]) -> list[TaskTimes]:
    if len(tasks) <= MOST_ROWS:
        return tasks
    problems = [task for task in tasks if task.state in (FAILED, INTERRUPTED, UNFINISHED)][: MOST_ROWS - _MOST_SLOWEST]
    chosen = {task.task.key for task in problems}
    rest = sorted((task for task in tasks if task.task.key not in chosen), key=lambda task: -task.seconds)
    chosen |= {task.task.key for task in rest[:_MOST_SLOWEST]}
    return [task for task in tasks if task.task.key in chosen]


def _table(tasks: list[TaskTimes], timings: Timings, columns: int) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    shown = _columns(timings, columns)
    rows = [[cell(times) for _, cell, _ in shown] for times in tasks]
    widths = _widths([title for title, _, _ in shown], rows, columns)
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, border_style="dim")
    for (title, _, justify), width in zip(shown, widths, strict=True):
        table.add_column(title, justify=justify, width=width, no_wrap=True, overflow="ellipsis")  # type: ignore[arg-type]
    for times, row in zip(tasks, rows, strict=True):
        style = _STYLES[times.state]
        coloured = ("", "Result", "Timeline")
        table.add_row(
            *(Text(cell, style if title in coloured else "") for (title, _, _), cell in zip(shown, row, strict=True))
        )
    return table


def _columns(timings: Timings, columns: int) -> list[tuple[str, Callable[[TaskTimes], str], str]]:
    """Return (title, contents of a task's cell, alignment) of the columns that fit."""
    shown: list[tuple[str, Callable[[TaskTimes], str], str]] = [
        ("", lambda times: _MARKS[times.state], "left"),
        ("Task", _name, "left"),
        ("Result", lambda times: _result(times, columns), "left"),
        ("Time", lambda times: duration(times.seconds, " ") if times.has_run else "-", "right"),
        ("CPU", lambda times: duration(times.cpu_seconds, " ") if times.has_run else "-", "right"),
        (
            "Memory",
            lambda times: _size_text(max(times.peak_bytes, times.tree_peak_bytes or 0)) if times.has_run else "-",
            "right",
        ),
        ("Timeline", lambda times: _bar(times, timings), "left"),
    ]
    return [column for column in shown if columns >= _FROM_COLUMNS.get(column[0], 0)]


def _widths(titles: list[str], rows: list[list[str]], columns: int) -> list[int]:
    """Return the width of each column: that of its cells, but names and then results are shortened."""
    from ..drawing.cells import width

    widths = [max(width(cell) for cell in cells) for cells in zip(titles, *rows, strict=True)]
    over = sum(widths) + _GAP * (len(widths) - 1) - columns
    for title, least in (("Result", 24), ("Task", _SHORTEST_NAME), ("Result", 4), ("Task", 1)):
        if over > 0 and title in titles:
            index = titles.index(title)
            given = max(0, min(over, widths[index] - least))
            widths[index] -= given
            over -= given
    return widths


def _totals(timings: Timings, shown_count: int, columns: int, palette: Palette) -> list[str]:
    paint = palette.paint
    hidden = len(timings.tasks) - shown_count
    counts = [(timings.count(state), state) for state in (DONE, FAILED, INTERRUPTED, SKIPPED, UNFINISHED)]
    phrases = [paint(f"{count} {state}", _CODES[state]) for count, state in counts if count]
    cpu = sum(task.cpu_seconds for task in timings.tasks)
    facts = [*phrases, duration(timings.wall_seconds, " "), f"CPU {duration(cpu, ' ')}"]
    if timings.parallelism:
        facts.append(f"{timings.parallelism:.1f} at once")
    lines = [paint(f"… and {hidden} more", DIM)] if hidden > 0 else []
    lines += _wrap(facts, columns, paint(" · ", DIM))
    chain = timings.longest_chain()
    if len(chain) > 1:
        seconds = sum(task.seconds for task in chain)
        parts = [f"{paint('Longest chain', CYAN)} {duration(seconds, ' ')}: {_short(chain[0])}"]
        parts += [_short(task) for task in chain[1:]]
        lines += _wrap(parts, columns, paint(" → ", DIM))
    return lines


def _wrap(parts: list[str], columns: int, joint: str) -> list[str]:
    """Join `parts` into lines of at most `columns` cells, broken between parts."""
    from ..drawing.cells import cut_row, line_width

    lines = [parts[0]]
    for part in parts[1:]:
        longer = f"{lines[-1]}{joint}{part}"
        if line_width(longer) + 2 <= columns:
            lines[-1] = longer
        else:
            lines[-1] += joint.rstrip()
            lines.append(f"  {part}")
    return [cut_row(line, columns) for line in lines]


def _name(times: TaskTimes) -> str:
    task = times.task
    return harmless_label(f"{task.package} {task.script}" if task.package else task.label)


def _short(times: TaskTimes) -> str:
    return harmless_label(times.task.package or times.task.label)


def _result(times: TaskTimes, columns: int) -> str:
    if times.state == SKIPPED:
        because = harmless_label(times.skipped_because or "")
        return f"skipped: {because}" if because and columns >= _WORDY else "skipped"
    if times.state == FAILED and times.failure is not None:
        words = sentence(times.failure, 0.0)
        return words[0].lower() + words[1:] if columns >= _WORDY else f"failed {words.rpartition(' ')[2]}"
    return times.state


def _size_text(size: int) -> str:
    amount = float(size)
    for unit in ("B", "KB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if amount >= 9.95 or unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def _bar(times: TaskTimes, timings: Timings) -> str:
    """Return a bar that shows when the task ran within the run."""
    if times.started_at is None or not timings.wall_seconds:
        return ""
    cell = timings.wall_seconds / _TIMELINE_CELLS
    start = min(_TIMELINE_CELLS - 1, int((times.started_at - timings.begun_at) / cell))
    length = max(1, min(_TIMELINE_CELLS - start, round(times.seconds / cell)))
    return " " * start + "━" * length
