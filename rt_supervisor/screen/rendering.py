"""The rows of the screen other than those of a terminal: the list, headings, the status line, help and the graph.

A row is a list of pieces: text, and a style in the words of rich. Pure functions of the session's state.
"""

from __future__ import annotations

from ..output.drawing.cells import cut
from ..output.drawing.cells import width as width_of
from .keys import ACTIONS, show_key
from .model import Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from .keys import KeyMap
    from .model import Model
    from .session import Session

    Piece: TypeAlias = tuple[str, str]
    Row: TypeAlias = list[Piece]

_SYMBOLS = {
    "waiting": ("○", "dim"),
    "running": ("●", "green"),
    "succeeded": ("✓", "green"),
    "failed": ("✗", "bold red"),
    "stopped": ("■", "yellow"),
    "skipped": ("-", "dim"),
}
_NOT_READY = ("◐", "yellow")
_CACHED = ("✓", "magenta")


def symbol_of(task: Task) -> Piece:
    """Return the sign of a task's state."""
    if task.state == "running" and task.is_ready is False:
        return _NOT_READY
    if task.state == "succeeded" and task.is_cached:
        return _CACHED
    return _SYMBOLS.get(task.state, ("?", ""))


def show_seconds(seconds: float | None) -> str:
    """Return a duration in at most six characters."""
    if seconds is None:
        return ""
    if seconds < 10:
        return f"{seconds:.1f}s"
    whole = int(seconds)
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m{whole % 60:02}s"
    return f"{whole // 3600}h{whole % 3600 // 60:02}m"


def show_bytes(count: int | None) -> str:
    """Return an amount of memory in at most five characters."""
    if count is None:
        return ""
    size, units = float(count), "BKMGT"
    while size >= 1000 and len(units) > 1:
        size, units = size / 1024, units[1:]
    return f"{size:.0f}{units[0]}" if size >= 10 or units[0] == "B" else f"{size:.1f}{units[0]}"


def list_rows(session: Session) -> list[Row]:
    """Return the rows of the list, scrolled so that the selected task is visible, each as wide as the list."""
    model, width, height = session.model, session.layout.list_columns, session.layout.list_rows
    rows = model.rows()
    place = next((i for i, row in enumerate(rows) if isinstance(row, Task) and row.key == model.selected), 0)
    first_of_group = place - 1 if place > 0 and isinstance(rows[place - 1], str) else place
    top = min(session.list_top, max(0, len(rows) - height))
    if first_of_group < top:
        top = first_of_group
    session.list_top = top = max(top, place - height + 1)
    shown: list[Row] = []
    for row in rows[top : top + height]:
        if isinstance(row, str):
            shown.append([(cut(row, width), "bold")])
        else:
            shown.append(_task_row(row, model, width, is_selected=row.key == model.selected and not session.is_merged))
    if not rows:
        shown.append([(cut("no task matches", width), "dim")])
    return shown


def _task_row(task: Task, model: Model, width: int, *, is_selected: bool) -> Row:
    symbol, style = symbol_of(task)
    right = [f"×{task.restarts}" if task.restarts else "", f":{task.port}" if task.port else ""]
    if width >= 40:
        right += [f"{task.cpu:.0%}" if task.cpu is not None else "", show_bytes(task.memory)]
    right.append(show_seconds(task.seconds(model.now)))
    details = " ".join(filter(None, right))
    room = width - 3
    details = details if len(details) + 4 <= room else show_seconds(task.seconds(model.now))
    details = details if len(details) + 4 <= room else ""
    name = task.script if model.is_grouped else task.label
    indent = "  " if model.is_grouped else ""
    label = cut(indent + name, room - len(details) - 1 if details else room)
    gap = " " * max(0, room - width_of(label) - len(details))
    selected = " reverse" if is_selected else ""
    return [
        (symbol, style + selected),
        (f" {label}{gap}", "bold" + selected if is_selected else ""),
        (f"{details} ", "dim" + selected),
    ]


def heading(session: Session) -> Row:
    """Return the line above the view: the selected task and what is known of it."""
    if session.mode == "reading":
        return [("Help" if session.page == "help" else "Dependencies", "bold")]
    terminal = session.terminal()
    back: list[Piece] = [] if terminal is None or not terminal.offset else [(f"  ↑ {terminal.offset} lines", "yellow")]
    if session.is_merged:
        return [("all tasks", "bold"), *back]
    task = session.model.current()
    if task is None:
        return [("no task", "dim")]
    parts = [task.state]
    if task.state == "failed" and task.status is not None:
        parts = [f"exited with code {task.status}" if task.status < 128 else f"failed ({task.status})"]
    if task.state == "running" and task.is_ready is not None:
        parts.append("ready" if task.is_ready else "not ready")
    if task.is_cached:
        parts.append("from the cache")
    if task.attempt > 1:
        parts.append(f"attempt {task.attempt}")
    if task.restarts:
        parts.append(f"{task.restarts} restart{'s' if task.restarts > 1 else ''}")
    seconds = task.seconds(session.model.now)
    parts += filter(None, (show_seconds(seconds), task.url or ""))
    if task.cpu is not None:
        parts.append(f"CPU {task.cpu:.0%}")
    parts += filter(None, (show_bytes(task.memory),))
    symbol, style = symbol_of(task)
    title = "" if terminal is None else terminal.title
    return [
        (symbol, style),
        (f" {task.label}", "bold"),
        (f"  {' · '.join(parts)}", "dim"),
        (f"  {title}" if title else "", "italic dim"),
        *back,
    ]


def status(session: Session) -> Row:
    """Return the last line of the screen: a prompt, a question, a notice, or the most useful keys."""
    keys = session.keys
    match session.mode:
        case "typing":
            return [("/" if session.prompt == "search" else "filter: ", "bold"), (session.typed, ""), ("▏", "blink")]
        case "asking":
            count = len(session.model.in_state("running"))
            what = "1 task is running" if count == 1 else f"{count} tasks are running"
            return [(f"{what}. End the run? ", "bold yellow"), ("y/n", "bold")]
        case "interacting":
            return [
                (" The keyboard belongs to the task ", "reverse bold green"),
                (f"  {keys.shown('release')} ", "bold"),
                ("takes it back", "dim"),
                (f"  {session.notice}", "yellow"),
            ]
        case "reading":
            up, down = keys.shown("up"), keys.shown("down")
            return [(f" {up} {down} ", "bold"), ("scroll", "dim"), ("  any other key ", "bold"), ("goes back", "dim")]
        case _:
            return _idle_status(session)


def _idle_status(session: Session) -> Row:
    model, keys = session.model, session.keys
    if session.notice:
        return [(session.notice, "yellow")]
    row: Row = []
    for state, style in (("running", "green"), ("failed", "bold red"), ("waiting", "dim")):
        if count := len(model.in_state(state)):
            row.append((f"{count} {state} ", style))
    if model.watching is not None:
        row.append(("watching " if model.watching == "on" else "watching is paused ", "cyan"))
    if model.text or model.state:
        row.append((f"[{' '.join(filter(None, (model.text, model.state)))}] ", "magenta"))
    hints = [("interact", "input"), ("restart", "restart"), ("stop", "stop"), ("search", "search"), ("merged", "all"), ("help", "help"),
             ("quit", "leave" if session.is_attached else "quit")]  # fmt: skip
    for action, word in hints:
        if key := keys.shown(action):
            row += [(f" {key} ", "bold"), (word, "dim")]
    return row


def page_rows(session: Session) -> list[Row]:
    """Return the rows of the page that the user reads, as many as the view shows."""
    rows = help_rows(session.keys) if session.page == "help" else graph_rows(session.model)
    session.page_top = min(session.page_top, max(0, len(rows) - session.layout.view_rows))
    return rows[session.page_top : session.page_top + session.layout.view_rows]


def help_rows(keys: KeyMap) -> list[Row]:
    """Return a row for each action with its keys."""
    rows: list[Row] = []
    for action, (_, description) in ACTIONS.items():
        shown = " ".join(map(show_key, keys.keys_of[action]))
        rows.append([(f" {shown:<12}", "bold"), (description, ""), (f"  {action}", "dim")])
    return rows


def graph_rows(model: Model) -> list[Row]:
    """Return the tasks as a tree: below each one, those that it waits for. A task that was shown above is not expanded again."""
    needed = {key for task in model.tasks.values() for key in task.after}
    rows: list[Row] = []
    expanded: set[int] = set()

    def add(task: Task, indent: str, branch: str, below: str) -> None:
        symbol, style = symbol_of(task)
        again = task.key in expanded and bool(task.after)
        seconds = show_seconds(task.seconds(model.now))
        rows.append(
            [(f" {indent}{branch}", "dim"), (symbol, style), (f" {task.label}", ""), (f"  {seconds}", "dim"),
             ("  see above" if again else "", "dim")]
        )  # fmt: skip
        if again:
            return
        expanded.add(task.key)
        children = [model.tasks[key] for key in task.after if key in model.tasks]
        for place, child in enumerate(children):
            is_last = place == len(children) - 1
            add(child, indent + below, "└─ " if is_last else "├─ ", "   " if is_last else "│  ")

    for task in model.tasks.values():
        if task.key not in needed:
            add(task, "", "", "")
    for task in model.tasks.values():  # those of a circle
        if task.key not in expanded:
            add(task, "", "", "")
    return rows
